/** The seats that this browser holds. Tokens are stored here and sent to the server only. */
import { loadList, save } from '../app/settings.svelte.ts';
import type { CreateTable } from './wire.ts';

/** A table in one line. */
export interface Summary {
  /** Names of the other players; empty at a table of one device only. */
  readonly others: readonly string[];
  readonly state: 'waiting' | 'turn' | 'theirs' | 'won' | 'lost' | 'draw';
  /** Whose turn it is, or who won. */
  readonly name: string;
  /** By post: until when, in milliseconds since 1970. */
  readonly due?: number;
}

export interface KeptSeat {
  readonly table: string;
  readonly token: string;
  readonly rules: string;
  /** The title of rules of one's own. */
  readonly title?: string;
  readonly name: string;
  readonly at: number;
  /** Unused invitations by chair. */
  readonly invites?: Readonly<Record<string, string>>;
  readonly over?: boolean;
  /** Whether the server knows the table or the seat no longer. */
  readonly gone?: boolean;
  /** The token that replaces this one as soon as the server has answered. */
  readonly renewing?: string | undefined;
  /** The table of its rematch. */
  readonly next?: string;
  /** The number of the last event that was shown. */
  readonly seen?: number;
  /** The table as it was seen last. */
  readonly summary?: Summary;
}

/** What a set-up calls its rules: their name, and the title or name of one's own. */
export function rulesOf(setup: Pick<CreateTable, 'rules' | 'variant'>): { rules: string; title?: string } {
  const title = ownTitle(setup.variant);
  return { rules: setup.rules ?? '', ...(title ? { title } : {}) };
}

/** The title, or else the name, of rules of one's own; empty where they have none. */
export function ownTitle(variant: Readonly<Record<string, unknown>> | null | undefined): string {
  const { title, name } = variant ?? {};
  return typeof title === 'string' && title ? title : typeof name === 'string' ? name : '';
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

/** Games by post where it is the turn of this browser's person, the most urgent first. */
export const dueSeats = (seats: readonly KeptSeat[] = keptSeats()): KeptSeat[] =>
  seats
    .filter((seat) => isOpen(seat) && seat.summary?.state === 'turn' && seat.summary.due !== undefined)
    .sort((a, b) => (a.summary?.due ?? 0) - (b.summary?.due ?? 0));

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

/** Replace a token that the server refuses from now on, at all tables. */
export function replaceToken(old: string, token: string): void {
  for (const { table } of keptSeats().filter((seat) => seat.token === old)) {
    changeSeat(table, { token, renewing: undefined });
  }
}

/** Take over the token that has replaced a refused one: in another window, or where its confirmation was lost. Returns whether there is one. */
export function finishRenewal(table: string, refused: string | undefined): boolean {
  const { token, renewing } = keptSeat(table) ?? {};
  if (!token || !refused) return false;
  if (token !== refused) return true;
  if (!renewing) return false;
  replaceToken(token, renewing);
  return true;
}

export function forgetSeat(table: string): void {
  save(
    KEY,
    keptSeats().filter((seat) => seat.table !== table),
  );
}
