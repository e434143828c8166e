/** What is shown of a table: moves as they come, one after the other, the last ones again, and the game as it was. */
import { pause } from '../app/settings.svelte.ts';
import { sound } from '../app/sound.ts';
import type { Position } from '../game/position.ts';
import type { Options, Outcome, SeatJson, TableEvent, Undo } from '../net/wire.ts';
import { now } from './clocks.ts';
import { flightsBetween, type Flight } from './flights.ts';
import { Modes, type Mode } from './modes.svelte.ts';
import { applyShown, asSeen, flightsOf, lastTurnOf, logged, movesOf, recentMoves, rewound, roundOf } from './recent.ts';
import { isByComputer, type Scene } from './scene.ts';
import { endSound, moveSound } from './sounds.ts';

const NO_UNDO: Undo = { possible: false, reason: 'nothing-to-undo', message: null };
export const NO_OPTIONS: Options = { legal: [], illegal: [] };
/** How long a move is shown again at least, in milliseconds. */
const READABLE = 900;
/** For how many milliseconds a move is shown at most while the viewer's clock runs. */
const TIMED = 250;
/** Words that follow others within so many milliseconds are added to them: of a live region that changes at once nothing is heard. */
const SOON = 200;

interface Queued {
  readonly scene: Scene;
  /** Milliseconds for which each of its moves is shown at least. */
  readonly least: number;
}

export abstract class Playback extends Modes {
  position: Position | undefined = $state.raw();
  options: Options = $state.raw(NO_OPTIONS);
  undo: Undo = $state.raw(NO_UNDO);
  seats: readonly SeatJson[] = $state.raw([]);
  viewer = $state(0);
  /** Several people play at this device. */
  isShared = $state(false);
  /** At a shared device: the seat of the person who has it; 0 before anybody took it. */
  holder = $state(0);
  actions = $state(3);
  outcome: Outcome | null = $state.raw(null);
  flights: readonly Flight[] = $state.raw([]);
  /** The move that the reader points at in the log. */
  pointed: TableEvent | undefined = $state.raw();
  /** How many moves are shown, in a look back or a replay. */
  at = $state(0);
  /** The game as it is, while another position is shown. */
  private real: Position | undefined;
  /** The position after the last scene that was shown to its end. */
  private settled: Position | undefined = $state.raw();
  /** What has happened, as each event was told to the viewer of that time. */
  private events: readonly TableEvent[] = $state.raw([]);
  /** What has happened, as far as the viewer may know it. */
  readonly log: readonly TableEvent[] = $derived(asSeen(this.events, this.settled?.hands ?? [], this.covered));
  private queue: Queued[] = [];
  /** When a move was shown last, and for how long it is to be read before another one is shown. */
  private shownAt = -Infinity;
  private readable = 0;
  private toldAt = -Infinity;
  /** Moves are shown without pauses until it is the viewer's turn. */
  private isHurried = false;
  private underway = 0;
  private key: string | number = '';

  /** A move or another event was shown; `isMore`: at the same time as the one before. */
  protected abstract shown(event: TableEvent, isMore: boolean): void;
  /** The game is over, and the board shows it. */
  protected abstract ended(scene: Scene): void;
  /** A scene was shown to its end. */
  protected abstract arrived(scene: Scene): void;
  /** Another position is shown, or will be: what was picked means nothing any more. `isNew`: the game has gone on. */
  protected abstract changed(isNew: boolean): void;

  /** The position to speak of: a turn is the viewer's once all that led there was shown. */
  get told(): Position | undefined {
    return this.is('playing') && this.position?.turn.seat === this.viewer ? this.settled : this.position;
  }

  /** Whether the viewer must take a shared device before anything is shown that only they may know. */
  get covered(): boolean {
    const { isShared, outcome, viewer, holder, settled } = this;
    return isShared && !outcome && viewer !== holder && settled?.hands.some(({ hidden }) => hidden) === true;
  }

  /** The move that is pointed out: of the past the last one that is shown. */
  get lit(): TableEvent | undefined {
    return this.is('looking-back', 'replaying') ? this.history[this.at - 1] : this.pointed;
  }

  /** All moves of the game. */
  get history(): TableEvent[] {
    return movesOf(this.log);
  }

