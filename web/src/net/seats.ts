/** The seats that this browser holds. Tokens are stored here and sent to the server only. */
import { drop, keysOf, loadItem, loadList, save } from '../app/settings.svelte.ts';
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

/** Each seat has a key of its own: windows that keep different seats change nothing of one another's. */
const BEGINNING = 'cartagena.seat.';
const SHAPE = { table: 'string', token: 'string', rules: 'string', at: 'number' } as const;
/** How many seats are kept whose games are over, and how many in all. */
const MOST_OVER = 40;
const MOST = 400;

const write = (seat: KeptSeat): void => save(BEGINNING + seat.table, seat);

export const keptSeat = (table: string): KeptSeat | undefined => loadItem<KeptSeat>(BEGINNING + table, SHAPE);

/** All seats, the latest first. This reads all that is kept about them. */
export function keptSeats(): KeptSeat[] {
  const seats = keysOf(BEGINNING).flatMap((key) => loadItem<KeptSeat>(key, SHAPE) ?? []);
  return seats.sort((a, b) => b.at - a.at);
}

/** Take over what an earlier build kept in one value. */
const EARLIER = 'cartagena.seats';
const earlier = loadList<KeptSeat>(EARLIER, SHAPE);
drop(EARLIER);
for (const seat of earlier) if (!keptSeat(seat.table)) write(seat);

/** The rematch of a game at which this browser has not taken its seat yet. */
export const openRematch = ({ next }: KeptSeat): string | undefined =>
  next !== undefined && !keptSeat(next) ? next : undefined;

export const isOpen = ({ over, gone }: KeptSeat): boolean => !over && !gone;

/** Games by post where it is the turn of this browser's person, the most urgent first. */
export const dueSeats = (seats: readonly KeptSeat[] = keptSeats()): KeptSeat[] =>
  seats
    .filter((seat) => isOpen(seat) && seat.summary?.state === 'turn' && seat.summary.due !== undefined)
    .sort((a, b) => (a.summary?.due ?? 0) - (b.summary?.due ?? 0));

/** The same of some tables, without a look at the others. */
export const dueAt = (tables: readonly string[]): KeptSeat[] =>
  dueSeats([...new Set(tables)].flatMap((table) => keptSeat(table) ?? []));

/** Keep a seat. The token is the only way to a game, so games that go on are dropped last. */
export function keepSeat(seat: KeptSeat): void {
  write(seat);
  const all = [seat, ...keptSeats().filter(({ table }) => table !== seat.table)];
  const ended = all.filter((each) => !isOpen(each)).slice(0, MOST_OVER);
  const kept = new Set([seat, ...all.filter(isOpen), ...ended].slice(0, MOST));
  for (const each of all) if (!kept.has(each)) forgetSeat(each.table);
}

/** Change what is kept about a seat, if there is one. */
export function changeSeat(table: string, changes: Partial<KeptSeat>): void {
  const seat = keptSeat(table);
  if (seat) write({ ...seat, ...changes });
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

export const forgetSeat = (table: string): void => drop(BEGINNING + table);
