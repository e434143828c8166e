/** What a page was told about a table while it looked on: with it the deal is checked when the game is over. */
import type { PositionJson, TableEvent, Update } from '../net/wire.ts';

/** A position that was shown when the table had so many events. */
export interface Shown {
  readonly seq: number;
  readonly position: PositionJson;
}

export class Told {
  private known: TableEvent[] = [];
  private readonly positions: Shown[] = [];

  /** Note an update; a `whole` one tells all events anew. What was shown before stays shown. */
  see(update: Update, whole: boolean): void {
    if (whole) this.known = [...update.events];
    else this.known.push(...update.events);
    const { seq, position } = update;
    if (position) this.positions.push({ seq, position });
  }

  /** The events in their order. */
  get events(): readonly TableEvent[] {
    return this.known;
  }

  /** All positions in the order of their events. */
  get shown(): readonly Shown[] {
    return [...this.positions].sort((one, other) => one.seq - other.seq);
  }
}
