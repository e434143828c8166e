/** The tables that this browser keeps, in IndexedDB. A table is stored as a whole, after each change. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { Refused } from '../net/api.ts';
import { forgetSeat, type KeptSeat } from '../net/seats.ts';
import type { StoredTable } from './events.ts';
import { HERE } from './tablenames.ts';

interface Schema extends DBSchema {
  tables: { key: string; value: StoredTable; indexes: { changed: number } };
}
type Tables = IDBPDatabase<Schema>;

const VERSION = 2;
/** How many tables are kept. Beyond that finished games go, the oldest first; games that go on always stay. */
const MOST = 5000;
/** How many finished games make room when the browser's storage is full. */
const ROOM = 20;

/** Tells the other windows of this browser which table has changed. */
const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('cartagena.tables') : undefined;

let opened: Promise<Tables> | undefined;

function database(): Promise<Tables> {
  opened ??= openTables().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function openTables(): Promise<Tables> {
  const letGo = (): void => (opened = undefined);
  let refuse: (error: Refused) => void = () => undefined;
  const blocked = new Promise<never>((_, failed) => (refuse = failed));
  const found = openDB<Schema>('cartagena', VERSION, {
    upgrade: (tables, from, _to, change) => {
      if (from < 1) tables.createObjectStore('tables', { keyPath: 'id' });
      change.objectStore('tables').createIndex('changed', 'changed');
    },
    blocked: () => refuse(new Refused('local-blocked', 'Another window keeps the saved games of an older version.')),
    // Another window wants to change the database: let go of it, and open it again when it is needed.
    blocking: (_from, _to, event) => {
      letGo();
      (event.target as IDBDatabase).close();
    },
    terminated: letGo,
  });
  try {
    return await Promise.race([found, blocked]);
  } catch (error) {
    void found.then((tables) => tables.close()).catch(() => undefined);
    throw error;
  }
}

function refusal(error: unknown, usual: string): Refused {
  if (error instanceof Refused) return error;
  const name = error instanceof DOMException ? error.name : '';
  const code = { QuotaExceededError: 'local-full', VersionError: 'local-newer' }[name] ?? usual;
  return new Refused(code, 'This browser cannot use its saved games.');
}

/** The table of a name. Raises Refused where there is none. */
export async function findTable(id: string): Promise<StoredTable> {
  const found = await database()
    .then((tables) => tables.get('tables', id))
    .catch((error: unknown) => {
      throw refusal(error, 'local-unread');
    });
  if (!found) throw new Refused('no-such-table', 'There is no such table.');
  return found;
}

/** Saved tables in the form of the seats that lists show. */
export interface Saved {
  readonly seats: readonly KeptSeat[];
  /** How many tables are saved in all. */
  readonly total: number;
}

/** The tables changed last, without those that are known. A browser that keeps nothing has none. */
export async function savedSeats(most: number, known: ReadonlySet<string>): Promise<Saved> {
  try {
    const { store, done } = (await database()).transaction('tables');
    const counted = store.index('changed').count();
    const ids: string[] = [];
    let cursor = await store.index('changed').openKeyCursor(null, 'prev');
    for (; cursor && ids.length < most; cursor = await cursor.continue())
      if (!known.has(cursor.primaryKey)) ids.push(cursor.primaryKey);
    const [total, found] = await Promise.all([counted, Promise.all(ids.map((id) => store.get(id))), done]);
    return { seats: found.flatMap((table) => (table ? [seatAt(table)] : [])), total };
  } catch {
    return { seats: [], total: 0 };
  }
}

const seatAt = ({ id, setup, changed, over }: StoredTable): KeptSeat => ({
  table: id,
  token: HERE,
  rules: setup.rules ?? '',
  name: '',
  at: changed,
  over,
});

/** Store a table that had so many events before. Raises Refused: `stale` if another window has changed it. */
export async function saveTable(table: StoredTable, before: number): Promise<void> {
  const saved = await putTable(table, before)
    .catch(async (error: unknown) => {
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      if (!isFull || !(await removeOver(ROOM))) throw error;
      return putTable(table, before);
    })
    .catch((error: unknown) => {
      throw refusal(error, 'local-unsaved');
    });
  if (!saved) throw new Refused('stale', 'Another window has played on.');
  channel?.postMessage(table.id);
}

/** Whether the table was as expected, so that it is stored now. */
async function putTable(table: StoredTable, before: number): Promise<boolean> {
  const { store, done } = (await database()).transaction('tables', 'readwrite');
  done.catch(() => undefined);
  const old = await store.get(table.id);
  if ((old?.events.length ?? 0) !== before) return false;
  await store.put(table);
  await done;
  return true;
}

/** Ask the browser to keep its saved games when it needs room, and remove the oldest finished ones of very many. */
export async function careForTables(): Promise<void> {
  if (!(await navigator.storage?.persisted?.())) await navigator.storage?.persist?.();
  const total = await (await database()).count('tables');
  if (total > MOST) await removeOver(total - MOST);
}

/** Remove so many finished games, the oldest first. Returns whether there were any. */
async function removeOver(most: number): Promise<boolean> {
  const { store, done } = (await database()).transaction('tables', 'readwrite');
  const removed: string[] = [];
  let cursor = await store.index('changed').openCursor();
  for (; cursor && removed.length < most; cursor = await cursor.continue()) {
    if (!cursor.value.over) continue;
    await cursor.delete();
    removed.push(cursor.primaryKey);
  }
  await done;
  for (const id of removed) forgetSeat(id);
  return removed.length > 0;
}

export async function forgetTable(id: string): Promise<void> {
  await (await database()).delete('tables', id);
  channel?.postMessage(id);
}

/** Give the other windows a table that could not be saved: one of them may be able to. */
export function shareUnsaved(table: StoredTable): void {
  channel?.postMessage(table);
}

/** Hear of changes that other windows make: of what they have saved, or of a table that they could not save. Returns how to stop. */
export function onChange(id: string, changed: (unsaved?: StoredTable) => void): () => void {
  const hear = ({ data }: MessageEvent<string | StoredTable>): void => {
    if (data === id) changed();
    else if (typeof data === 'object' && data.id === id) changed(data);
  };
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
