/** The state of the table view and the effect of picks, for a table on the server or a position to try. */
import { paceFactor, pause } from '../app/settings.svelte.ts';
import type { Mark, Trail } from '../board/marks.ts';
import type { Place, Position } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import { levelName } from '../i18n/names.ts';
import type { MoveJson, NearMiss, Option, Options, Outcome, SeatJson, TableEvent, Undo } from '../net/wire.ts';
import { NOTHING, pickCard, pickPlace, playableCards, type Outcome as Picked, type Selection } from './choices.ts';
import { flightsBetween, type Flight } from './flights.ts';
import { applyShown } from './shown.ts';
import { marksFor, trailsFor } from './show.ts';
import { colourName, eventWords, missWords, optionWords } from './words.ts';

/** A position to show, with the events that led to it. */
export interface Scene {
  /** Scenes of one key show the same position. */
  readonly key: string | number;
  readonly position: Position;
  readonly options: Options | null;
  readonly undo: Undo;
  readonly seats: readonly SeatJson[];
  readonly events: readonly TableEvent[];
  /** The seat looked through; 0: a spectator. */
  readonly viewer: number;
  readonly actions: number;
  readonly outcome: Outcome | null;
}

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
  /** The line under the board: why something is not possible. */
  notice = $state('');
  /** For screen readers: every move as it happens. */
  announcement = $state('');
  flights: readonly Flight[] = $state.raw([]);
  lit: TableEvent | undefined = $state.raw();
  hintMove: Option | undefined = $state.raw();
  busy = $state(false);
  showing = $state(false);
  private scenes: Scene[] = [];
  private shows = 0;
  private key: string | number = '';

  constructor(private readonly send: (option: Option) => Promise<void>) {}

  get pace(): number {
    return paceFactor();
  }

  readonly nameOf = (seat: number): string => {
    const person = this.seats[seat - 1];
    const name = person?.name || (person?.level ? levelName(person.level) : '');
    return name ? `${name} (${colourName(seat)})` : colourName(seat);
  };

  /** Whether the person at this screen must choose now. */
  get choosing(): boolean {
    return !this.showing && !this.busy && this.options.legal.length > 0;
  }

  get choices(): Options {
    return this.choosing ? this.options : EMPTY;
  }

  get marks(): Mark[] {
    const family = this.position?.family ?? 'tunnel';
    const mover = this.position?.turn.seat ?? 1;
    const marks = marksFor(this.selection, this.choices, {
      option: (option) => optionWords(family, option),
      miss: (miss) => missWords(family, miss, mover),
      pick: t('mark.pick'),
      chosen: t('mark.chosen'),
    });
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
    const trails = trailsFor(this.selection, this.choices.legal);
    const hint = this.hintMove;
    if (hint?.move.from && hint.to) trails.push({ from: hint.move.from, to: hint.to, kind: 'hint' });
    const from = this.lit?.move?.from;
    if (from && this.lit?.to) trails.push({ from, to: this.lit.to, kind: 'last' });
    return trails;
  }

  get playable(): Set<string> {
    return playableCards(this.selection, this.choices.legal);
  }

  // --- what a person does

  readonly pickPlace = (place: Place): void => this.picked(pickPlace(this.selection, place, this.choices));

  readonly pickCard = (card: string): void => this.picked(pickCard(this.selection, card, this.choices));

  readonly clear = (): void => {
    this.selection = NOTHING;
    this.among = [];
    this.lit = undefined;
  };

  readonly play = async (option: Option): Promise<void> => {
    this.clear();
    this.hintMove = undefined;
    this.notice = '';
    this.busy = true;
    try {
      await this.send(option);
    } finally {
      this.busy = false;
    }
  };

  readonly playKind = (kind: MoveJson['kind']): void => {
    const option = this.choices.legal.find((item) => item.move.kind === kind);
    if (option) void this.play(option);
    else this.explain(this.choices.illegal.filter((miss) => miss.move.kind === kind));
  };

  missOf(kind: MoveJson['kind']): NearMiss | undefined {
    return this.options.illegal.find((miss) => miss.move.kind === kind);
  }

  can(kind: MoveJson['kind']): boolean {
    return this.choices.legal.some((option) => option.move.kind === kind);
  }

  private picked(outcome: Picked): void {
    this.selection = outcome.selection;
    this.among = outcome.among ?? [];
    this.lit = undefined;
    if (outcome.play) void this.play(outcome.play);
    else if (outcome.refused?.length) this.explain(outcome.refused);
    else this.notice = '';
  }

  explain(misses: readonly NearMiss[]): void {
    const mover = this.position?.turn.seat ?? 1;
    const [first] = misses;
    if (first) this.notice = missWords(this.position?.family ?? 'tunnel', first, mover);
    this.announcement = this.notice;
  }

  // --- what happens

  /** Show a scene after those that still wait. */
  readonly push = (scene: Scene): void => {
    this.scenes.push(scene);
    if (!this.showing) void this.showAll();
  };

  /** Show a scene at once, without movement: a table that was just opened. */
  readonly set = (scene: Scene): void => {
    this.shows++;
    this.showing = false;
    this.scenes = [];
    this.flights = [];
    this.log = scene.events.reduce(logged, []);
    this.settle(scene);
  };

  private async showAll(): Promise<void> {
    const show = ++this.shows;
    this.showing = true;
    while (show === this.shows && this.scenes.length > 0) await this.show(this.scenes.shift() as Scene, show);
    if (show === this.shows) this.showing = false;
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
    const wait = own && scene ? 0 : pause();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  }

  say(event: TableEvent): void {
    const line = eventWords(this.position?.family ?? 'tunnel', event, this.nameOf);
    this.announcement = line;
  }

  private settle(scene: Scene): void {
    // Talk and presence leave the position as it is, and with it the selection.
    const same = scene.key === this.key && scene.viewer === this.viewer;
    this.key = scene.key;
    this.position = scene.position;
    this.options = scene.options ?? EMPTY;
    this.undo = scene.undo;
    this.seats = scene.seats;
    this.viewer = scene.viewer;
    this.actions = scene.actions;
    this.outcome = scene.outcome;
    if (same) return;
    this.clear();
    this.hintMove = undefined;
  }
}

/** The log after one more event. An undo removes the move that it names, which may have gone unseen, and is not listed. */
export function logged(log: readonly TableEvent[], event: TableEvent): TableEvent[] {
  return event.type === 'undo' ? log.filter((item) => item.seq !== event.undone) : [...log, event];
}
