/** What a page does when the line to its table breaks: a small server, its real messages, and a network that fails. */
import { expect, test, vi } from 'vitest';
import { page } from '../src/app/page.svelte.ts';
import { sound } from '../src/app/sound.ts';
import { unsentMoves } from '../src/net/unsent.ts';
import type { Update } from '../src/net/wire.ts';
import { now } from '../src/session/clocks.ts';
import { Presence } from '../src/session/presence.ts';
import type { TableVisit } from '../src/table/visit.svelte.ts';
import { Server, TABLE } from './network.ts';
import { ServerRig } from './visiting.ts';

vi.mock(import('../src/app/sound.ts'), { spy: true });
const rig = new ServerRig();
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** A page without a line says so, and shows the truth once the network works again. */
async function recovers(visit: TableVisit): Promise<void> {
  expect(visit.error).toBeUndefined();
  expect(visit.state).toBe('lost');
  rig.network.weather = 'ok';
  await pass(8000);
  expect(visit.state).toBe('open');
  rig.expectTruth();
}

test.each(['502', '429'] as const)('a %s of a proxy ends no table', async (weather) => {
  const { visit } = await rig.open();
  rig.network.weather = weather;
  rig.network.cut(1012);
  await pass(20_000);
  await recovers(visit);
});

test.each(['502', '429', 'refused'] as const)(
  'a table that is opened behind a %s is shown when the server is back',
  async (weather) => {
    rig.network.weather = weather;
    const { visit } = await rig.open();
    await pass(30_000);
    await recovers(visit);
  },
);

test.each(['404', '200'] as const)(
  'a host without our server (%s) is told as such, asked less and less often, and left for the server',
  async (weather) => {
    rig.network.weather = weather;
    const { visit } = await rig.open();
    expect([visit.state, visit.error]).toEqual(['no-server', undefined]);
    await pass(120_000);
    expect(visit.state).toBe('no-server');
    expect(rig.network.asked.length).toBeLessThan(14);
    rig.network.weather = 'ok';
    await pass(40_000);
    expect(visit.state).toBe('open');
    rig.expectTruth();
  },
);

test('a page in place of the server is a lost line for a table that is open', async () => {
  const { visit } = await rig.open();
  rig.network.weather = '404';
  rig.network.cut();
  await pass(20_000);
  expect([visit.state, visit.error]).toEqual(['lost', undefined]);
});

test('the delay that a busy server names is kept', async () => {
  rig.network.weather = '429';
  await rig.open();
  await pass(2700);
  expect(rig.network.asked).toHaveLength(1);
  await pass(400);
  expect(rig.network.asked).toHaveLength(2);
});

test.each(['502', '429', 'refused'] as const)(
  'a move that is made behind a %s is kept and played once',
  async (weather) => {
    const window = await rig.open();
    const { visit } = window;
    rig.network.weather = weather;
    rig.network.cut();
    await pass(100);
    const { version } = rig.server.table;
    const played = window.play();
    await pass(10_000);
    expect(unsentMoves()).toHaveLength(1);
    expect(visit.model.picks.answer).toBeUndefined();
    rig.network.weather = 'ok';
    await pass(8000);
    await played;
    expect(rig.server.table.version).toBe(version + 1);
    expect(unsentMoves()).toHaveLength(0);
    rig.expectTruth();
  },
);

test('what a poll and a late socket tell both is told once', async () => {
  const { visit } = await rig.open();
  const told: number[] = [];
  const { take } = visit as unknown as { take: (...given: { events: { seq: number }[] }[]) => void };
  (visit as unknown as { take: unknown }).take = function (update: { events: { seq: number }[] }, ...rest: never[]) {
    told.push(...update.events.map(({ seq }) => seq));
    take.call(visit, update, ...rest);
  };
  rig.network.noSockets = true;
  rig.network.cut();
  await pass(6000);
  expect(visit.state).toBe('polling');
  rig.network.noSockets = false;
  rig.network.delay = 2000;
  for (let number = 0; number < 12; number++) {
    rig.server.say(2, `word ${number}`);
    await pass(700);
  }
  await pass(10_000);
  expect(visit.state).toBe('open');
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(new Set(told).size).toBe(told.length);
  rig.expectTruth();
});

test('a socket that died in a sleep is not trusted: the move arrives, and the page says what it does', async () => {
  const window = await rig.open();
  const { visit } = window;
  rig.network.sleep(60_000);
  rig.network.page.look('visible');
  const played = window.play();
  await pass(1500);
  await played;
  await pass(7000);
  expect(visit.state).toBe('open');
  rig.expectTruth();
});

test('a move into a dead socket is told as unsent after a few seconds, and arrives', async () => {
  const window = await rig.open();
  const { visit } = window;
  rig.network.kill();
  rig.network.weather = 'dead';
  const states: string[] = [];
  void window.play();
  for (let second = 0; second < 8; second++) {
    await pass(1000);
    states.push(visit.state);
  }
  expect(states.at(-1)).toBe('lost');
  rig.network.weather = 'ok';
  rig.network.page.event('online');
  await pass(5000);
  expect(visit.state).toBe('open');
  rig.expectTruth();
});

