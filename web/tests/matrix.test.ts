/**
 * Every failure of the line × everything that can happen meanwhile, over sockets and over long polls: each page ends with
 * the server's state, no event is told twice, none is lost, and the person sees what is going on.
 */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Engine } from '../src/engine/index.ts';
import { unsentMoves } from '../src/net/unsent.ts';
import type { Happening } from '../src/session/state.ts';
import { TableVisit } from '../src/table/visit.svelte.ts';
import { Network, Server, TABLE } from './network.ts';

interface Watched {
  readonly visit: TableVisit;
  readonly told: Happening[];
  readonly states: Set<string>;
}

let engine: Engine;
let server: Server;
let network: Network;
let windows: Watched[] = [];

beforeAll(async () => {
  engine = await Server.load();
});
beforeEach(() => {
  vi.useFakeTimers();
  server = new Server(engine);
  network = new Network(server);
});
afterEach(() => {
  for (const { visit } of windows) visit.close();
  windows = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Let time pass and note what the person is shown. */
async function watch(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 250) {
    await pass(250);
    for (const { visit, states } of windows) states.add(visit.state);
  }
}

async function openWindow(): Promise<Watched> {
  const visit = new TableVisit(TABLE);
  const window: Watched = { visit, told: [], states: new Set() };
  visit.on((happening) => window.told.push(happening));
  windows.push(window);
  void visit.open();
  await pass(8000);
  window.states.clear();
  return window;
}

interface Fault {
  /** What the person may be shown while it lasts; one of these must be. */
  readonly shown: readonly string[];
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  '502': {
    shown: ['lost'],
    begin: () => {
      network.weather = '502';
      network.cut(1012);
    },
    end: () => (network.weather = 'ok'),
  },
  '429 with Retry-After': {
    shown: ['lost'],
    begin: () => {
      network.weather = '429';
      network.cut();
    },
    end: () => (network.weather = 'ok'),
  },
  'connection refused': {
    shown: ['lost'],
    begin: () => {
      network.weather = 'refused';
      network.cut();
    },
    end: () => (network.weather = 'ok'),
  },
  'socket dead without close': {
    shown: ['open', 'lost', 'polling'],
    begin: () => network.kill(),
    end: () => network.event('online'),
  },
  'socket delayed 2 s beside polling': {
    shown: ['open', 'lost', 'polling'],
    begin: async () => {
      const { noSockets } = network;
      network.noSockets = true;
      network.cut();
      await watch(4000);
      [network.noSockets, network.delay] = [noSockets, 2000];
    },
    end: () => watch(4000),
  },
  'sleep 60 s': {
    shown: ['open', 'lost', 'polling'],
    begin: () => network.kill(),
    end: () => network.sleep(60_000),
  },
  'server restarted': {
    shown: ['lost'],
    begin: () => {
      network.weather = 'refused';
      server.stop();
      network.cut(1012);
    },
    end: () => (network.weather = 'ok'),
  },
  'two windows': {
    shown: ['open', 'polling'],
    begin: () => openWindow(),
    end: () => undefined,
  },
};

const DEEDS: Readonly<Record<string, { readonly kind: Happening['kind']; readonly do: () => unknown }>> = {
  'my move under way': {
    kind: 'moved',
    do: () => {
      const { model } = (windows[0] as Watched).visit;
      const [option] = model.options.legal;
      if (option) void model.picks.play(option);
    },
  },
  "the other's move": { kind: 'moved', do: () => server.playMove() },
  talk: { kind: 'said', do: () => server.say(2, 'Ahoy!') },
  end: { kind: 'ended', do: () => server.resign(2) },
};

const cases = ['socket', 'long poll'].flatMap((source) =>
  Object.keys(FAULTS).flatMap((fault) => Object.keys(DEEDS).map((deed) => [source, fault, deed] as const)),
);

test.each(cases)('%s: %s, %s', async (source, name, what) => {
  const [fault, deed] = [FAULTS[name], DEEDS[what]];
  if (!fault || !deed) throw new Error('no such case');
  network.noSockets = source === 'long poll';
  const { told, states } = await openWindow();
  if (what === "the other's move") {
    server.playTurn();
    await pass(8000);
  }
  const before = told.filter(({ kind }) => kind === deed.kind).length;
  await fault.begin();
  deed.do();
  await watch(6000);
  await fault.end();
  await watch(40_000);

  const events = server.events.filter(({ type }) => type !== 'undo').map(({ seq }) => seq);
  for (const { visit } of windows) {
    expect(visit.error).toBeUndefined();
    expect(visit.latest?.seq).toBe(server.table.seq);
    expect(visit.latest?.version).toBe(server.table.version);
    expect(visit.model.log.map(({ seq }) => seq)).toEqual(events);
    expect(visit.model.outcome).toEqual(server.table.outcome ?? null);
    expect(visit.model.mode.name).toBe('idle');
    expect(visit.state).toBe(source === 'socket' ? 'open' : 'polling');
  }
  expect(told.filter(({ kind }) => kind === deed.kind)).toHaveLength(before + 1);
  expect(unsentMoves()).toEqual([]);
  expect(fault.shown.some((state) => states.has(state))).toBe(true);
});
