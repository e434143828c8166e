/** Whether a promise was kept: after the game this browser checks the deal without trusting the server. */
import { commitment } from '../engine/commitment.ts';
import { keptPromise } from './promise.ts';
import type { Snapshot, Update } from './wire.ts';

/** `open`: the game is not over; `unseen`: this browser kept nothing before the deal. */
export type Verdict = 'open' | 'unseen' | 'kept' | 'broken';

/** The commitment to a table's deal, which is shown before it. */
export const commitmentOf = (secret: string, table: string, setup: Snapshot['setup'], rules: string): string =>
  commitment(secret, { ...setup, table, rules, seats: setup.seats.length, lots: setup.lots ?? false });

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
