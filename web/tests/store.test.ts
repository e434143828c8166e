/** The saved games of a browser: very many of them, a window of an older version, and a browser that is asked to keep them. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredTable } from '../src/local/events.ts';

const stored = (at: number): StoredTable => ({
  form: 1,
  id: `local-${at}`,
  created: at,
  changed: at,
  over: true,
  secret: '',
  events: [],
  setup: { rules: 'jamaica-en', seats: [] } as unknown as StoredTable['setup'],
});
let store: typeof import('../src/local/store.ts');

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.resetModules();
  store = await import('../src/local/store.ts');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The database as a page has it that never lets go of it. */
async function opened(version: number): Promise<IDBDatabase> {
  const open = indexedDB.open('cartagena', version);
  open.onupgradeneeded = () => open.result.createObjectStore('tables', { keyPath: 'id' });
  await new Promise((done) => (open.onsuccess = done));
  return open.result;
}

test('of 5,000 saved games the list reads those that it shows', async () => {
  await store.saveTable(stored(0), 0);
  const database = await opened(2);
  const tables = database.transaction('tables', 'readwrite').objectStore('tables');
  for (let at = 1; at < 5000; at++) tables.put(stored(at));
  await new Promise((done) => (tables.transaction.oncomplete = done));
  const get = vi.spyOn(IDBObjectStore.prototype, 'get');
  const whole = [
    vi.spyOn(IDBObjectStore.prototype, 'getAll'),
    vi.spyOn(IDBIndex.prototype, 'getAll'),
    vi.spyOn(IDBIndex.prototype, 'openCursor'),
  ];
  const { seats, total } = await store.savedSeats(8, new Set(['local-4998']));
  expect([total, seats.map(({ at }) => at)]).toEqual([5000, [4999, 4997, 4996, 4995, 4994, 4993, 4992, 4991]]);
  expect([get.mock.calls.length, whole.map(({ mock }) => mock.calls.length)]).toEqual([8, [0, 0, 0]]);
});

test('a window that keeps the games of an older version is told of, and once it has gone they can be used', async () => {
  const older = await opened(1);
  await expect(store.findTable('local-1')).rejects.toMatchObject({ code: 'local-blocked' });
  older.close();
  await vi.waitFor(() => store.saveTable(stored(1), 0));
  expect((await store.findTable('local-1')).id).toBe('local-1');
});

test('the browser is asked to keep the games, unless it does so already', async () => {
  const persist = vi.fn(() => Promise.resolve(true));
  for (const isKept of [false, true]) {
    vi.stubGlobal('navigator', { storage: { persisted: () => Promise.resolve(isKept), persist } });
    await store.careForTables();
  }
  expect(persist).toHaveBeenCalledOnce();
});
