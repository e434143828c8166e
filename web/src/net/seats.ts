/** The seats that this browser holds. Tokens are stored here and sent to the server only. */
import { loadList, save } from '../app/settings.svelte.ts';

/** A table in one line. */
export interface Summary {
  /** Names of the other players; empty at a table of one device only. */
  readonly others: readonly string[];
  readonly state: 'waiting' | 'turn' | 'theirs' | 'won' | 'lost' | 'draw';
  /** Whose turn it is, or who won. */
  readonly name: string;
}

export interface KeptSeat {
  readonly table: string;
  readonly token: string;
  readonly rules: string;
  readonly name: string;
  readonly at: number;
  /** Unused invitations by chair. */
  readonly invites?: Readonly<Record<string, string>>;
  readonly over?: boolean;
  /** Whether the server knows the table or the seat no longer. */
  readonly gone?: boolean;
  /** The table of its rematch. */
  readonly next?: string;
  /** The table as it was seen last. */
  readonly summary?: Summary;
}

const KEY = 'cartagena.seats';
/** How many seats are kept whose games are over, and how many in all. */
const MOST_OVER = 40;
const MOST = 400;

export function keptSeats(): KeptSeat[] {
  return loadList<KeptSeat>(KEY, { table: 'string', token: 'string', rules: 'string', at: 'number' }).sort(
    (a, b) => b.at - a.at,
  );
}

export function keptSeat(table: string): KeptSeat | undefined {
  return keptSeats().find((seat) => seat.table === table);
}

/** The rematch of a game at which this browser has not taken its seat yet. */
export const openRematch = ({ next }: KeptSeat): string | undefined =>
  next !== undefined && !keptSeat(next) ? next : undefined;

export const isOpen = ({ over, gone }: KeptSeat): boolean => !over && !gone;

/** Keep a seat. The token is the only way to a game, so games that go on are dropped last. */
export function keepSeat(seat: KeptSeat): void {
  const seats = [seat, ...keptSeats().filter((other) => other.table !== seat.table)];
  const ended = seats.filter((kept) => !isOpen(kept)).slice(MOST_OVER);
  save(KEY, seats.filter((kept) => !ended.includes(kept)).slice(0, MOST));
}

export function changeSeat(table: string, changes: Partial<KeptSeat>): void {
  const seat = keptSeat(table);
  if (seat) keepSeat({ ...seat, ...changes });
}

export function forgetSeat(table: string): void {
  save(
    KEY,
    keptSeats().filter((seat) => seat.table !== table),
  );
}
