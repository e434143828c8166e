/** What a person has picked at a table, what can be picked, and what a pick does. */
import { sound } from '../app/sound.ts';
import type { Mark, Trail } from '../board/marks.ts';
import type { Place } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { MoveJson, NearMiss, Option } from '../net/wire.ts';
import { NO_OPTIONS, type Playback } from '../session/playback.svelte.ts';
import { trailOf } from '../session/recent.ts';
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
import { marksFor, trailsFor } from './show.ts';
import { missWords, optionWords } from './words.ts';

/** The table that is picked from. */
interface Table extends Playback {
  announcement: string;
  carryOut(option: Option): Promise<void>;
}

export class Picks {
  selection: Selection = $state.raw(NOTHING);
  among: readonly Option[] = $state.raw([]);
  /** Where the several possible moves were picked. */
  asked: Anchor = $state.raw(WHOLE);
  /** Why the last pick did nothing, said where it was made. */
  answer: Answer | undefined = $state.raw();
  hintMove: Option | undefined = $state.raw();

  constructor(private readonly model: Table) {}

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

  get marks(): Mark[] {
    const marks = marksFor(this.among.length > 0 ? NOTHING : this.selection, this.offered, {
      option: (option) => optionWords(this.family, option),
      miss: (miss) => missWords(this.family, miss, this.mover),
      pick: t('mark.pick'),
      chosen: t('mark.chosen'),
    });
    if (this.among.length > 0 && this.asked.kind === 'place')
      marks.push({ place: this.asked.name, kind: 'target', label: t('chooser.title') });
    const { hintMove: hint } = this;
    const { lit } = this.model;
    for (const place of [hint?.move.from, hint?.to]) {
      if (place) marks.push({ place, kind: 'hint', label: t('mark.hint') });
    }
    for (const place of [lit?.move?.from, lit?.to]) {
      if (place) marks.push({ place, kind: 'last', label: '' });
    }
    return marks;
  }

  get trails(): Trail[] {
    const { lit, looking, recent, row } = this.model;
    const past = lit ? [lit] : looking === undefined ? recent : [];
    const trails = past.flatMap((event) => trailOf(event, row) ?? []);
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
    this.choices.legal.find((option) => option.move.from === place)?.move.seat ?? this.model.position?.turn.seat;

  can(kind: MoveJson['kind']): boolean {
    return this.choices.legal.some((option) => option.move.kind === kind);
  }

  missOf(kind: MoveJson['kind']): NearMiss | undefined {
    return this.model.options.illegal.find((miss) => miss.move.kind === kind);
  }

  // --- what a person does

  readonly pickPlace = (place: Place): void => this.pick({ kind: 'place', name: place });

  readonly pickCard = (card: string): void => this.pick({ kind: 'card', name: card });

  private pick(at: Anchor): void {
    this.model.stopReplay();
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

  private picked(outcome: Picked, at: Anchor): void {
    this.clear();
    this.selection = outcome.selection;
    this.among = outcome.among ?? [];
    this.asked = at;
    if (outcome.play) void this.play(outcome.play);
    else if (outcome.refused) this.refuse(refusedWords(this.family, outcome.refused, this.mover), at);
    else if (outcome.selection.kind !== 'none') sound('lift');
  }

  /** Why there is nothing to choose; empty while a move is on its way. */
  private get idleWords(): string {
    if (this.model.outcome) return t('reason.game-is-over');
    if (this.model.viewer === 0) return t('answer.watching');
    return this.model.options.legal.length > 0 ? '' : t('code.not-your-turn');
  }

  readonly clear = (): void => {
    this.selection = NOTHING;
    this.among = [];
    this.model.lit = undefined;
    this.answer = undefined;
  };

  readonly play = (option: Option): Promise<void> => {
    this.clear();
    this.hintMove = undefined;
    return this.model.carryOut(option);
  };

  readonly playKind = (kind: MoveJson['kind']): void => {
    this.model.stopReplay();
    const option = this.choices.legal.find((item) => item.move.kind === kind);
    const miss = this.choices.illegal.find((item) => item.move.kind === kind);
    if (option) void this.play(option);
    else this.refuse(miss ? missWords(this.family, miss, this.mover) : this.idleWords, { kind: 'action', name: kind });
  };

  /** Say why something does nothing, at the place where it was tried. */
  refuse(words: string, at: Anchor = WHOLE): void {
    if (!words) return;
    this.answer = { words, at };
    this.model.announcement = words;
    sound('refuse');
  }
}