  /** What the others did since the viewer's last action. */
  get recent(): TableEvent[] {
    return this.outcome ? [] : recentMoves(this.log, this.viewer);
  }

  get row(): boolean {
    return (this.position?.row.length ?? 0) > 0;
  }

  /** How many moves of the game are shown in a look back; nothing: the game as it is. */
  get looking(): number | undefined {
    return this.is('looking-back') ? this.at : undefined;
  }

  // --- what comes

  /** Show a scene at once, without movement: a table that was just opened. */
  readonly set = (scene: Scene): void => {
    this.queue = [];
    this.shownAt = -Infinity;
    this.isHurried = false;
    this.rest();
    this.flights = [];
    this.events = scene.events.reduce(logged, []);
    this.settle(scene);
  };

  /** Show a scene after those that still wait. */
  readonly push = (scene: Scene, least = 0): void => {
    if (this.is('closed')) return;
    if (this.looking !== undefined) return this.absorb(scene, this.looking);
    if (this.is('replaying') && scene.key === this.key) return this.absorb(scene);
    this.queue.push({ scene, least });
    if (!this.is('playing')) void this.playAll();
  };

  /** Whether others play moves that a person may want to see faster. */
  get canSkip(): boolean {
    const { turn } = this.position ?? {};
    const chooser = this.seats[(turn?.dropper ?? turn?.seat ?? 0) - 1];
    return this.is('playing') || (this.is('idle') && !this.outcome && chooser !== undefined && isByComputer(chooser));
  }

  /** Show at once what has come, and what comes until it is the viewer's turn. */
  readonly skip = (): void => {
    this.isHurried = this.canSkip;
    if (this.is('playing')) this.endWait();
  };

  /** Take a scene without showing it: the past is looked at, or moves are shown again while people come, go and talk. */
  private absorb(scene: Scene, at?: number): void {
    this.events = scene.events.reduce(logged, this.events);
    this.settle(scene);
    this.real = scene.position;
    if (at === undefined) this.showPast(this.at);
    else this.lookAt(at);
  }

