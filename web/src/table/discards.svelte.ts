/** Cards that a freebooter costs: chosen one by one, seen, taken back, and discarded together once that is confirmed. */
import { sound } from '../app/sound.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { Option } from '../net/wire.ts';
import type { Playback } from '../session/playback.svelte.ts';

/** The table whose hand is cut. */
interface Table extends Playback {
  announcement: string;
  carryOut(option: Option): Promise<void>;
}

export class Discards {
  /** The cards chosen that are still to be sent, in their order. */
  private chosen: readonly string[] = $state.raw([]);
  /** The card on its way. */
  private sent: string | undefined = $state.raw();
  private isConfirmed = $state(false);

  constructor(private readonly table: Table) {}

  /** Whether the person at this screen must discard now. */
  get isDue(): boolean {
    return this.due > 0 && this.table.options.legal.some(({ move }) => move.kind === 'drop');
  }

  private get due(): number {
    const { position, viewer } = this.table;
    const { dropper, limit } = position?.turn ?? {};
    if (!viewer || dropper !== viewer) return 0;
    return (position?.hands[viewer - 1]?.size ?? 0) - (limit ?? 0);
  }

  /** The cards that lie aside. */
  get aside(): readonly string[] {
    const isUnderway = this.sent !== undefined && this.due > this.chosen.length;
    return isUnderway && this.sent ? [this.sent, ...this.chosen] : this.chosen;
  }

  /** How many cards are still to be chosen. */
  get left(): number {
    return this.due - this.aside.length;
  }

  private get isOpen(): boolean {
    return this.isDue && !this.isConfirmed && this.table.is('idle');
  }

  /** Lay a card aside; one beyond what is due stays in the hand. */
  add(card: string): void {
    // A card that the table never took is chosen again by hand.
    if (this.isConfirmed && this.table.is('idle') && this.due > this.chosen.length) this.reset();
    if (!this.isOpen) return;
    const { position, viewer } = this.table;
    const held = position?.hands[viewer - 1]?.cards.filter((each) => each === card).length ?? 0;
    const taken = this.chosen.filter((each) => each === card).length;
    if (this.left > 0 && taken < held) this.choose([...this.chosen, card]);
  }

  /** Take a card back into the hand, by default the last one. */
  takeBack(card = this.chosen.at(-1)): void {
    const at = this.chosen.findLastIndex((each) => each === card);
    if (this.isOpen && at >= 0) this.choose(this.chosen.toSpliced(at, 1));
  }

  private choose(cards: readonly string[]): void {
    this.chosen = cards;
    sound('lift');
    this.table.announcement = this.words;
  }

  /** What is to be done, in one sentence. */
  get words(): string {
    return this.left > 0 ? t('status.drop', { n: this.left }) : t('status.drop.ready', { n: this.due });
  }

  /** Forget what was chosen, unless it is confirmed. */
  clear(): void {
    if (!this.isConfirmed) this.chosen = [];
  }

  /** Discard what was chosen; where that is too little, say what is to be done. */
  confirm(): void {
    if (!this.isOpen) return;
    this.isConfirmed = this.left <= 0;
    if (this.isConfirmed) this.proceed();
    else this.table.announcement = this.words;
  }

  /** Send the next confirmed card as soon as the table has taken the one before. */
  proceed(): void {
    if (!this.isConfirmed || !this.table.is('idle')) return;
    const [card, ...rest] = this.chosen;
    const option = this.table.options.legal.find(({ move }) => move.kind === 'drop' && move.card === card);
    if (this.due === this.chosen.length && card && option) {
      this.chosen = rest;
      this.sent = card;
      void this.table.carryOut(option);
    } else if (this.due <= 0) this.reset();
  }

  /** Choose anew: nothing is due any more, or a card was refused. */
  reset(): void {
    [this.chosen, this.sent, this.isConfirmed] = [[], undefined, false];
  }
}
