/**
 * Clocks: none, a time for each turn, or a bank with increment. They only add up what events tell. In form 2 each seat's time
 * is added up over the whole turn; in form 1, which older tables have, it starts anew whenever another seat must choose.
 */
import type { Snapshot } from '../net/wire.ts';

/** The clocks of a table in this browser; those of tables by post are the server's. */
type Chosen = Snapshot['setup']['clock'];
type ClockSetup = Exclude<NonNullable<Chosen>, { kind: 'post' }>;

/** The clock that was chosen, where this browser can run it. */
export const clockHere = (clock: Chosen): ClockSetup => (clock && clock.kind !== 'post' ? clock : { kind: 'none' });

/** The first milliseconds of each turn are not charged. */
const GRACE = 1000;

export class Clocks {
  private banks: number[] = [];
  private chooser = 0;
  /** What each seat has used in this turn; index 0 stands for no chooser. */
  private stints: number[] = [];

  constructor(private readonly setup: ClockSetup) {}

  get runs(): boolean {
    return this.setup.kind !== 'none' && this.chooser > 0;
  }

  start(seats: number, chooser: number): void {
    const whole = this.setup.kind === 'none' ? 0 : this.setup.seconds * 1000;
    this.banks = Array<number>(seats).fill(whole);
    [this.chooser, this.stints] = [chooser, []];
  }

  spend(milliseconds: number): void {
    this.stints[this.chooser] = this.used(this.chooser) + milliseconds;
  }

  /** Pass the clock to the next chooser, or stop it with 0. A frozen seat gets no increment. */
  passTo(chooser: number, turnOver: boolean, frozen = false): void {
    if (chooser === this.chooser && !turnOver) return;
    if (turnOver || (this.setup.kind !== 'none' && this.setup.form !== 2)) {
      const bonus = turnOver && !frozen && this.setup.kind === 'bank' ? (this.setup.increment ?? 0) * 1000 : 0;
      if (this.setup.kind === 'bank') this.banks = this.banks.map((bank, at) => this.charged(bank, at + 1));
      if (this.chooser) this.banks[this.chooser - 1] = (this.banks[this.chooser - 1] ?? 0) + bonus;
      this.stints = [];
    }
    this.chooser = chooser;
  }

  private used(seat: number): number {
    return this.stints[seat] ?? 0;
  }

  /** What is left of a bank after the time that its seat has used beyond the grace. */
  private charged(bank: number, seat: number, thinking = 0): number {
    return Math.max(0, bank - Math.max(0, this.used(seat) + thinking - GRACE));
  }

  /** The time until the chooser's is up, grace included. */
  allowance(thinking: number): number {
    return (this.banks[this.chooser - 1] ?? 0) + GRACE - this.used(this.chooser) - thinking;
  }

  /** Whether a seat has no time to play on. */
  isUp(seat: number): boolean {
    if (!this.runs || (this.setup.kind === 'turn' && seat !== this.chooser)) return false;
    return this.left(seat, 0) === 0;
  }

  /** The time left to a seat when the chooser has been thinking for so long since the last event. */
  left(seat: number, thinking: number): number | null {
    if (this.setup.kind === 'none' || this.banks.length === 0) return null;
    return this.charged(this.banks[seat - 1] ?? 0, seat, seat === this.chooser ? thinking : 0);
  }
}
