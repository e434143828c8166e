/** A record shown step by step. */
import { pirateName } from '../app/piratenames.ts';
import type { Mark, Trail } from '../board/marks.ts';
import { positionOf, type Position } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import { rulesName } from '../i18n/names.ts';
import type { ReadRecord } from '../local/study.ts';
import { ownTitle } from '../net/seats.ts';
import type { SeatJson } from '../net/wire.ts';
import { Playback } from '../session/playback.svelte.ts';
import { personAt } from '../session/scene.ts';
import { capital, crewName, moveWords } from '../table/words.ts';

/** How long each step is shown at least while step follows step, in milliseconds. */
const READABLE = 400;

export class Replay extends Playback {
  text = $state('');
  /** The reader's own seat; 0 where there is none, or several. */
  you = $state(0);
  private record: ReadRecord | undefined = $state.raw();

  open(text: string, record: ReadRecord): void {
    this.text = text;
    this.record = record;
    this.you = 0;
    const { position } = record.steps.at(-1) ?? record.opening;
    this.set({
      key: text,
      position: positionOf(position),
      options: null,
      undo: { possible: false, reason: 'not-seated', message: null },
      seats: position.hands.map((_, index) => this.seatAt(index + 1)),
      events: record.steps.map((step, index) => ({ seq: index + 1, at: 0, type: 'move', ...step })),
      viewer: 0,
      actions: position.turn.actions,
      outcome: null,
    });
    this.lookAt(0);
  }

  protected override past(count: number): Position | undefined {
    const json = (this.record?.steps[count - 1] ?? this.record?.opening)?.position;
    return json && positionOf(json);
  }

  // What a step means is told by `words`; nothing is picked from a record.
  protected shown(): void {}
  protected ended(): void {}
  protected arrived(): void {}
  protected changed(): void {}

  get length(): number {
    return this.record?.steps.length ?? 0;
  }

  get steps(): ReadRecord['steps'] {
    return this.record?.steps ?? [];
  }

  get tags(): Readonly<Record<string, string>> {
    return this.record?.tags ?? {};
  }

  /** Whether the game has rules of its own: analysis board, puzzles and links to positions do not know them. */
  get isOwn(): boolean {
    return 'Variant' in this.tags;
  }

  /** The rules for people: the title of one's own, or the name of the game and its edition. */
  get rulesTitle(): string {
    const tag = this.tags['Variant'];
    const own = tag ? ownTitle(JSON.parse(tag) as Record<string, unknown>) : '';
    return own || rulesName(this.tags['Rules'] ?? '');
  }

  get proof(): ReadRecord['proof'] {
    return this.record?.proof ?? { state: 'none', message: '' };
  }

  /** Whether step follows step by itself. */
  get playing(): boolean {
    return this.is('replaying');
  }

  private get last() {
    return this.record?.steps[this.at - 1];
  }

  /** The position after a step in notation, by default the one that is shown; step 0 is the opening. */
  textAt(step = this.at): string {
    return (this.record?.steps[step - 1] ?? this.record?.opening)?.text ?? '';
  }

  private seatAt(seat: number): SeatJson {
    const level = this.levelOf(seat) ?? null;
    return {
      ...personAt(seat),
      name: this.nameOf(seat) || crewName(seat),
      level,
      ...(level ? { kind: 'computer' } : {}),
    };
  }

  get words(): string {
    const step = this.last;
    if (!step) return t('replay.opening');
    const name = this.nameOrColour(step.seat);
    return capital(moveWords(this.position?.family ?? 'tunnel', step.move, step.to ?? '', name, step.draws));
  }

  /** The name of a seat, or its colour. */
  nameOrColour(seat: number): string {
    return capital(this.nameOf(seat) || crewName(seat));
  }

  private levelOf(seat: number): string | undefined {
    return this.tags[`Level${seat}`];
  }

  /** The name in the record. A computer without one has its level there, and is called as at its table. */
  private nameOf(seat: number): string {
    const [name = '', table = ''] = [this.tags[`Seat${seat}`], this.tags['Table']];
    return name && name === this.levelOf(seat) ? pirateName(table, seat) : name;
  }

  get marks(): Mark[] {
    const step = this.last;
    const places = step ? [step.move.from, step.to] : [];
    return places.flatMap((place) => (place ? [{ place, kind: 'last' as const, label: '' }] : []));
  }

  get trails(): Trail[] {
    const { move, to, seat, drawn } = this.last ?? {};
    return move?.from && to
      ? [{ from: move.from, to, kind: 'last', seat, played: move.card ?? undefined, drawn: drawn ?? [] }]
      : [];
  }

  /** The card played last, which lies on top of the discard pile. */
  get discarded(): string | undefined {
    return this.record?.steps.slice(0, this.at).findLast((step) => step.move.card)?.move.card ?? undefined;
  }

  get turns(): number[] {
    return [...new Set(this.record?.steps.map((step) => step.turn) ?? [])];
  }

  get turn(): number {
    return this.last?.turn ?? 1;
  }

  step(by: number): void {
    this.lookAt(this.at + by);
  }

  goToTurn(turn: number): void {
    const at = this.record?.steps.findIndex((step) => step.turn === turn) ?? -1;
    if (at >= 0) this.lookAt(at + 1);
  }

  async toggle(): Promise<void> {
    if (this.playing) return this.pause();
    if (await this.replayFrom(this.at === this.length ? 0 : this.at, READABLE)) this.pause();
  }

  pause(): void {
    if (this.playing) this.lookAt(this.at);
  }
}
