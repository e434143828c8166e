/** A record shown step by step. */
import { pirateName } from '../app/piratenames.ts';
import { pause as pauseOf } from '../app/settings.svelte.ts';
import type { Mark, Trail } from '../board/marks.ts';
import { positionOf, type Position } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { SeatJson, StudyRecord } from '../net/wire.ts';
import { Modes } from '../session/modes.svelte.ts';
import { personAt } from '../session/scene.ts';
import { capital, colourName, moveWords } from '../table/words.ts';

export class Replay extends Modes {
  at = $state(0);
  text = $state('');
  /** The reader's own seat; 0 where there is none, or several. */
  you = $state(0);
  private record: StudyRecord | undefined = $state.raw();

  open(text: string, record: StudyRecord): void {
    this.pause();
    this.text = text;
    this.record = record;
    this.at = 0;
    this.you = 0;
  }

  get length(): number {
    return this.record?.steps.length ?? 0;
  }

  get steps(): StudyRecord['steps'] {
    return this.record?.steps ?? [];
  }

  get tags(): Readonly<Record<string, string>> {
    return this.record?.tags ?? {};
  }

  get proof(): StudyRecord['proof'] {
    return this.record?.proof ?? { state: 'none', message: '' };
  }

  /** Whether step follows step by itself. */
  get playing(): boolean {
    return this.is('replaying');
  }

  private get shown() {
    return this.record?.steps[this.at - 1];
  }

  get position(): Position | undefined {
    const json = (this.shown ?? this.record?.opening)?.position;
    return json && positionOf(json);
  }

  /** The position in notation, for links. */
  get link(): string {
    return (this.shown ?? this.record?.opening)?.text ?? '';
  }

  /** The position after a step in notation; step 0 is the opening. */
  textAt(step: number): string {
    return (this.record?.steps[step - 1] ?? this.record?.opening)?.text ?? '';
  }

  get seats(): SeatJson[] {
    return (this.position?.hands ?? []).map((_, index) => ({
      ...personAt(index + 1),
      ...(this.levelOf(index + 1) ? { kind: 'computer' } : {}),
      name: this.nameOf(index + 1),
      level: this.levelOf(index + 1) ?? null,
    }));
  }

  get words(): string {
    const step = this.shown;
    if (!step) return t('replay.opening');
    const name = this.nameOf(step.seat) || colourName(step.seat);
    return capital(moveWords(this.position?.family ?? 'tunnel', step.move, step.to ?? '', name, step.draws));
  }

  /** The name of a seat, or its colour. */
  nameOrColour(seat: number): string {
    return capital(this.nameOf(seat) || colourName(seat));
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
    const step = this.shown;
    const places = step ? [step.move.from, step.to] : [];
    return places.flatMap((place) => (place ? [{ place, kind: 'last' as const, label: '' }] : []));
  }

  get trails(): Trail[] {
    const { move, to, seat, drawn } = this.shown ?? {};
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
    return this.shown?.turn ?? 1;
  }

  /** Show the record after so many steps; a number from a link may be any. */
  go(to: number): void {
    this.at = Math.max(0, Math.min(this.length, Math.trunc(to) || 0));
    if (this.at === this.length) this.pause();
  }

  step(by: number): void {
    this.go(this.at + by);
  }

  goToTurn(turn: number): void {
    const at = this.record?.steps.findIndex((step) => step.turn === turn) ?? -1;
    if (at >= 0) this.go(at + 1);
  }

  async toggle(): Promise<void> {
    if (this.playing) return this.pause();
    if (this.at === this.length) this.at = 0;
    const mine = this.enter({ name: 'replaying' });
    while (await this.wait(mine, Math.max(400, pauseOf()))) this.step(1);
  }

  pause(): void {
    if (this.playing) this.enter({ name: 'idle' });
  }
}
