/** The state of the table view and the effect of picks, for a table on the server or a position to try. */
import { paceFactor, pause } from '../app/settings.svelte.ts';
import { sound } from '../app/sound.ts';
import type { Mark, Trail } from '../board/marks.ts';
import type { Place, Position } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import { levelName } from '../i18n/names.ts';
import type { MoveJson, NearMiss, Option, Options, Outcome, SeatJson, TableEvent, Undo } from '../net/wire.ts';
import { refusedWords, WHOLE, type Anchor, type Answer } from './answers.ts';
import {
  narrow,
  NOTHING,
  pickCard,
  pickPlace,
  playableCards,
  type Choices,
  type Picked,
  type Selection,
} from './choices.ts';
import { flightsBetween, type Flight } from './flights.ts';
import { flightsOf, lastTurn, logged, movesOf, recentMoves, rewound, trailOf } from './recent.ts';
import type { Scene } from './scene.ts';
import { applyShown } from './shown.ts';
import { endSound, moveSound } from './sounds.ts';
import { marksFor, trailsFor } from './show.ts';
import { capital, colourName, eventWords, missWords, optionWords, resultWords } from './words.ts';

export type { Scene } from './scene.ts';

const NO_UNDO: Undo = { possible: false, reason: 'nothing-to-undo', message: null };
const EMPTY: Options = { legal: [], illegal: [] };

export class TableModel {
  position: Position | undefined = $state.raw();
  options: Options = $state.raw(EMPTY);
  undo: Undo = $state.raw(NO_UNDO);
  seats: readonly SeatJson[] = $state.raw([]);
  log: readonly TableEvent[] = $state.raw([]);
  viewer = $state(0);
  actions = $state(3);
  outcome: Outcome | null = $state.raw(null);
  selection: Selection = $state.raw(NOTHING);
  among: readonly Option[] = $state.raw([]);
  /** Where the several possible moves were picked. */
  asked: Anchor = $state.raw(WHOLE);
  /** Why the last pick did nothing, said where it was made. */
  answer: Answer | undefined = $state.raw();
  /** For screen readers: every move as it happens. */
  announcement = $state('');
  flights: readonly Flight[] = $state.raw([]);
  lit: TableEvent | undefined = $state.raw();
  hintMove: Option | undefined = $state.raw();
  busy = $state(false);
  showing = $state(false);
  /** The last moves are being shown again. */
  replaying = $state(false);
  /** A look back: how many moves of the game are shown; nothing: the game as it is. */
  looking: number | undefined = $state();
  private replays = 0;
  /** The position while another is shown again. */
  private real: Position | undefined;
  /** The position after the last scene that was shown to its end. */
  private settled: Position | undefined = $state.raw();
  private scenes: { readonly scene: Scene; readonly shown: () => void }[] = [];
  private shows = 0;
  private key: string | number = '';

  constructor(private readonly send: (option: Option) => Promise<void>) {}

  get pace(): number {
    return paceFactor();
  }

  readonly nameOf = (seat: number): string => {
    const person = this.seats[seat - 1];
    const name = person?.name || (person?.level ? levelName(person.level) : '');
    return name ? t('crew.named', { name, colour: colourName(seat) }) : colourName(seat);
  };

  /** The name alone, where a picture shows the colour. */
  readonly plainName = (seat: number): string => {
    const person = this.seats[seat - 1];
    return person?.name || (person?.level ? levelName(person.level) : colourName(seat));
  };

  /** Whether the person at this screen must choose now. */
  get choosing(): boolean {
    return (
      !this.showing && !this.replaying && this.looking === undefined && !this.busy && this.options.legal.length > 0
    );
  }

  /** Whether all that the person can do is to end the turn. */
  get stuck(): boolean {
    return this.choosing && this.options.legal.every(({ move }) => move.kind === 'end');
  }

  get choices(): Choices {
    return this.choosing ? this.options : EMPTY;
  }

  /** The position to speak of: a turn is the viewer's once all that led there was shown. */
  get told(): Position | undefined {
    return this.showing && this.position?.turn.seat === this.viewer ? this.settled : this.position;
  }

  /** The moves to choose from now: those that were asked about, else all. */
  private get offered(): Choices {
    return this.among.length > 0 ? { legal: this.among, illegal: [] } : this.choices;
  }

  private get row(): boolean {
    return (this.position?.row.length ?? 0) > 0;
  }

  /** What the others did since the viewer's last action. */
  get recent(): TableEvent[] {
    return this.outcome ? [] : recentMoves(this.log, this.viewer);
  }

