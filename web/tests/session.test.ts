/** What a page does when the line to its table breaks: a small server, its real messages, and a network that fails. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { page } from '../src/app/outdated.svelte.ts';
import type { Engine } from '../src/engine/index.ts';
import { unsentMoves } from '../src/net/unsent.ts';
import { now } from '../src/session/clocks.ts';
import { TableVisit } from '../src/table/visit.svelte.ts';
import { Network, Server, TABLE } from './network.ts';

let engine: Engine;
let server: Server;
let network: Network;
const visits: TableVisit[] = [];

beforeAll(async () => {
  engine = await Server.load();
});
beforeEach(() => {
  vi.useFakeTimers();
  server = new Server(engine);
  network = new Network(server);
});
afterEach(() => {
  for (const visit of visits.splice(0)) visit.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function visited(): Promise<TableVisit> {
  const visit = new TableVisit(TABLE);
  visits.push(visit);
  void visit.open();
  await pass(200);
  return visit;
}

/** The person plays the first move that is offered. */
function play(visit: TableVisit): Promise<void> {
  const [option] = visit.model.options.legal;
  if (!option) throw new Error('nothing to play');
  return visit.model.picks.play(option);
}

/** The page shows what the server knows, every event once. */
function expectAgreement(visit: TableVisit): void {
  expect(visit.error).toBeUndefined();
  expect(visit.latest?.seq).toBe(server.table.seq);
  expect(visit.latest?.version).toBe(server.table.version);
  expect(visit.model.log.map(({ seq }) => seq)).toEqual(
    server.events.flatMap(({ seq, type }) => (type === 'undo' ? [] : seq)),
  );
  expect(visit.model.outcome).toEqual(server.table.outcome ?? null);
}

test.each(['502', '429'] as const)('a %s of a proxy ends no table', async (weather) => {
  const visit = await visited();
  network.weather = weather;
  network.cut(1012);
  await pass(20_000);
  expect(visit.error).toBeUndefined();
  expect(visit.state).toBe('lost');
  network.weather = 'ok';
  await pass(8000);
  expect(visit.state).toBe('open');
  expectAgreement(visit);
});

test.each(['502', '429', 'refused'] as const)(
  'a table that is opened behind a %s is shown when the server is back',
  async (weather) => {
    network.weather = weather;
    const visit = await visited();
    await pass(30_000);
    expect(visit.error).toBeUndefined();
    expect(visit.state).toBe('lost');
    network.weather = 'ok';
    await pass(8000);
    expect(visit.state).toBe('open');
    expectAgreement(visit);
  },
);

test('the delay that a busy server names is kept', async () => {
  network.weather = '429';
  await visited();
  await pass(2700);
  expect(network.asked).toHaveLength(1);
  await pass(400);
  expect(network.asked).toHaveLength(2);
});

test.each(['502', '429', 'refused'] as const)(
  'a move that is made behind a %s is kept and played once',
  async (weather) => {
    const visit = await visited();
    network.weather = weather;
    network.cut();
    await pass(100);
    const { version } = server.table;
    const played = play(visit);
    await pass(10_000);
    expect(unsentMoves()).toHaveLength(1);
    expect(visit.model.picks.answer).toBeUndefined();
    network.weather = 'ok';
    await pass(8000);
    await played;
    expect(server.table.version).toBe(version + 1);
    expect(unsentMoves()).toHaveLength(0);
    expectAgreement(visit);
  },
);

test('what a poll and a late socket tell both is told once', async () => {
  const visit = await visited();
  const told: number[] = [];
  const { take } = visit as unknown as { take: (...given: { events: { seq: number }[] }[]) => void };
  (visit as unknown as { take: unknown }).take = function (update: { events: { seq: number }[] }, ...rest: never[]) {
    told.push(...update.events.map(({ seq }) => seq));
    take.call(visit, update, ...rest);
  };
  network.noSockets = true;
  network.cut();
  await pass(6000);
  expect(visit.state).toBe('polling');
  network.noSockets = false;
  network.delay = 2000;
  for (let number = 0; number < 12; number++) {
    server.say(2, `word ${number}`);
    await pass(700);
  }
  await pass(10_000);
  expect(visit.state).toBe('open');
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(new Set(told).size).toBe(told.length);
  expectAgreement(visit);
});

