/** The seats that this browser holds. Tokens are stored here and sent to the server only. */
import { load, save } from '../app/settings.svelte.ts';

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
  /** The table as it was seen last. */
  readonly summary?: Summary;
}

const KEY = 'cartagena.seats';
const MOST = 40;

export function keptSeats(): KeptSeat[] {
  return load<KeptSeat[]>(KEY, []).sort((a, b) => b.at - a.at);
}

export function keptSeat(table: string): KeptSeat | undefined {
  return keptSeats().find((seat) => seat.table === table);
}

export function keepSeat(seat: KeptSeat): void {
  save(KEY, [seat, ...keptSeats().filter((other) => other.table !== seat.table)].slice(0, MOST));
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