  private async playAll(): Promise<void> {
    this.stopReplay();
    const mine = this.enter({ name: 'playing' });
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      await this.playScene(next, mine);
      if (this.mode !== mine) return;
    }
    if (this.viewer === 0) this.isHurried = false;
    this.rest();
  }

  /** Show one scene, unless another mode begins meanwhile. */
  private async playScene({ scene, least }: Queued, mine: Mode): Promise<void> {
    const last = scene.events.findLast(({ type }) => type === 'move');
    // Of what a page has missed that was asleep, the last round is shown.
    const first = roundOf(scene.events, scene.seats.length);
    if (first > 0) this.position = rewound(scene.position, movesOf(scene.events.slice(first).reduce(logged, [])));
    let isLater = false;
    for (const [index, event] of scene.events.entries()) {
      const isShown = event.type === 'move' && index >= first;
      // An end of a turn moves nothing on the board: the last move stays readable while it is told.
      if (isShown && event.move?.kind !== 'end') await this.read(mine, scene);
      if (this.mode !== mine) return;
      this.events = logged(this.events, event);
      if (event.type === 'move' && !isShown) continue;
      if (isShown) this.showMove(event, event === last ? scene : undefined, least);
      if (event.type === 'deal' || event.type === 'salt') continue;
      // What the viewer does is told anew: it is heard before the next action, and by no other viewer at this device.
      const isOthers = event.seat !== this.viewer && scene.viewer === this.viewer;
      this.shown(event, now() - this.toldAt < SOON && (isLater || isOthers));
      this.toldAt = now();
      isLater = true;
    }
    if (scene.outcome) await this.read(mine, scene);
    if (this.mode === mine) this.settle(scene);
  }

  /** Wait until the move that was shown last was readable long enough. The server's own waiting counts, too. */
  private async read(mine: Mode, scene: Scene): Promise<void> {
    const isTimed = scene.isTimed === true || this.queue.some((next) => next.scene.isTimed);
    const readable = isTimed ? Math.min(TIMED, this.readable) : this.readable;
    if (!this.isHurried) await this.wait(mine, this.shownAt + readable - now());
  }

  private showMove(event: TableEvent, scene: Scene | undefined, least: number): void {
    if (!this.position) return;
    const own = event.seat === this.viewer;
    const next = scene?.position ?? applyShown(this.position, event);
    this.flights = this.covered ? [] : flightsBetween(this.position, next);
    // The hand of another viewer is shown once the scene is settled: then a curtain may lie over it.
    const isTheirs = scene !== undefined && scene.viewer !== this.viewer;
    this.position = isTheirs && next.hands.some(({ hidden }) => hidden) ? applyShown(this.position, event) : next;
    moveSound(event);
    if (event.move?.kind === 'end') return;
    this.shownAt = now();
    this.readable = Math.max(least, own && scene ? 0 : pause());
  }

  private settle(scene: Scene): void {
    // Talk and presence leave the position as it is, and with it what was picked.
    const same = scene.key === this.key && scene.viewer === this.viewer;
    const isFirst = this.key === '';
    this.key = scene.key;
    this.position = this.settled = scene.position;
    this.options = scene.options ?? NO_OPTIONS;
    this.undo = scene.undo;
    this.seats = scene.seats;
    this.viewer = scene.viewer;
    this.actions = scene.actions;
    const isOver = scene.outcome !== null && this.outcome === null && !isFirst;
    this.outcome = scene.outcome;
    if (isOver || scene.options?.legal.length) this.isHurried = false;
    if (isOver) {
      sound(endSound({ ...scene, viewer: this.isShared ? 0 : scene.viewer }));
      this.ended(scene);
    }
    this.arrived(scene);
    if (!same) this.changed(true);
  }

  // --- a move on its way

  /** Wait for a move that was sent; nothing can be chosen meanwhile. */
  protected async sending(work: Promise<void>): Promise<void> {
    this.underway++;
    if (this.is('idle')) this.rest();
    try {
      await work;
    } finally {
      this.underway--;
      if (this.is('sending')) this.rest();
    }
  }

  private rest(): void {
    this.enter(this.underway > 0 ? { name: 'sending' } : { name: 'idle' });
  }

  // --- the past

  /** The position after so many moves of the game. */
  protected past(count: number): Position | undefined {
    return this.real && rewound(this.real, movesOf(this.events).slice(count));
  }

  private showPast(count: number): void {
    this.at = Math.max(0, Math.min(this.history.length, Math.trunc(count) || 0));
    this.position = this.past(this.at);
  }

  /** Show the moves after the first ones again. Returns whether all were shown. */
  protected async replayFrom(count: number, least = READABLE): Promise<boolean> {
    const mine = this.enter({ name: 'replaying' });
    this.showPast(count);
    if (!(await this.wait(mine, least / 2))) return false;
    for (const event of this.history.slice(this.at)) {
      this.showPast(this.at + 1);
      if (event.move?.kind === 'end') continue;
      this.flights = flightsOf(event, this.row);
      this.shown(event, false);
      moveSound(event);
      if (!(await this.wait(mine, Math.max(pause(), least)))) return false;
    }
    return true;
  }

  /** Show the last moves again: those of the others since the viewer's last action, or of the last turn. A second call ends that. */
  readonly again = async (
    last = (this.recent.length ? this.recent : lastTurnOf(this.history)).length,
  ): Promise<void> => {
    if (!this.position || !this.is('idle', 'sending')) return this.stopReplay();
    this.changed(false);
    this.real = this.position;
    if (await this.replayFrom(this.history.length - last)) this.stopReplay();
  };

  /** End a replay at once; the position is again as it is. */
  stopReplay(): void {
    if (this.is('replaying')) this.backToNow();
  }

  /** Show the board as it was after so many moves. */
  readonly lookAt = (count: number): void => {
    if (!this.position || this.is('playing', 'closed')) return;
    if (this.looking === undefined) {
      this.stopReplay();
      this.changed(false);
      this.real = this.position;
    }
    this.enter({ name: 'looking-back' });
    this.showPast(count);
  };

  readonly lookNow = (): void => {
    if (this.looking !== undefined) this.backToNow();
  };

  private backToNow(): void {
    this.rest();
    this.position = this.real;
  }
}