test('a socket that died in a sleep is not trusted: the move arrives, and the page says what it does', async () => {
  const visit = await visited();
  network.sleep(60_000);
  network.look('visible');
  const played = play(visit);
  await pass(1500);
  await played;
  await pass(7000);
  expect(visit.state).toBe('open');
  expectAgreement(visit);
});

test('a move into a dead socket is told as unsent after a few seconds, and arrives', async () => {
  const visit = await visited();
  network.kill();
  network.weather = 'dead';
  const states: string[] = [];
  void play(visit);
  for (let second = 0; second < 8; second++) {
    await pass(1000);
    states.push(visit.state);
  }
  expect(states.at(-1)).toBe('lost');
  network.weather = 'ok';
  network.event('online');
  await pass(5000);
  expect(visit.state).toBe('open');
  expectAgreement(visit);
});

test('a timer that is late wakes the line', async () => {
  const visit = await visited();
  network.sleep(60_000);
  server.say(2, 'Are you there?');
  await pass(12_000);
  expectAgreement(visit);
});

test('a lost network is told at once, and the line is opened anew', async () => {
  const visit = await visited();
  network.event('offline');
  expect(visit.state).toBe('lost');
  await pass(1000);
  expect(visit.state).toBe('open');
  expectAgreement(visit);
});

test('where a line skips an event, what is missing is asked for', async () => {
  const visit = await visited();
  const [socket] = network.open;
  server.sockets.clear(); // the server forgets to tell
  server.say(2, 'unheard');
  server.say(2, 'heard');
  socket?.write(server.news(server.table.seq - 1));
  await pass(100);
  expect(network.asked.at(-1)).toContain('events?after=2&wait=0');
  expectAgreement(visit);
});

test('a move that was taken back leaves a gap in the numbers that is none', async () => {
  const visit = await visited();
  server.playMove();
  await pass(2000);
  network.kill();
  server.undo();
  server.playMove();
  network.event('online');
  await pass(8000);
  expectAgreement(visit);
});

test('what happens is told as it is', async () => {
  const visit = await visited();
  const told: string[] = [];
  visit.on(({ kind }) => told.push(kind));
  server.playMove();
  server.undo();
  await pass(3000);
  server.playTurn();
  server.playTurn();
  server.say(2, 'Ahoy!');
  server.leave(1);
  server.resign(2);
  await pass(10_000);
  expect(told.filter((kind) => kind !== 'moved')).toEqual(['undone', 'turn', 'said', 'left', 'resigned', 'ended']);
  expectAgreement(visit);
});

/** The others play, and it is the person's turn. */
function othersPlay(): void {
  server.playTurn();
  server.playTurn();
}

test('a hidden page is told of its turn before anything moves, and moves nothing', async () => {
  const visit = await visited();
  network.look('hidden');
  othersPlay();
  await pass(20);
  expect(page.alert).not.toBe('');
  expect(visit.model.mode.name).toBe('idle');
  expectAgreement(visit);
});

test('a page that is hidden while pieces move waits for none of them', async () => {
  const visit = await visited();
  othersPlay();
  await pass(20);
  expect(visit.model.mode.name).toBe('playing');
  network.look('hidden');
  await pass(0);
  expect(visit.model.mode.name).toBe('idle');
  expectAgreement(visit);
});

test('nothing moves and nothing is said after the table is left', async () => {
  const visit = await visited();
  othersPlay();
  await pass(20);
  expect(visit.model.mode.name).toBe('playing');
  visit.close();
  const { announcement, log } = visit.model;
  await pass(10_000);
  expect(visit.model.mode.name).toBe('closed');
  expect(visit.model.announcement).toBe(announcement);
  expect(visit.model.log).toBe(log);
});

test('clocks are shown by the time that decides, whatever the clock of the device does', async () => {
  const clock = { kind: 'bank', seconds: 60, increment: 0 } as const;
  server = new Server(engine, clock);
  network = new Network(server);
  const visit = await visited();
  expect(visit.clocksAt(now())[0]).toMatchObject({ text: '1:00', running: true });
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(visit.clocksAt(now())[0]?.text).toBe('1:00');
  vi.advanceTimersByTime(20_000);
  expect(visit.clocksAt(now())[0]?.text).toBe('0:40');
});
