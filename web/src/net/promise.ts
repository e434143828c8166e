/** The promise of the deal, as this browser saw it: before the deal it keeps the commitment and adds randomness of its own. */
import { loadList, save } from '../app/settings.svelte.ts';
import { api, newWord } from './api.ts';
import type { Update } from './wire.ts';

interface Kept {
  readonly table: string;
  readonly commitment: string;
  readonly salt: string;
}

const KEY = 'cartagena.promises';
const MOST = 40;

const all = (): Kept[] => loadList<Kept>(KEY, { table: 'string', commitment: 'string', salt: 'string' });

export const keptPromise = (table: string): Kept | undefined => all().find((kept) => kept.table === table);

/** Keep the commitment seen first, and return the randomness that belongs to it. */
export function keepPromise(table: string, commitment: string): string {
  const kept = keptPromise(table) ?? { table, commitment, salt: newWord() };
  save(KEY, [kept, ...all().filter((other) => other.table !== table)].slice(0, MOST));
  return kept.salt;
}

/** Add this browser's randomness to a deal that waits for it. */
export async function addSalt(table: string, token: string, seen: Update): Promise<void> {
  const mine = seen.seats.filter((seat) => seen.you.seats.includes(seat.seat));
  if (seen.stage !== 'waiting' || !mine.some((seat) => seat.taken && !seat.salted)) return;
  await api.salt(table, token, keepPromise(table, seen.fair.commitment)).catch(() => undefined);
}
