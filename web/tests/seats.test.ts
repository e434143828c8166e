/** What this browser keeps and is told, where something is wrong: long lists, damaged ones, odd links, phones, locked capitals. */
import { afterEach, expect, test, vi } from 'vitest';
import { api, type Refused } from '../src/net/api.ts';
import { changeSeat, forgetSeat, keepSeat, keptSeat, keptSeats, type KeptSeat } from '../src/net/seats.ts';
import { keepUnsent, sendUnsent, unsentMoves } from '../src/net/unsent.ts';
import { alertTurn } from '../src/table/alerts.ts';
import { handleKey, type KeyPlace } from '../src/table/keys.ts';

/** The storage of a browser; `before` is called before each change of it. Returns what it holds. */
function storage(items: Record<string, string> = {}, before = (): void => undefined): Map<string, string> {
  const kept = new Map(Object.entries(items));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      before();
      kept.set(key, text);
    },
    removeItem: (key: string) => kept.delete(key),
    key: (at: number) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  });
  return kept;
}

const seatAt = (number: number, more: Partial<KeptSeat> = {}): KeptSeat => ({
  table: `table${number}`,
  token: 'secret',
  rules: 'jamaica-en',
  name: '',
  at: number,
  ...more,
});

afterEach(() => vi.unstubAllGlobals());

test('the token of a game that goes on is kept however many games have ended since', () => {
  storage();
  keepSeat(seatAt(0));
  for (let number = 1; number <= 60; number++) keepSeat(seatAt(number, { over: true }));
  expect(keptSeat('table0')?.token).toBe('secret');
  expect(keptSeats().length).toBe(41);
});

test('of the tokens that two windows keep at the same time none is lost', () => {
  let other = (): void => undefined;
  storage({}, () => {
    const work = other;
    other = () => undefined;
    work();
  });
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const number of numbers.filter((each) => each % 2)) {
    // The one window has read what there is, and before it writes the other one keeps a seat and changes one.
    other = () => {
      keepSeat(seatAt(number + 1, { token: `token ${number + 1}` }));
      changeSeat(`table${number - 1}`, { seen: number });
    };
    keepSeat(seatAt(number, { token: `token ${number}` }));
  }
  expect(keptSeats().map(({ token }) => token)).toEqual(numbers.map((number) => `token ${number}`).reverse());
  expect(keptSeats().filter(({ seen }) => seen !== undefined)).toHaveLength(49);
});

test('a seat that was kept or forgotten in one window leaves those of the others alone', () => {
  const kept = storage();
  for (const number of [1, 2, 3]) keepSeat(seatAt(number));
  forgetSeat('table2');
  changeSeat('table2', { over: true }); // it is not there any more
  expect(keptSeats().map(({ table }) => table)).toEqual(['table3', 'table1']);
  expect([...kept.keys()]).toEqual(['cartagena.seat.table1', 'cartagena.seat.table3']);
});

test('a seat that the browser has no room for is there until the page is left', () => {
  storage({}, () => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  keepSeat(seatAt(1));
  keepSeat(seatAt(2));
  changeSeat('table1', { over: true });
  expect(keptSeats().map(({ table, over }) => [table, over])).toEqual([
    ['table2', undefined],
    ['table1', true],
  ]);
  for (const table of ['table1', 'table2']) forgetSeat(table);
  expect(keptSeats()).toEqual([]);
});

test('the seats that an earlier build kept in one value are taken over', async () => {
  const kept = storage({
    'cartagena.seats': JSON.stringify([seatAt(1, { token: 'old' }), seatAt(2)]),
    'cartagena.seat.table1': JSON.stringify(seatAt(1, { token: 'new' })),
  });
  vi.resetModules();
  const seats = await import('../src/net/seats.ts');
  expect(seats.keptSeats().map(({ table, token }) => [table, token])).toEqual([
    ['table2', 'secret'],
    ['table1', 'new'],
  ]);
  expect(kept.has('cartagena.seats')).toBe(false);
});

test('what is no seat or no list is taken for none', () => {
  storage({ 'cartagena.seat.a': '{"a":1}', 'cartagena.seat.b': '{', 'cartagena.unsent': 'null' });
  expect([keptSeats(), keptSeat('a'), keptSeat('b')]).toEqual([[], undefined, undefined]);
  expect(unsentMoves()).toEqual([]);
});

test.each([
  [502, undefined, 1],
  [429, undefined, 1],
  [403, 'outdated', 1],
  [409, 'stale', 0],
  [200, undefined, 0],
])(
  'a kept move that is answered with %s %s stays kept only while it may still be taken',
  async (status, code, left) => {
    storage();
    vi.stubGlobal('document', { baseURI: 'http://table.test/' });
    vi.stubGlobal('fetch', () =>
      Promise.resolve(Response.json(code ? { error: { code, message: '' } } : {}, { status })),
    );
    keepSeat(seatAt(1));
    keepUnsent('table1', { id: 'm1', version: 3, seat: 1, move: { kind: 'end' } });
    await sendUnsent();
    expect(unsentMoves()).toHaveLength(left);
  },
);

test('a server that never answers is told of once its time is up, also where a table is set up', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://table.test/' });
  vi.stubGlobal('fetch', (_: URL, { signal }: RequestInit) => {
    const error = new DOMException('', 'AbortError');
    return new Promise((_, fail) => signal?.addEventListener('abort', () => fail(error)));
  });
  const asked = [api.create({ seats: [] }), api.invite('t1', 'x', 2), api.readRecord(''), api.checkVariant('')];
  const codes: string[] = [];
  for (const each of asked) void each.catch((error: unknown) => codes.push((error as Refused).code));
  await vi.advanceTimersByTimeAsync(15_000);
  vi.useRealTimers();
  expect(codes).toEqual(['offline', 'offline', 'offline', 'offline']);
});

test('the service worker notifies, and knows the table', async () => {
  const shown = vi.fn();
  const Notification = { permission: 'granted' };
  vi.stubGlobal('location', { href: 'https://example.org/#/table/t1' });
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('window', { Notification });
  vi.stubGlobal('document', { visibilityState: 'hidden', title: 'Cartagena', addEventListener: () => undefined });
  vi.stubGlobal('navigator', {
    serviceWorker: { getRegistration: () => Promise.resolve({ active: {}, showNotification: shown }) },
  });
  alertTurn(true, 'It is your turn');
  await vi.waitFor(() =>
    expect(shown).toHaveBeenCalledWith('It is your turn', {
      tag: 'https://example.org/#/table/t1',
      data: 'https://example.org/#/table/t1',
    }),
  );
});

test('letters play also with locked capitals, and never behind a dialog', () => {
  const playKind = vi.fn();
  let dialog: unknown = null;
  vi.stubGlobal('HTMLElement', Event);
  vi.stubGlobal('document', { querySelector: () => dialog });
  const press = (key: string, shiftKey = false): void =>
    handleKey(
      { key, shiftKey, target: null, preventDefault: () => undefined } as unknown as KeyboardEvent,
      { model: { picks: { playKind } } } as unknown as KeyPlace,
    );
  press('E');
  expect(playKind).toHaveBeenCalledWith('end');
  press('E', true);
  dialog = {};
  press('e');
  expect(playKind).toHaveBeenCalledTimes(1);
});