test('a page that only waits leaves a socket that says nothing more within 15 seconds', async () => {
  const { visit } = await rig.open();
  rig.network.kill();
  rig.server.playTurn();
  await pass(16_000);
  expect(visit.state).toBe('open');
  rig.expectTruth();
});

test('a timer that is late wakes the line', async () => {
  await rig.open();
  rig.network.sleep(60_000);
  rig.server.say(2, 'Are you there?');
  await pass(12_000);
  rig.expectTruth();
});

test('a lost network is told at once, and the line is opened anew', async () => {
  const { visit } = await rig.open();
  rig.network.page.event('offline');
  expect(visit.state).toBe('lost');
  await pass(1000);
  expect(visit.state).toBe('open');
  rig.expectTruth();
});

test('where a line skips an event, what is missing is asked for', async () => {
  await rig.open();
  const [socket] = rig.network.open;
  rig.server.sockets.clear(); // the server forgets to tell
  rig.server.say(2, 'unheard');
  rig.server.say(2, 'heard');
  socket?.write(rig.server.news(rig.server.table.seq - 1));
  await pass(100);
  expect(rig.network.asked.at(-1)).toContain('events?after=2&wait=0');
  rig.expectTruth();
});

test('a move that was taken back leaves a gap in the numbers that is none', async () => {
  await rig.open();
  rig.server.playMove();
  await pass(2000);
  rig.network.kill();
  rig.server.undo();
  rig.server.playMove();
  rig.network.page.event('online');
  await pass(8000);
  rig.expectTruth();
});

test('what happens is told as it is', async () => {
  const { visit } = await rig.open();
  const told: string[] = [];
  visit.on(({ kind }) => told.push(kind));
  rig.server.playMove();
  rig.server.undo();
  await pass(3000);
  rig.server.playTurn();
  rig.server.playTurn();
  rig.server.say(2, 'Ahoy!');
  rig.server.leave(1);
  rig.server.resign(2);
  await pass(10_000);
  expect(told.filter((kind) => kind !== 'moved')).toEqual(['undone', 'turn', 'said', 'left', 'resigned', 'ended']);
  rig.expectTruth();
});

/** The others play two actions, and it is the person's turn. */
function othersPlay(): void {
  rig.server.playTurn();
  rig.server.playActions(2);
  rig.server.playTurn();
}

test('a hidden page is told of its turn before anything moves, and moves nothing', async () => {
  const { visit } = await rig.open();
  rig.network.page.look('hidden');
  othersPlay();
  await pass(20);
  expect(page.alert).not.toBe('');
  expect(visit.model.mode.name).toBe('idle');
  rig.expectTruth();
});

test('where the page is looked at, the alert comes once, when what led to the turn was shown', async () => {
  const { visit } = await rig.open();
  const alerts = (): number => vi.mocked(sound).mock.calls.filter(([name]) => name === 'turn').length;
  vi.mocked(sound).mockClear();
  othersPlay();
  await pass(20);
  expect([visit.model.mode.name, alerts()]).toEqual(['playing', 0]);
  await pass(8000);
  expect([visit.model.mode.name, alerts()]).toEqual(['idle', 1]);
});

test('a page that is hidden while pieces move waits for none of them', async () => {
  const { visit } = await rig.open();
  othersPlay();
  await pass(20);
  expect(visit.model.mode.name).toBe('playing');
  rig.network.page.look('hidden');
  await pass(0);
  expect(visit.model.mode.name).toBe('idle');
  rig.expectTruth();
});

test('nothing moves, sounds, alerts or is said after the table is left', async () => {
  const { visit } = await rig.open();
  othersPlay();
  await pass(20);
  expect(visit.model.mode.name).toBe('playing');
  visit.close();
  vi.mocked(sound).mockClear();
  page.alert = '';
  const { announcement, log } = visit.model;
  rig.network.page.look('hidden');
  othersPlay();
  await pass(10_000);
  expect(vi.mocked(sound)).not.toHaveBeenCalled();
  expect(page.alert).toBe('');
  expect(visit.model.mode.name).toBe('closed');
  expect(visit.model.announcement).toBe(announcement);
  expect(visit.model.log).toBe(log);
});

test('clocks are shown by the time that decides, whatever the clock of the device does', async () => {
  const clock = { kind: 'bank', seconds: 60, increment: 0 } as const;
  rig.start(new Server(rig.engine, clock));
  const { visit } = await rig.open();
  expect(visit.clocksAt(now())[0]).toMatchObject({ text: '1:00', running: true });
  expect(visit.clocksAt(now() - 400)[0]?.text).toBe('1:00'); // the page has looked at its clock before the update came
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(visit.clocksAt(now())[0]?.text).toBe('1:00');
  vi.advanceTimersByTime(20_000);
  expect(visit.clocksAt(now())[0]?.text).toBe('0:40');
});

