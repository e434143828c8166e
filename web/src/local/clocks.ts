/** Clocks: none, a time for each turn, or a bank with increment. They only add up what events tell. */
import type { Snapshot } from '../net/wire.ts';

type ClockSetup = NonNullable<Snapshot['setup']['clock']>;

/** The first milliseconds of each turn are not charged. */
const GRACE = 1000;

export class Clocks {
  private banks: number[] = [];
  private chooser = 0;
  /** What the chooser has used in this turn. */
  private stint = 0;

  constructor(private readonly setup: ClockSetup) {}

  get runs(): boolean {
    return this.setup.kind !== 'none' && this.chooser > 0;
  }

  start(seats: number, chooser: number): void {
    const whole = this.setup.kind === 'none' ? 0 : this.setup.seconds * 1000;
    this.banks = Array<number>(seats).fill(whole);
    [this.chooser, this.stint] = [chooser, 0];
  }

  spend(milliseconds: number): void {
    this.stint += milliseconds;
  }

  /** Charge the chooser and pass the clock to the next one; 0 stops it. A frozen seat gets no increment. */
  passTo(chooser: number, turnOver: boolean, frozen = false): void {
    if (chooser === this.chooser && !turnOver) return;
    if (this.setup.kind === 'bank' && this.chooser) {
      const bonus = turnOver && !frozen ? (this.setup.increment ?? 0) * 1000 : 0;
      const bank = this.banks[this.chooser - 1] ?? 0;
      this.banks[this.chooser - 1] = Math.max(0, bank - Math.max(0, this.stint - GRACE)) + bonus;
    }
    [this.chooser, this.stint] = [chooser, 0];
  }

  /** The time until the chooser's is up, grace included. */
  allowance(thinking: number): number {
    return (this.banks[this.chooser - 1] ?? 0) + GRACE - this.stint - thinking;
  }

  /** Whether a seat has no time to play on. */
  isUp(seat: number): boolean {
    if (!this.runs || (this.setup.kind === 'turn' && seat !== this.chooser)) return false;
    return this.left(seat, 0) === 0;
  }

  /** The time left to a seat when the chooser has been thinking for so long since the last event. */
  left(seat: number, thinking: number): number | null {
    if (this.setup.kind === 'none' || this.banks.length === 0) return null;
    const used = seat === this.chooser ? Math.max(0, this.stint + thinking - GRACE) : 0;
    return Math.max(0, (this.banks[seat - 1] ?? 0) - used);
  }
}
