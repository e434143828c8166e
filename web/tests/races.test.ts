/** What happens at the same time, too late or never: the page stays with the truth, asks no server too often, and keeps no more than it needs. */
import { expect, test, vi } from 'vitest';
import { t } from '../src/i18n/i18n.svelte.ts';
import { api, OFFLINE } from '../src/net/api.ts';
import type { Update } from '../src/net/wire.ts';
import { Told } from '../src/session/told.ts';
import { Waits } from '../src/session/waits.ts';
import { Server } from './network.ts';
import { ServerRig, type Window } from './visiting.ts';

const rig = new ServerRig();

/** How often the server is asked in so many milliseconds. */
async function asksWithin(ms: number): Promise<number> {
  const before = rig.network.asked.length;
  await rig.watch(ms);
  return rig.network.asked.length - before;
}

/** The server has lost its last events: it was restored from an older copy. */
function restore(): void {
  const { network } = rig;
  const { noSockets } = network;
  rig.start(new Server(rig.engine));
  rig.network.noSockets = noSockets;
  network.server.stop();
  network.cut();
}

async function openAfterMoves(): Promise<Window> {
  const window = await rig.open();
  rig.server.playTurn();
  rig.server.playTurn();
  await rig.watch(8000);
  window.clear();
  return window;
}

test('a table whose server has lost events is shown as it is now, and what happens meanwhile is not missed', async () => {
  const window = await openAfterMoves();
  restore();
  const { server } = rig;
  const answer = server.answer.bind(server);
  server.answer = async (...asked) => {
    const found = await answer(...asked);
    await new Promise((done) => setTimeout(done, 1000)); // the snapshot is old when it arrives
    return found;
  };
  await rig.watch(600);
  server.say(2, 'Ahoy!');
  await rig.watch(4000);
  rig.expectTruth();
  expect(window.count('replaced')).toBe(1);
});

test('a move that was acknowledged and is lost leaves no page that asks without end or waits for ever', async () => {
  rig.network.noSockets = true;
  const window = await rig.open(8000);
  rig.server.command = () => rig.server.table.seq + 1; // stored, and lost before it is told
  void window.play();
  await rig.watch(100);
  expect(await asksWithin(10_000)).toBeLessThan(20);
  expect(window.visit.model.is('idle')).toBe(true);
  rig.expectTruth();
});

test('a server that stops answers without news, and is not asked again at once', async () => {
  rig.network.noSockets = true;
  const { visit } = await rig.open(8000);
  rig.server.isStopping = true;
  rig.server.say(2, 'I must go');
  expect(await asksWithin(10_000)).toBeLessThan(20);
  rig.server.isStopping = false;
  rig.server.say(2, 'Back again');
  await rig.watch(6000);
  expect(visit.state).toBe('polling');
  rig.expectTruth();
});

test('a server that restarts for long is not called three times a second', async () => {
  const { visit } = await rig.open();
  rig.server.isStopping = true;
  rig.network.cut(1012);
  const before = rig.server.greeted;
  await rig.watch(20_000);
  expect(rig.server.greeted - before).toBeLessThan(12);
  rig.server.isStopping = false;
  await rig.watch(8000);
  expect(visit.state).toBe('open');
  rig.expectTruth();
});

test('a delay that is longer than any timer is no invitation to ask at once', async () => {
  const done = vi.fn();
  const waits = new Waits(
    () => undefined,
    () => undefined,
  );
  void waits.nap(30 * 86_400_000, 0).then(done);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(done).not.toHaveBeenCalled();
});

test.each(['ok', 'refused', '502', 'dead'] as const)(
  'a table that is left while the network is %s leaves no timer and no listener',
  async (weather) => {
    const window = await rig.open();
    const { visit } = window;
    rig.server.absent.add(2);
    rig.server.playMove();
    await rig.watch(100);
    rig.network.weather = weather;
    if (weather !== 'ok') rig.network.cut();
    void window.play();
    await rig.watch(3000);
    visit.close();
    await vi.advanceTimersByTimeAsync(16_000); // an answer that was on its way is dropped
    expect([vi.getTimerCount(), rig.network.page.listening]).toEqual([0, 0]);
  },
);

test('what is asked through a network that swallows everything is refused after a while, and the person is told', async () => {
  const { visit } = await rig.open();
  rig.network.weather = 'dead';
  const told = (): string | undefined => visit.model.picks.answer?.words;
  const words = visit.talk('Is anybody there?');
  const [offer, lobby, rematch] = [api.about(), api.lobby(), visit.again()].map((asked) =>
    asked.catch(({ code }: { code: string }) => code),
  );
  await rig.watch(16_000);
  expect(told()).toBe(t('code.offline'));
  visit.model.picks.clear();
  void visit.act('leave');
  await rig.watch(16_000);
  expect(told()).toBe(t('code.offline'));
  expect(await Promise.all([words, offer, lobby, rematch])).toEqual([t('code.offline'), OFFLINE, OFFLINE, undefined]);
});

test('an event that this page does not know is not told, and what follows is', async () => {
  const { visit } = await rig.open();
  const told: string[] = [];
  const { model } = visit;
  const news = rig.server.news.bind(rig.server);
  rig.server.news = (after) => {
    const update = news(after);
    const events = update.events.map((event) => (event.text === 'new' ? { ...event, type: 'whirlpool' } : event));
    return { ...update, events: events as typeof update.events };
  };
  const { announcement } = model;
  rig.server.say(2, 'new');
  await rig.watch(500);
  told.push(model.announcement);
  rig.server.say(2, 'known');
  await rig.watch(500);
  expect(told).toEqual([announcement]);
  expect(model.announcement).toContain('known');
});

test('a table where only people come and go keeps no position twice', () => {
  const told = new Told();
  const update = (seq: number, pirates: string[][]): Update =>
    ({ seq, position: { pirates }, events: [] }) as unknown as Update;
  told.see(update(2, [['s']]), true);
  for (let times = 0; times < 500; times++) told.see(update(2, [['s']]), false);
  told.see(update(3, [['1']]), false);
  expect(told.shown.map(({ seq }) => seq)).toEqual([2, 3]);
});

test('a table that was left leads to no rematch, refuses nothing aloud, and is shown to no coach', async () => {
  const { visit } = await rig.open();
  const refused = visit.again(); // this server knows no rematches
  visit.close();
  await rig.watch(1000);
  expect([await refused, visit.model.picks.answer]).toEqual([undefined, undefined]);
  const see = vi.fn();
  visit.advise({ see, allows: () => Promise.resolve(true), leave: () => undefined });
  expect(see).not.toHaveBeenCalled();
});

test.each([
  ['an answer that the line has overtaken', 0],
  ['what is asked for where the line has lost an event', 1],
])('%s brings nobody back who has gone', async (_, lost) => {
  const { visit } = await rig.open();
  const { server, network } = rig;
  const answer = server.answer.bind(server);
  server.answer = async (...asked) => {
    const found = await answer(...asked);
    await new Promise((done) => setTimeout(done, 1000)); // meanwhile more happens
    return found;
  };
  for (const socket of network.open) Object.assign(socket, { after: server.table.seq + lost });
  for (let word = 0; word < lost + 1; word++) server.say(2, 'Ahoy');
  if (!lost) network.page.event('online'); // the page asks
  await rig.watch(100);
  server.absent.add(2);
  for (const socket of network.open) socket.tell(true);
  await rig.watch(10_000);
  expect(visit.latest?.seats.map(({ online }) => online)).toEqual([true, false]);
  rig.expectTruth();
});