test('time runs out near the end of a turn, however short the turn is', async () => {
  rig.start(new Server(rig.engine, { kind: 'turn', seconds: 15 }));
  const { visit } = await rig.open();
  const isLow = (): boolean | undefined => visit.clocksAt(now())[0]?.low;
  expect(isLow()).toBe(false);
  vi.advanceTimersByTime(9_000);
  expect(isLow()).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(isLow()).toBe(true);
});

test('a person who has just come, or whose line blinks, is not called away at once', () => {
  const presence = new Presence();
  const line = (stage: string, ...online: boolean[]): Update =>
    ({
      stage,
      seats: online.map((here, index) => ({ seat: index + 1, taken: true, online: here })),
    }) as unknown as Update;
  const at = (time: number, update: Update): (boolean | number | undefined)[] => {
    const { shown, wait } = presence.see(update, time);
    return [...shown.seats.map((seat) => seat.online), wait];
  };
  expect(at(0, line('waiting', true, false))).toEqual([true, false, undefined]); // gone before this page came
  expect(at(1000, line('playing', true, false))).toEqual([true, true, 5000]); // the deal: the page of a guest opens
  expect(at(3000, line('playing', true, false))).toEqual([true, true, 3000]);
  expect(at(4000, line('playing', true, true))).toEqual([true, true, undefined]);
  expect(at(9000, line('playing', true, false))).toEqual([true, true, 5000]);
  expect(at(14_000, line('playing', true, false))).toEqual([true, false, undefined]);
});

test('an absence is told once it has lasted, and the clocks go on meanwhile', async () => {
  rig.start(new Server(rig.engine, { kind: 'bank', seconds: 60, increment: 0 }));
  const { visit } = await rig.open();
  const isThere = (): boolean | undefined => visit.latest?.seats[1]?.online;
  rig.server.absent.add(2);
  rig.server.say(2, 'I have to');
  await pass(4900);
  expect(isThere()).toBe(true);
  await pass(1100);
  expect(isThere()).toBe(false);
  expect(visit.clocksAt(now())[0]?.text).toBe('0:55');
  rig.expectTruth();
});

test('a page that was asleep shows the last round of what it has missed', async () => {
  const { visit } = await rig.open();
  rig.network.weather = 'refused';
  rig.network.cut(1006);
  for (let turn = 0; turn < 12; turn++) rig.server.playTurn();
  rig.network.weather = 'ok';
  for (let time = 0; !visit.model.is('playing') && time < 20_000; time += 10) await pass(10);
  const shown = visit.model.history.length;
  await pass(60_000);
  rig.expectTruth();
  const turns = new Set(visit.model.history.slice(shown - 1).map(({ turn }) => turn));
  expect(turns.size).toBe(visit.model.seats.length);
});

test('a table by post shows again what happened since it was last looked at, and that once', async () => {
  rig.server.byPost = true;
  vi.stubGlobal('navigator', { languages: [] });
  const visited = async (): Promise<TableVisit> => (await rig.open()).visit;
  const own = ({ seat, move }: { seat?: number | null; move?: { kind: string } | null }): boolean =>
    seat === 1 && move?.kind !== 'end';
  const first = await visited();
  expect(first.model.is('idle')).toBe(true);
  first.close();
  rig.server.playTurn(); // of the same person on another device
  rig.server.playTurn();
  const second = await visited();
  expect([second.model.mode.name, second.model.at]).toEqual(['replaying', second.model.history.findLastIndex(own) + 1]);
  await pass(60_000);
  expect(second.model.is('idle')).toBe(true);
  rig.network.page.look('hidden');
  rig.server.playTurn();
  rig.server.playTurn();
  await pass(60_000);
  expect(second.model.is('idle')).toBe(true);
  rig.network.page.look('visible');
  expect(second.model.is('replaying')).toBe(true);
  second.close();
  const third = await visited();
  expect(third.model.is('idle')).toBe(true); // nothing happened since
});

test('what happens at one table by post leaves alone what the service worker was told of another', async () => {
  rig.server.byPost = true;
  const kept = new Map<string, Response>();
  const cache = {
    match: (url: URL) => Promise.resolve(kept.get(url.href)?.clone()),
    put: (url: URL, answer: Response) => Promise.resolve(kept.set(url.href, answer)),
  };
  const badge = vi.fn<(number: number) => Promise<void>>(() => Promise.resolve());
  const Notification = { permission: 'granted' };
  const locks = { request: (_: string, work: () => Promise<void>) => work() };
  vi.stubGlobal('navigator', { languages: [], locks, setAppBadge: badge, clearAppBadge: () => badge(0) });
  vi.stubGlobal('Notification', Notification);
  Object.assign(window, { Notification });
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache) });
  vi.stubGlobal('location', { href: 'http://table.test/#/' });
  kept.set('http://table.test/due', Response.json(['other', TABLE]));
  await rig.open();
  rig.server.playTurn();
  await pass(60_000);
  expect([badge.mock.lastCall, page.due]).toEqual([[1], ['other']]);
  expect(await kept.get('http://table.test/due')?.json()).toEqual(['other']);
});
