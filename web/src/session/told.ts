/** What a page was told about a table while it looked on: with it the deal is checked when the game is over. */
import type { PositionJson, TableEvent, Update } from '../net/wire.ts';

/** A position that was shown when the table had so many events. */
export interface Shown {
  readonly seq: number;
  readonly position: PositionJson;
}

export class Told {
  /** The events in their order. */
  events: readonly TableEvent[] = [];
  private readonly positions: Shown[] = [];

  /** Note an update; a `whole` one tells all events anew. What was shown before stays shown. */
  see(update: Update, whole: boolean): void {
    const { seq, position, events } = update;
    this.events = whole ? events : [...this.events, ...events];
    // People talk, come and go at a table for days: that changes no position.
    const isPlayed = events.some(({ type }) => type === 'move' || type === 'undo');
    const isNew = isPlayed || JSON.stringify(position) !== JSON.stringify(this.positions.at(-1)?.position);
    if (position && isNew) this.positions.push({ seq, position });
  }

  /** All positions in the order of their events. */
  get shown(): readonly Shown[] {
    return [...this.positions].sort((one, other) => one.seq - other.seq);
  }
}
