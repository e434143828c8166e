/** The tables that this browser keeps, in IndexedDB. A table is stored as a whole, after each change. */
import { Refused } from '../net/api.ts';
import type { KeptSeat } from '../net/seats.ts';
import type { StoredTable } from './events.ts';
import { HERE } from './tablenames.ts';

const DATABASE = 'cartagena';
const TABLES = 'tables';

/** Tells the other windows of this browser which table has changed. */
const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('cartagena.tables') : undefined;

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('the browser gave no reason'));
  });
}

let opened: Promise<IDBDatabase> | undefined;

async function database(): Promise<IDBDatabase> {
  opened ??= (async () => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLES, { keyPath: 'id' });
    const found = await answer(request);
    // Another window has a newer version of the page: let it change the database.
    found.onversionchange = () => found.close();
    found.onclose = () => (opened = undefined);
    return found;
  })();
  return opened.catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
}

/** One transaction on the tables; it is durable when the promise is kept. */
async function within<T>(mode: IDBTransactionMode, work: (tables: IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = (await database()).transaction(TABLES, mode);
  const ended = new Promise<void>((done, failed) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => failed(transaction.error ?? new Error('the browser gave no reason'));
  });
  ended.catch(() => undefined);
  const found = await work(transaction.objectStore(TABLES));
  await ended;
  return found;
}

function full(error: unknown): Refused {
  const why = error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'unsaved';
  return new Refused(`local-${why}`, 'This browser cannot save the game.');
}

/** The table of a name. Raises Refused where there is none. */
export async function findTable(id: string): Promise<StoredTable> {
  const found = await within('readonly', (tables) => answer<unknown>(tables.get(id))).catch(() => {
    throw new Refused('local-unread', 'This browser cannot read its saved games.');
  });
  if (!found) throw new Refused('no-such-table', 'There is no such table.');
  return found as StoredTable;
}

/** The seats at all saved tables, in the form of those that lists show. A browser that keeps nothing has none. */
export async function savedSeats(): Promise<KeptSeat[]> {
  const found = await within('readonly', (tables) => answer<unknown[]>(tables.getAll())).catch(() => []);
  return (found as Partial<StoredTable>[]).flatMap(({ id, setup, changed = 0, over = false }) =>
    id ? [{ table: id, token: HERE, rules: setup?.rules ?? '', name: '', at: changed, over }] : [],
  );
}

/** Store a table that had so many events before. Raises Refused: `stale` if another window has changed it. */
export async function saveTable(table: StoredTable, before: number): Promise<void> {
  const saved = await within('readwrite', async (tables) => {
    const old = (await answer<unknown>(tables.get(table.id))) as StoredTable | undefined;
    if ((old?.events.length ?? 0) !== before) return false;
    await answer(tables.put(table));
    return true;
  }).catch((error: unknown) => {
    throw full(error);
  });
  if (!saved) throw new Refused('stale', 'Another window has played on.');
  channel?.postMessage(table.id);
}

export async function forgetTable(id: string): Promise<void> {
  await within('readwrite', (tables) => answer(tables.delete(id)));
}

/** Hear of changes that other windows make. Returns how to stop. */
export function onChange(id: string, changed: () => void): () => void {
  const hear = (event: MessageEvent): void => {
    if (event.data === id) changed();
  };
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
