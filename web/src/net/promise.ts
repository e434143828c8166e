/** The promise of the deal, as this browser saw it: before the deal it keeps the commitment and adds randomness of its own. */
import { loadList, save } from '../app/settings.svelte.ts';
import { api, newWord } from './api.ts';
import type { Update } from './wire.ts';

export interface Kept {
  readonly table: string;
  readonly commitment: string;
  readonly salt: string;
  /** Whether the server has taken the randomness. */
  readonly added?: boolean;
  /** The chairs of this browser, as it saw them before it added anything. */
  readonly chairs?: readonly number[];
  /** The chairs of computers at the deal. */
  readonly computers?: readonly number[];
}

const KEY = 'cartagena.promises';
const MOST = 40;

const all = (): Kept[] => loadList<Kept>(KEY, { table: 'string', commitment: 'string', salt: 'string' });

export const keptPromise = (table: string): Kept | undefined => all().find((kept) => kept.table === table);

function keep(kept: Kept): void {
  save(KEY, [kept, ...all().filter((other) => other.table !== kept.table)].slice(0, MOST));
}

/** Keep the commitment seen first, and return the randomness that belongs to it. */
export function keepPromise(table: string, commitment: string): string {
  const kept = keptPromise(table) ?? { table, commitment, salt: newWord() };
  keep(kept);
  return kept.salt;
}

/** Keep more about a table whose promise is kept. */
export function keepMore(table: string, more: Omit<Partial<Kept>, 'table'>): void {
  const kept = keptPromise(table);
  if (kept) keep({ ...kept, ...more });
}

/** The chair of each seat: before the deal no lots are drawn. */
export const chairsOf = ({ fair }: Update, seats: readonly number[]): number[] =>
  seats.map((seat) => fair.lots?.[seat - 1] ?? seat);

/** The chairs of computers. */
export const computersAt = (update: Update): number[] =>
  chairsOf(
    update,
    update.seats.flatMap(({ kind, seat }) => (kind === 'computer' ? [seat] : [])),
  ).sort((one, other) => one - other);

/**
 * Keep where this browser sits, and from the deal on which chairs are computers'. A person may take more chairs before the
 * deal but leaves none, so none is forgotten; what was seen at the deal stays.
 */
export function noteChairs(update: Update): void {
  const kept = keptPromise(update.table);
  const { stage, you } = update;
  if (!kept || you.seats.length === 0) return;
  const own = chairsOf(update, you.seats);
  const chairs = kept.chairs && stage !== 'waiting' ? kept.chairs : [...new Set([...(kept.chairs ?? []), ...own])];
  const computers = kept.computers ?? (stage === 'playing' ? computersAt(update) : undefined);
  if (chairs.length === kept.chairs?.length && computers === kept.computers) return;
  keep({ ...kept, chairs, ...(computers ? { computers } : {}) });
}

/** Add this browser's randomness to a deal that waits for it. */
export async function addSalt(table: string, token: string, seen: Update): Promise<void> {
  const mine = seen.seats.filter((seat) => seen.you.seats.includes(seat.seat));
  if (seen.stage !== 'waiting' || !mine.some((seat) => seat.taken && !seat.salted)) return;
  const salt = keepPromise(table, seen.fair.commitment);
  noteChairs(seen);
  await api.salt(table, token, salt).then(
    () => keepMore(table, { added: true }),
    () => undefined,
  );
}
