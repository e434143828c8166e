/**
 * Everything that can befall a table in the browser × everything that can happen meanwhile: each window ends with what is
 * stored, no event is told twice, none is lost, and the person sees what is going on.
 */
import { expect, test, vi } from 'vitest';
import { t } from '../src/i18n/i18n.svelte.ts';
import type { Happening } from '../src/session/state.ts';
import { Device } from './device.ts';
import type { Window } from './visiting.ts';

const device = new Device();

/** Saving fails so many times. */
function fillStore(times = Number.POSITIVE_INFINITY): void {
  const { put } = IDBObjectStore.prototype;
  let left = times;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    if (left-- > 0) throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, given);
  });
}

/** Another page asks all windows to let go of the store: to bring it to a newer form, or in vain. */
async function upgradeStore(inVain: boolean): Promise<void> {
  const open = indexedDB.open('cartagena', 1000);
  open.onupgradeneeded = () => inVain && open.transaction?.abort();
  await new Promise((done) => (open.onerror = open.onsuccess = done));
  if (!inVain) open.result.close();
}

interface Fault {
  /** What the person is shown, one after the other. */
  readonly shown: RegExp;
  readonly begin: () => unknown;
  readonly end: (window: Window) => unknown;
}

const nothing = (): void => undefined;
const NOTHING = /^$/;

const FAULTS: Readonly<Record<string, Fault>> = {
  'saving fails': { shown: /^full fine $/, begin: () => fillStore(), end: () => vi.restoreAllMocks() },
  'a save fails, and another window goes on': {
    shown: NOTHING, // the other window saves it at once
    begin: async () => {
      await device.open();
      fillStore(1);
    },
    end: () => {
      const other = device.windows[1] as Window;
      return other.visit.myTurn ? other.play() : other.visit.talk('Aye!');
    },
  },
  'store closed for another window': { shown: NOTHING, begin: () => upgradeStore(true), end: nothing },
  'worker breaks': { shown: NOTHING, begin: () => (device.breaking = 1), end: nothing },
  'network lost': {
    shown: NOTHING,
    begin: () => device.page.event('offline'),
    end: () => device.page.event('online'),
  },
  'sleep 60 s': { shown: NOTHING, begin: nothing, end: () => vi.setSystemTime(Date.now() + 60_000) },
  'page reloaded': {
    shown: NOTHING,
    begin: nothing,
    end: async (window) => {
      window.visit.close();
      device.windows = [];
      await device.open();
    },
  },
  'two windows': { shown: NOTHING, begin: () => device.open(), end: nothing },
  'two windows that do not hear each other': {
    shown: NOTHING,
    begin: async () => {
      await device.open();
      device.isDeaf = true;
    },
    end: () => device.page.look('visible'),
  },
};

interface Deed {
  readonly kind: Happening['kind'];
  readonly type: string;
  readonly do: (window: Window, release: () => void) => unknown;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  'my move under way': { kind: 'moved', type: 'move', do: (window) => void window.play() },
  "the other's move": { kind: 'moved', type: 'move', do: (_, release) => release() },
  talk: { kind: 'said', type: 'talk', do: (window) => window.visit.talk('Ahoy!') },
  end: { kind: 'ended', type: 'resigned', do: (window) => window.visit.act('resign') },
};

/** A trouble in one word. */
function wordOf(words: string): string {
  return { '': 'fine', [t('code.local-full')]: 'full' }[words] ?? words;
}

/** Ann's turn to its end; the computer thinks until it is released. */
async function endTurn(window: Window): Promise<() => void> {
  const release = device.hold();
  while (window.visit.myTurn) {
    const { legal } = window.visit.model.options;
    const end = legal.find(({ move }) => move.kind === 'end') ?? legal[0];
    if (end) await window.visit.model.picks.play(end);
    await device.until(() => window.visit.model.is('idle'));
  }
  return release;
}

const cases = Object.keys(FAULTS).flatMap((fault) => Object.keys(DEEDS).map((deed) => [fault, deed] as const));

test.each(cases)('%s, %s', async (name, what) => {
  const [fault, deed] = [FAULTS[name], DEEDS[what]];
  if (!fault || !deed) throw new Error('no such case');
  const window = await device.begin();
  const release = what === "the other's move" ? await endTurn(window) : nothing;
  const count = async (): Promise<number> =>
    (await device.truth()).events.filter(({ type }) => type === deed.type).length;
  const before = await count();
  const told = window.count(deed.kind);
  await fault.begin();
  deed.do(window, release);
  await device.watch(name === 'page reloaded' ? 0 : 6000);
  await fault.end(window);
  await device.watch(10_000);
  await device.until(() =>
    device.windows.every(
      ({ visit }) => (visit.model.is('idle') && visit.model.picks.choosing) || visit.stage === 'over',
    ),
  );

  await device.expectTruth();
  const happened = (await count()) - before;
  expect(happened).toBeGreaterThan(0);
  if (device.windows.includes(window)) expect(window.count(deed.kind) - told).toBe(happened);
  expect(window.troubles.map((words) => `${wordOf(words)} `).join('')).toMatch(fault.shown);
  expect(window.count('replaced')).toBe(0);
});

test('where windows that do not hear each other part, what is saved holds, the person is told, and later moves work', async () => {
  const window = await device.begin();
  const other = await device.open();
  device.isDeaf = true;
  fillStore(1);
  await window.play();
  await device.watch(250);
  expect(window.troubles).toEqual([t('code.local-full')]);
  await other.play();
  await device.until(() => other.visit.model.is('idle'));
  await window.play(); // refused: the other window has played on
  await device.watch(1000);
  expect(window.troubles).toEqual([t('code.local-full'), '']);
  expect([window.count('replaced'), other.count('replaced')]).toEqual([1, 0]);
  await device.expectTruth();
  await window.play();
  await device.watch(1000);
  expect((await device.truth()).events.filter(({ type }) => type === 'move')).toHaveLength(2);
  device.page.look('visible');
  await device.watch(1000);
  await device.expectTruth();
});

test('a newer version that has taken the store is told for as long as the page is open, and the game goes on', async () => {
  const window = await device.begin();
  await upgradeStore(false);
  await window.play();
  await device.watch(20_000);
  expect(window.troubles).toEqual([t('code.local-newer')]);
  expect(window.visit.error).toBeUndefined();
  expect([window.count('moved'), window.visit.myTurn]).toEqual([1, true]);
});

test('a table of this browser that is left leaves no timer, also where it could not be saved', async () => {
  const window = await device.begin();
  fillStore();
  await window.play();
  await device.watch(250);
  expect(window.troubles).toEqual([t('code.local-full')]);
  window.visit.close();
  await device.watch(250);
  expect(vi.getTimerCount()).toBe(0);
});

test('a table that another window has removed is told as such', async () => {
  const window = await device.begin();
  vi.resetModules();
  const { removeTable } = await import('../src/local/tables.ts');
  await removeTable(device.table);
  await device.until(() => window.visit.error !== undefined);
  expect(window.visit.error?.code).toBe('no-such-table');
});
