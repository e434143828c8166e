/** The log in turns: the moves of one turn together, everything else by itself. */
import type { TableEvent } from '../net/wire.ts';

export interface LoggedTurn {
  readonly key: number;
  /** The seat whose turn it was; nothing for a line that is no move. */
  readonly seat: number | undefined;
  readonly number: number | undefined;
  readonly events: readonly TableEvent[];
}

export function turnsOf(log: readonly TableEvent[]): LoggedTurn[] {
  const turns: LoggedTurn[] = [];
  for (const event of log) {
    const last = turns.at(-1);
    const number = event.type === 'move' ? (event.turn ?? 0) : undefined;
    if (last && number !== undefined && last.number === number)
      turns[turns.length - 1] = { ...last, events: [...last.events, event] };
    else
      turns.push({
        key: event.seq,
        seat: number === undefined ? undefined : (event.seat ?? undefined),
        number,
        events: [event],
      });
  }
  return turns;
}
