/** Who is gone, told with patience: a person who has just come, or whose line blinks, is not called away at once. */
import type { Update } from '../net/wire.ts';

/** So long a person may be without a connection before it is said, in milliseconds. */
const PATIENCE = 5_000;

export class Presence {
  /** When each person was first seen to be gone; those who were when the table was opened: ever since. */
  private readonly since = new Map<number, number>();
  private stage: Update['stage'] | undefined;

  /** The update as it is shown at that time, and the milliseconds until it may have to be shown otherwise. */
  see(update: Update, time: number): { readonly shown: Update; readonly wait: number | undefined } {
    const first = this.stage === undefined ? -Infinity : time;
    if (update.stage !== this.stage) this.since.clear(); // the deal draws lots for the seats
    this.stage = update.stage;
    const waits: number[] = [];
    const seats = update.seats.map((seat) => {
      if (seat.online || !seat.taken) {
        this.since.delete(seat.seat);
        return seat;
      }
      const since = this.since.get(seat.seat) ?? first;
      this.since.set(seat.seat, since);
      const left = since + PATIENCE - time;
      if (left <= 0) return seat;
      waits.push(left);
      return { ...seat, online: true };
    });
    return waits.length
      ? { shown: { ...update, seats }, wait: Math.min(...waits) }
      : { shown: update, wait: undefined };
  }
}