  get marks(): Mark[] {
    const family = this.position?.family ?? 'tunnel';
    const mover = this.position?.turn.seat ?? 1;
    const marks = marksFor(this.among.length > 0 ? NOTHING : this.selection, this.offered, {
      option: (option) => optionWords(family, option),
      miss: (miss) => missWords(family, miss, mover),
      pick: t('mark.pick'),
      chosen: t('mark.chosen'),
    });
    if (this.among.length > 0 && this.asked.kind === 'place')
      marks.push({ place: this.asked.name, kind: 'target', label: t('chooser.title') });
    const hint = this.hintMove;
    for (const place of [hint?.move.from, hint?.to]) {
      if (place) marks.push({ place, kind: 'hint', label: t('mark.hint') });
    }
    for (const place of [this.lit?.move?.from, this.lit?.to]) {
      if (place) marks.push({ place, kind: 'last', label: '' });
    }
    return marks;
  }

  get trails(): Trail[] {
    const trails = this.looking === undefined ? this.recent.flatMap((event) => trailOf(event, this.row) ?? []) : [];
    if (this.lit) {
      const lit = trailOf(this.lit, this.row);
      trails.splice(0, trails.length, ...(lit ? [lit] : []));
    }
    trails.push(...trailsFor(this.selection, this.choices.legal));
    const hint = this.hintMove;
    if (hint?.move.from && hint.to) trails.push({ from: hint.move.from, to: hint.to, kind: 'hint' });
    return trails;
  }

  get playable(): Set<string> {
    return this.among.length > 0
      ? playableCards(NOTHING, this.among)
      : playableCards(this.selection, this.choices.legal);
  }

  /** The seat whose pirate is moved from a place: that of the move, else the mover's own. */
  readonly lifts = (place: Place): number | undefined =>
    this.choices.legal.find((option) => option.move.from === place)?.move.seat ?? this.position?.turn.seat;

  // --- what a person does

  readonly pickPlace = (place: Place): void => this.pick({ kind: 'place', name: place });

  readonly pickCard = (card: string): void => this.pick({ kind: 'card', name: card });

  private pick(at: Anchor): void {
    this.stopReplay();
    const among = narrow(this.among, at.kind === 'place' ? { place: at.name } : { card: at.name });
    const [only] = among;
    if (only && among.length < this.among.length) {
      if (among.length === 1) void this.play(only);
      else this.among = among;
      return;
    }
    if (!this.choosing) return this.refuse(this.idleWords, at);
    const choose = at.kind === 'place' ? pickPlace : pickCard;
    this.picked(choose(this.selection, at.name, this.choices), at);
  }

  /** Why there is nothing to choose; empty while a move is on its way. */
  private get idleWords(): string {
    if (this.outcome) return t('reason.game-is-over');
    if (this.viewer === 0) return t('answer.watching');
    return this.options.legal.length > 0 ? '' : t('code.not-your-turn');
  }

  readonly clear = (): void => {
    this.selection = NOTHING;
    this.among = [];
    this.lit = undefined;
    this.answer = undefined;
  };

  readonly play = async (option: Option): Promise<void> => {
    this.clear();
    this.hintMove = undefined;
    this.busy = true;
    try {
      await this.send(option);
    } finally {
      this.busy = false;
    }
  };

  readonly playKind = (kind: MoveJson['kind']): void => {
    this.stopReplay();
    const option = this.choices.legal.find((item) => item.move.kind === kind);
    const miss = this.choices.illegal.find((item) => item.move.kind === kind);
    if (option) void this.play(option);
    else
      this.refuse(
        miss ? missWords(this.position?.family ?? 'tunnel', miss, this.position?.turn.seat ?? 1) : this.idleWords,
        { kind: 'action', name: kind },
      );
  };

  missOf(kind: MoveJson['kind']): NearMiss | undefined {
    return this.options.illegal.find((miss) => miss.move.kind === kind);
  }

  can(kind: MoveJson['kind']): boolean {
    return this.choices.legal.some((option) => option.move.kind === kind);
  }

  private picked(outcome: Picked, at: Anchor): void {
    this.selection = outcome.selection;
    this.among = outcome.among ?? [];
    this.asked = at;
    this.lit = undefined;
    this.answer = undefined;
    if (outcome.play) void this.play(outcome.play);
    else if (outcome.refused)
      this.refuse(refusedWords(this.position?.family ?? 'tunnel', outcome.refused, this.position?.turn.seat ?? 1), at);
    else if (outcome.selection.kind !== 'none') sound('lift');
  }

  /** Say why something does nothing, at the place where it was tried. */
  refuse(words: string, at: Anchor = WHOLE): void {
    if (!words) return;
    this.answer = { words, at };
    this.announcement = words;
    sound('refuse');
  }

