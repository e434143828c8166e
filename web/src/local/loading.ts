/** Reading saved games: the only place that knows the forms in which this and older versions store a table. */
import type { Engine } from '../engine/index.ts';
import { Refused } from '../net/api.ts';
import type { StoredTable } from './events.ts';
import { LocalTable } from './table.ts';

/** The table that a saved game leads to. Raises Refused where it cannot be read; nothing is changed then. */
export function replay(engine: Engine, stored: StoredTable): LocalTable {
  try {
    if (stored.form !== 1) throw new Refused('local-newer', 'A newer version of this page has saved the game.');
    const table = new LocalTable(engine, stored.id, stored.created, stored.setup, stored.secret);
    for (const event of stored.events) table.apply(event);
    if (!table.position) throw new Error('a table without a deal');
    return table;
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('local-damaged', 'This saved game is damaged.');
  }
}
