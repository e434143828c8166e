/** What a person has picked at a table, what can be picked, and what a pick does. */
import { sound } from '../app/sound.ts';
import type { Mark, Trail } from '../board/marks.ts';
import type { Place } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { MoveJson, NearMiss, Option } from '../net/wire.ts';
import { NO_OPTIONS, type Playback } from '../session/playback.svelte.ts';
import { lastTurnOf, trailOf } from '../session/recent.ts';
import { refusedWords, WHOLE, type Anchor, type Answer } from './answers.ts';
import {
  narrow,
  NOTHING,
  openMoves,
  pickCard,
  pickPlace,
  playableCards,
  type Choices,
  type Picked,
  type Selection,
} from './choices.ts';
import { Discards } from './discards.svelte.ts';
import { adviceTrails, choicesAmong, crewOf, marksFor, trailsFor } from './show.ts';
import { missWords, optionWords, placeName, undoWords } from './words.ts';

/** The table that is picked from. */
interface Table extends Playback {
  announcement: string;
  /** The seat whose last turn is shown; nothing: that of the last one who moved. */
  shownSeat: number | undefined;
  carryOut(option: Option): Promise<void>;
  tellTurn(): void;
}

export class Picks {
  selection: Selection = $state.raw(NOTHING);
  among: readonly Option[] = $state.raw([]);
  /** Where the several possible moves were picked. */
  asked: Anchor = $state.raw(WHOLE);
  /** Why the last pick did nothing, said where it was made. */
  answer: Answer | undefined = $state.raw();
  hintMove: Option | undefined = $state.raw();
  /** The ways of a turn that is advised. */
  advice: readonly Trail[] = $state.raw([]);
  /** The cards that a freebooter costs. */
  readonly discards: Discards;

  constructor(private readonly model: Table) {
    this.discards = new Discards(model);
  }

  /** Whether something is picked, or it is asked what is meant. */
  private get isPicked(): boolean {
    return this.selection.kind !== 'none' || this.among.length > 0;
  }

  /** Whether the person at this screen must choose now. */
  get choosing(): boolean {
    return this.model.is('idle') && this.model.options.legal.length > 0;
  }

  /** Whether all that the person can do is to end the turn. */
  get stuck(): boolean {
    return this.choosing && this.model.options.legal.every(({ move }) => move.kind === 'end');
  }

  get choices(): Choices {
    return this.choosing ? this.model.options : NO_OPTIONS;
  }

  /** The moves to choose from now: those that were asked about, else all. */
  private get offered(): Choices {
    return this.among.length > 0 ? { legal: this.among, illegal: [] } : this.choices;
  }

  private get family() {
    return this.model.position?.family ?? 'tunnel';
  }

  private get mover(): number {
    return this.model.position?.turn.seat ?? 1;
  }

  // --- what can be picked

  readonly marks: readonly Mark[] = $derived.by(() => this.findMarks());
  readonly trails: readonly Trail[] = $derived.by(() => this.findTrails());
  readonly playable: ReadonlySet<string> = $derived.by(() => this.findPlayable());

  private findMarks(): Mark[] {
    const words = {
      option: (option: Option) => optionWords(this.family, option),
      miss: (miss: NearMiss) => missWords(this.family, miss, this.mover),
      pick: t('mark.pick'),
      chosen: t('mark.chosen'),
    };
    const marks =
      this.among.length > 0
        ? choicesAmong(this.among, words, this.mover)
        : marksFor(this.selection, this.offered, words, this.mover);
    if (this.among.length > 0 && this.asked.kind === 'place' && !marks.some(({ place }) => place === this.asked.name))
      marks.push({ place: this.asked.name, kind: 'target', label: t('cancel') });
    const { hintMove: hint } = this;
    const { lit } = this.model;
    for (const place of [hint?.move.from, hint?.to]) {
      if (hint && place) marks.push({ place, kind: 'hint', label: t('mark.hint'), crews: [crewOf(hint, this.mover)] });
    }
    const owner = lit?.move?.seat ?? lit?.seat;
    for (const place of [lit?.move?.from, lit?.to]) {
      if (place) marks.push({ place, kind: 'last', label: '', crews: owner ? [owner] : undefined });
    }
    return marks;
  }

  private findTrails(): Trail[] {
    const { lit, looking, row, shownSeat } = this.model;
    const past = lit ? [lit] : looking === undefined ? lastTurnOf(this.model.recent, shownSeat) : [];
    const trails = past.flatMap((event) => trailOf(event, row) ?? []);
    trails.push(...trailsFor(this.selection, this.choices.legal, this.mover));
    const hint = this.hintMove;
    return [...trails, ...this.advice, ...(hint && this.advice.length === 0 ? adviceTrails([hint], this.mover) : [])];
  }

  private findPlayable(): Set<string> {
    return this.among.length > 0
      ? playableCards(NOTHING, this.among)
      : playableCards(this.selection, this.choices.legal);
  }