  /** Show the moves of the others since the viewer's last action again, or those of the last turn. */
  readonly again = async (): Promise<void> => {
    const { position } = this;
    if (!position || this.looking !== undefined || this.showing || this.replaying) return this.stopReplay();
    const events = this.recent.length > 0 ? this.recent : lastTurn(this.log);
    const replay = ++this.replays;
    this.clear();
    this.real = position;
    this.replaying = true;
    this.position = rewound(position, events);
    await wait(READABLE / 2);
    for (const [index, event] of events.entries()) {
      if (event.move?.kind === 'end') continue;
      if (replay !== this.replays) return;
      this.lit = event;
      this.flights = flightsOf(event, this.row);
      this.position = rewound(position, events.slice(index + 1));
      this.say(event);
      moveSound(event);
      await wait(Math.max(pause(), READABLE));
    }
    if (replay === this.replays) this.stopReplay();
  };

  /** End a replay at once; the position is again as it is. */
  stopReplay(): void {
    if (!this.replaying) return;
    this.replays++;
    this.replaying = false;
    this.lit = undefined;
    this.position = this.real;
  }

  // --- looking back

  /** All moves of the game. */
  get history(): TableEvent[] {
    return movesOf(this.log);
  }

  /** Show the board as it was after so many moves. */
  readonly lookAt = (count: number): void => {
    if (!this.position || this.showing) return;
    if (this.looking === undefined) {
      this.stopReplay();
      this.clear();
      this.real = this.position;
    }
    const moves = this.history;
    const at = Math.max(0, Math.min(moves.length, count));
    this.looking = at;
    this.position = this.real && rewound(this.real, moves.slice(at));
    this.lit = moves[at - 1];
  };

  readonly lookNow = (): void => {
    if (this.looking === undefined) return;
    this.looking = undefined;
    this.lit = undefined;
    this.position = this.real;
  };

  /** Take a scene without showing it: the past is looked at. */
  private absorb(scene: Scene): void {
    const at = this.looking ?? 0;
    this.log = scene.events.reduce(logged, this.log);
    this.settle(scene);
    this.looking = undefined;
    this.lookAt(at);
  }

  // --- what happens

  /** Show a scene after those that still wait, and call back when it was shown. */
  readonly push = (scene: Scene, shown: () => void = () => undefined): void => {
    if (this.looking !== undefined) {
      this.absorb(scene);
      return shown();
    }
    this.scenes.push({ scene, shown });
    if (!this.showing) void this.showAll();
  };

  /** Show a scene at once, without movement: a table that was just opened. */
  readonly set = (scene: Scene): void => {
    this.shows++;
    this.showing = false;
    this.scenes = [];
    this.flights = [];
    this.looking = undefined;
    this.log = scene.events.reduce(logged, []);
    this.settle(scene);
  };

  private async showAll(): Promise<void> {
    this.stopReplay();
    const show = ++this.shows;
    this.showing = true;
    for (let next = this.scenes.shift(); next; next = this.scenes.shift()) {
      await this.show(next.scene, show);
      if (show !== this.shows) return;
      next.shown();
    }
    this.showing = false;
  }

  /** Show one scene, unless another is set at once meanwhile. */
  private async show(scene: Scene, show: number): Promise<void> {
    const moves = scene.events.filter((event) => event.type === 'move');
    for (const event of scene.events) {
      this.log = logged(this.log, event);
      const last = event === moves.at(-1);
      if (event.type === 'move') await this.showMove(event, last ? scene : undefined);
      if (show !== this.shows) return;
      if (event.type !== 'deal' && event.type !== 'salt') this.say(event);
    }
    this.settle(scene);
  }

  private async showMove(event: TableEvent, scene: Scene | undefined): Promise<void> {
    if (!this.position) return;
    const own = event.seat === scene?.viewer;
    const next = scene?.position ?? applyShown(this.position, event);
    this.flights = flightsBetween(this.position, next);
    this.position = next;
    moveSound(event);
    const wait = own && scene ? 0 : pause();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  }

  /** Tell a screen reader something beside what it was told last. */
  announce(words: string): void {
    this.announcement = [this.announcement, words].filter(Boolean).join(' ');
  }

  say(event: TableEvent): void {
    this.announcement = eventWords(this.position?.family ?? 'tunnel', event, this.nameOf);
  }

  private settle(scene: Scene): void {
    // Talk and presence leave the position as it is, and with it the selection.
    const same = scene.key === this.key && scene.viewer === this.viewer;
    const shownBefore = this.key !== '';
    this.key = scene.key;
    this.position = scene.position;
    this.settled = scene.position;
    this.options = scene.options ?? EMPTY;
    this.undo = scene.undo;
    this.seats = scene.seats;
    this.viewer = scene.viewer;
    this.actions = scene.actions;
    if (scene.outcome && !this.outcome && shownBefore) {
      sound(endSound(scene));
      this.announce(capital(resultWords(scene.outcome, scene.viewer, this.nameOf)));
    }
    this.outcome = scene.outcome;
    this.replaying = false;
    this.replays++;
    if (same) return;
    this.clear();
    this.hintMove = undefined;
  }
}

/** How long a move is shown again at least, in milliseconds. */
const READABLE = 900;

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
