/**
 * The promise of the deal, as this browser saw it. Before the deal it keeps the commitment and adds randomness of its
 * own; after the game it checks both without trusting the server.
 */
import { loadList, save } from '../app/settings.svelte.ts';
import { api, newWord } from './api.ts';
import { sha256 } from '../engine/sha256.ts';
import type { Snapshot, Update } from './wire.ts';

interface Kept {
  readonly table: string;
  readonly commitment: string;
  readonly salt: string;
}

/** `open`: the game is not over; `unseen`: this browser kept nothing before the deal. */
export type Verdict = 'open' | 'unseen' | 'kept' | 'broken';

const KEY = 'cartagena.promises';
const MOST = 40;

const all = (): Kept[] => loadList<Kept>(KEY, { table: 'string', commitment: 'string', salt: 'string' });

const keptPromise = (table: string): Kept | undefined => all().find((kept) => kept.table === table);

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

/** What the commitment binds besides the secret; `Terms` of the server's fair deal. */
function terms(table: string, setup: Snapshot['setup'], rules: string): string {
  const sizes = [`pirates=${setup.pirates ?? '-'}`, `pieces=${setup.pieces ?? '-'}`, `deal=${setup.deal ?? '-'}`].join(
    ' ',
  );
  return `table=${table} rules=${rules} seats=${setup.seats.length} style=${setup.style} ${sizes} lots=${setup.lots ? 'yes' : 'no'}`;
}

/** The hash of the secret and of what the deal follows from, which is shown before the deal. */
export const commitmentOf = (secret: string, table: string, setup: Snapshot['setup'], rules: string): string =>
  sha256(`cartagena-promise:${secret}:${terms(table, setup, rules)}`);

/** Whether the deal of a finished game is the promised one. */
export function verdict(update: Update, setup: Snapshot['setup']): Verdict {
  const { fair, table, position } = update;
  const kept = keptPromise(table);
  if (update.stage !== 'over' || !fair.secret || !position) return 'open';
  if (!kept) return 'unseen';
  const promised = commitmentOf(fair.secret, table, setup, position.rules);
  const salted = fair.salts?.includes(kept.salt) ?? false;
  return fair.commitment === kept.commitment && promised === kept.commitment && salted ? 'kept' : 'broken';
}