  /** The seat whose pirate is moved from a place: that of the move, else the mover's own. */
  readonly lifts = (place: Place): number | undefined =>
    this.choices.legal.find((option) => option.move.from === place)?.move.seat ?? this.model.position?.turn.seat;

  can(kind: MoveJson['kind']): boolean {
    return this.choices.legal.some((option) => option.move.kind === kind);
  }

  missOf(kind: MoveJson['kind']): NearMiss | undefined {
    return this.model.options.illegal.find((miss) => miss.move.kind === kind);
  }

  // --- what a person does

  /** A place was picked, or the pirate of a seat there. */
  readonly pickPlace = (place: Place, crew?: number): void => this.pick({ kind: 'place', name: place }, crew);

  readonly pickCard = (card: string): void => {
    this.model.stopReplay();
    if (this.discards.isDue) this.discards.add(card);
    else this.pick({ kind: 'card', name: card });
  };

  private pick(at: Anchor, crew?: number): void {
    this.model.stopReplay();
    const among = narrow(this.among, at.kind === 'place' ? { place: at.name, crew } : { card: at.name }, this.mover);
    const [only] = among;
    if (only && among.length < this.among.length) {
      if (among.length === 1) void this.play(only);
      else this.ask(among);
      return;
    }
    // What was asked about is picked again: nothing is meant any more.
    if (this.among.length > 0 && at.kind === this.asked.kind && at.name === this.asked.name) return this.letGo();
    if (!this.choosing) return this.refuse(this.idleWords, at);
    const choose = at.kind === 'place' ? pickPlace : pickCard;
    this.picked(choose(this.selection, at.name, this.choices), at);
  }

  private picked(outcome: Picked, at: Anchor): void {
    const wasPicked = this.isPicked;
    this.clear();
    this.selection = outcome.selection;
    this.asked = at;
    this.ask(outcome.among ?? []);
    if (outcome.play) void this.play(outcome.play);
    else if (outcome.refused) this.refuse(refusedWords(this.family, outcome.refused, this.mover), at);
    else if (this.isPicked) {
      sound('lift');
      if (this.among.length === 0) this.tellTargets(); // else it is asked which one is meant
    } else if (wasPicked) this.model.tellTurn();
  }

  /** Say how many targets there are for what is picked, and where. */
  private tellTargets(): void {
    const open = openMoves(this.selection, this.choices.legal);
    const places = [...new Set(open.flatMap(({ to }) => to ?? []))];
    this.model.announcement = t('mark.targets', { n: places.length, places: places.map(placeName).join(', ') });
  }

  /** Ask which of several moves is meant: the pirates, or the cards of the hand, are the answers. */
  private ask(among: readonly Option[]): void {
    this.among = among;
    if (among.length === 0) return;
    const words = among.map((option) => optionWords(this.family, option));
    this.model.announcement = [this.question, ...words].join(' ');
  }

  /** What is asked about the last pick; empty where nothing is. */
  get question(): string {
    if (this.among.length === 0) return '';
    const pirates = new Set(this.among.map((option) => `${option.move.from} ${crewOf(option, this.mover)}`));
    return t(pirates.size > 1 ? 'chooser.pirate' : 'chooser.card');
  }

  /** Why there is nothing to choose; empty while a move is on its way. */
  private get idleWords(): string {
    if (this.model.outcome) return t('reason.game-is-over');
    if (this.model.viewer === 0) return t('answer.watching');
    return this.model.options.legal.length > 0 ? '' : t('code.not-your-turn');
  }

  /** Let go of what was picked, and say what there is to do. */
  readonly letGo = (): void => {
    const wasPicked = this.isPicked;
    this.clear();
    if (wasPicked) this.model.tellTurn();
  };

  readonly clear = (): void => {
    this.selection = NOTHING;
    this.among = [];
    this.model.pointed = undefined;
    this.answer = undefined;
    this.discards.clear();
  };

  readonly play = (option: Option): Promise<void> => {
    this.clear();
    this.hintMove = undefined;
    this.advice = [];
    return this.model.carryOut(option);
  };

  readonly playKind = (kind: MoveJson['kind']): void => {
    this.model.stopReplay();
    if (kind === 'end' && this.discards.isDue) return this.discards.confirm();
    const option = this.choices.legal.find((item) => item.move.kind === kind);
    const miss = this.choices.illegal.find((item) => item.move.kind === kind);
    if (option) void this.play(option);
    else this.refuse(miss ? missWords(this.family, miss, this.mover) : this.idleWords, { kind: 'action', name: kind });
  };

  /** Take back the card laid aside last, else the last action. */
  readonly takeBack = (undo: () => void): void => {
    if (this.discards.aside.length > 0) this.discards.takeBack();
    else if (this.model.undo.possible) undo();
    else this.refuse(undoWords(this.model.undo), { kind: 'action', name: 'undo' });
  };

  /** Say why something does nothing, at the place where it was tried. */
  refuse(words: string, at: Anchor = WHOLE): void {
    if (!words) return;
    this.discards.reset();
    this.answer = { words, at };
    this.model.announcement = words;
    sound('refuse');
  }
}
