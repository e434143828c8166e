/** Whether a promise was kept: after the game this browser checks the deal without trusting the server. */
import { sha256 } from '../engine/sha256.ts';
import { keptPromise } from './promise.ts';
import type { Snapshot, Update } from './wire.ts';

/** `open`: the game is not over; `unseen`: this browser kept nothing before the deal. */
export type Verdict = 'open' | 'unseen' | 'kept' | 'broken';

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
