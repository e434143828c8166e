/** A table in one line: the others at it, whose turn it is, and how it ended. */
import { pirateName } from '../app/piratenames.ts';
import type { Summary } from '../net/seats.ts';
import type { SeatJson, Update } from '../net/wire.ts';

/** The seats, computers without a name with one of their own. */
export function namedSeats({ table, seats }: Pick<Update, 'table' | 'seats'>): SeatJson[] {
  return seats.map((seat) =>
    seat.kind === 'computer' && !seat.name ? { ...seat, name: pirateName(table, seat.seat) } : seat,
  );
}

/** `unnamed` names the seat of a person without a name. */
export function summaryOf(update: Update, unnamed: (seat: number) => string): Summary {
  const mine = new Set(update.you.seats);
  const seats = namedSeats(update);
  const nameOf = (seat: number): string => seats[seat - 1]?.name || unnamed(seat);
  const others = seats
    .filter((seat) => !mine.has(seat.seat) && (seat.taken || seat.name))
    .map(({ seat }) => nameOf(seat));
  const { outcome, stage, position } = update;
  if (outcome) {
    const { winner } = outcome;
    return { others, state: !winner ? 'draw' : mine.has(winner) ? 'won' : 'lost', name: winner ? nameOf(winner) : '' };
  }
  const chooser = position?.turn.chooser ?? 0;
  if (stage === 'waiting' || !chooser) return { others, state: 'waiting', name: '' };
  const due = (update.clock as { due?: number | null } | null)?.due;
  const summary = { others, state: mine.has(chooser) ? 'turn' : 'theirs', name: nameOf(chooser) } as const;
  return due ? { ...summary, due } : summary;
}
