/** Screens and their parts, mounted in a document with a server that the test answers for. */
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../../src/app/settings.svelte.ts';
import { api } from '../../src/net/api.ts';
import type { LobbyTable } from '../../src/net/wire.ts';
import { keptPromise } from '../../src/net/promise.ts';
import { speech } from '../../src/i18n/i18n.svelte.ts';
import { finishRenewal, keepSeat, keptSeat, keptSeats } from '../../src/net/seats.ts';
import Home from '../../src/screens/Home.svelte';
import Invitation from '../../src/screens/Invitation.svelte';
import Join from '../../src/screens/Join.svelte';
import MyTables from '../../src/screens/MyTables.svelte';
import NewTable from '../../src/screens/NewTable.svelte';
import OpenTables from '../../src/screens/OpenTables.svelte';
import SettingsButton from '../../src/screens/SettingsButton.svelte';
import WaitingRoom from '../../src/screens/WaitingRoom.svelte';
import YourData from '../../src/screens/YourData.svelte';
import { ABOUT, asked, goTo, looks, one, seat, serve, type Answer } from './serving.ts';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

beforeEach(async () => {
  localStorage.clear();
  await goTo('#/home');
  asked.length = 0;
  serve({});
});

test('the list of tables shows a few, then more, and the latest first', async () => {
  for (let at = 1; at <= 30; at++) keepSeat(seat(`t${at}`, at));
  render(MyTables);
  const shown = (): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('[data-mine]')].map((item) => item.dataset['mine']);
  expect([shown().length, shown()[0]]).toEqual([8, 't30']);
  await fireEvent.click(one('[data-more]'));
  expect([shown().length, shown().at(-1)]).toEqual([30, 't1']);
  expect(document.querySelector('[data-more]')).toBeNull();
});

test('a finished game is one tap from its replay and its review', () => {
  keepSeat(seat('t1', 1, { over: true }));
  keepSeat(seat('t2', 2));
  render(MyTables);
  const links = (table: string): (string | null)[] =>
    [...document.querySelectorAll(`[data-mine=${table}] a`)].map((link) => link.getAttribute('href'));
  expect([links('t1'), links('t2')]).toEqual([['#/replay/t1', '#/review/t1'], ['#/table/t2']]);
});

test('the start page shows the four games, the game that goes on and the puzzle of the day', async () => {
  keepSeat(seat('t1', 1));
  serve({ '/about': { body: ABOUT }, '/lobby': { body: { tables: [] } } });
  render(Home);
  await waitFor(() => expect(document.querySelectorAll('[data-play]:not([disabled])').length).toBe(4));
  expect(one('[data-continue]').getAttribute('href')).toBe('#/table/t1');
  await waitFor(() => expect(document.querySelectorAll('[data-play] .picture').length).toBe(4));
  await waitFor(() => expect(one('[data-daily]').getAttribute('href')).toMatch(/^#\/puzzle\/jamaica\/\d{4}-/));
  expect(one('[data-daily] [data-streak]').textContent).toBe('Streak: 0');
});

test('who waits on the start page is shown a rematch that is set up meanwhile', async () => {
  const ticks = vi.spyOn(globalThis, 'setInterval');
  keepSeat(seat('t1', 1, { over: true }));
  const told = (next: string | null): Readonly<Record<string, Answer>> => ({
    ...{ '/about': { body: ABOUT }, '/lobby': { body: { tables: [] } } },
    ...looks({
      t1: { stage: 'over', seats: [], outcome: null, next, position: null, you: { seats: [1] }, table: 't1' },
    }),
  });
  serve(told(null));
  render(Home);
  await waitFor(() => expect(document.querySelectorAll('[data-play]:not([disabled])').length).toBe(4));
  await waitFor(() => expect(asked.filter(({ path }) => path === '/api/look').length).toBe(1));
  serve(told('t2'));
  for (const [tick] of ticks.mock.calls) (tick as () => void)();
  ticks.mockRestore();
  await waitFor(() => one("[data-mine='t1'] [data-action=rematch]"));
});

test('a lost seat is removed when asked twice, not by a double click', async () => {
  keepSeat(seat('t1', 1, { gone: true }));
  render(MyTables);
  await fireEvent.click(one('[data-remove]'), { detail: 1 });
  await fireEvent.click(one('[data-remove]'), { detail: 2 });
  expect(keptSeats().length).toBe(1);
  await fireEvent.click(one('[data-remove]'), { detail: 1 });
  await waitFor(() => expect(keptSeats()).toEqual([]));
});

test('the list offers a rematch until its seat is taken', async () => {
  keepSeat(seat('t1', 1, { over: true }));
  const update = { table: 't1', stage: 'over', seats: [], you: { seats: [1] }, outcome: { winner: 1 }, next: 't2' };
  serve({ ...looks({ t1: update }), '/t2': { body: { fair: { commitment: 'c' } } } });
  const { unmount } = render(MyTables);
  await waitFor(() => one('[data-mine=t1] [data-action=rematch]'));
  keepSeat(seat('t2', 2));
  unmount();
  render(MyTables);
  expect(document.querySelector('[data-action=rematch]')).toBeNull();
});

test('the host of a rematch has a link for every seat that is free, also for one with a name', async () => {
  keepSeat(seat('t0', 0, { over: true, next: 't1' }));
  keepSeat(seat('t1', 1));
  serve({ '/remove': { body: {} }, '/invites/3': { body: { chair: 3, invite: 'i3' } } });
  const seats = [
    { seat: 1, taken: true, kind: 'person', name: 'Ann' },
    { seat: 2, taken: false, kind: 'person', name: 'Ben' },
    { seat: 3, taken: false, kind: 'person', name: 'Cleo' },
  ];
  const visit = { table: 't1', token: 'x', latest: { table: 't1', seats, you: { seats: [1], host: true } } };
  render(WaitingRoom, { visit: visit as never });
  const link = (seat: number): string => (one(`[data-seat='${seat}'] [data-invite]`) as HTMLInputElement).value;
  expect(link(3)).toBe(link(2)); // the seats are Ben's and Cleo's: they find them at the old table
  await fireEvent.click(one("[data-seat='3'] [data-action=remove]"));
  expect(asked.filter(({ path }) => path.endsWith('/remove'))).toEqual([]);
  await fireEvent.click(one('[data-action=forget]'));
  await fireEvent.click(one('[data-action=remove-sure]'));
  await waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/remove'))?.body).toEqual({ seat: 3, forget: true }),
  );
  await waitFor(() =>
    expect([link(2), link(3)].map((each) => each.split('#')[1])).toEqual(['/table/t0', '/join/t1/i3']),
  );
  expect(keptSeat('t1')?.invites).toEqual({ 3: 'i3' });
});

test('the host invites the players of an earlier game, who find their seats there', async () => {
  const summary = { others: ['Ben'], state: 'won', name: 'Ann' };
  keepSeat(seat('t0', 0, { over: true, summary, token: 'y' }));
  keepSeat(seat('t2', 0, { over: true, summary, next: 't3' })); // they are asked already
  keepSeat(seat('t1', 1, { invites: { 2: 'i2', 3: 'i3' } }));
  serve({ '/t1/ask': { body: { seats: [2] } } });
  const seats = [1, 2, 3].map((number) => ({ seat: number, taken: number === 1, kind: 'person', name: '' }));
  const visit = { table: 't1', token: 'x', latest: { table: 't1', seats, you: { seats: [1], host: true } } };
  render(WaitingRoom, { visit: visit as never });
  expect(document.querySelectorAll('[data-ask-game]').length).toBe(1);
  await fireEvent.click(screen.getByText('Invite Ben'));
  await waitFor(() => expect(document.querySelector('[data-ask]')).toBeNull());
  expect(asked.find(({ path }) => path.endsWith('/ask'))?.body).toEqual({ table: 't0', token: 'y' });
  expect([keptSeat('t0')?.next, keptSeat('t1')?.invites]).toEqual(['t1', { 3: 'i3' }]);
  expect((one("[data-seat='2'] [data-invite]") as HTMLInputElement).value.split('#')[1]).toBe('/table/t0');
  expect(one("[data-seat='2'] .name").textContent).toBe('Ben has not joined yet');
});

test('a table that the server does not know any more is told to be gone', async () => {
  keepSeat(seat('t1', 1));
  serve(looks({}));
  render(MyTables);
  await waitFor(() => expect(keptSeat('t1')?.gone).toBe(true));
});

test('a request that is not wanted any more is not waited for', async () => {
  const wait = (_: URL, { signal }: RequestInit): Promise<never> =>
    new Promise((_, fail) => signal?.aborted && fail(new DOMException('aborted', 'AbortError')));
  vi.stubGlobal('fetch', wait);
  await expect(api.create({ seats: [] }, AbortSignal.abort())).rejects.toMatchObject({ code: 'offline' });
});

test('settings are kept as they are chosen', async () => {
  render(SettingsButton);
  await fireEvent.change(screen.getByDisplayValue('System'), { target: { value: 'dark' } });
  await fireEvent.change(screen.getByDisplayValue('Normal'), { target: { value: 'fast' } });
  expect([settings.theme, settings.pace, document.documentElement.dataset['theme']]).toEqual(['dark', 'fast', 'dark']);
  expect(JSON.parse(localStorage.getItem('cartagena.settings') ?? '')).toMatchObject({ theme: 'dark', pace: 'fast' });
});

test('a browser that refuses notifications is told, and the box stays empty', async () => {
  vi.stubGlobal('Notification', { requestPermission: () => Promise.resolve('denied') });
  render(SettingsButton);
  const box = one('[data-switch=notify]') as HTMLInputElement;
  await fireEvent.click(box);
  await waitFor(() => expect(document.querySelector('.denied')).not.toBeNull());
  expect([box.checked, settings.notify]).toEqual([false, false]);
});

test('a new table is asked for as the form says', async () => {
  serve({ '/about': { body: ABOUT }, '/tables': { status: 403, body: { error: { code: 'too-many', message: '' } } } });
  render(NewTable, { parts: [] });
  await waitFor(() => one('[data-edition]'));
  expect(document.querySelectorAll('.choice .picture').length).toBe(4);
  expect((one('details') as HTMLDetailsElement).open).toBe(false); // more is shown when it is asked for
  await fireEvent.click(one('input[value=nest]'));
  expect(document.querySelector('[data-edition]')).toBeNull(); // it has one edition
  await fireEvent.submit(one('form'));
  await waitFor(() =>
    expect(asked.at(-1)?.body).toMatchObject({ rules: 'nest-nl', clock: { kind: 'none' }, lots: true, lobby: false }),
  );
  const { seats } = asked.at(-1)?.body as { seats: { kind: string }[] };
  expect(seats.map(({ kind }) => kind)).toEqual(['here', 'computer']);
  await waitFor(() => expect(one('form button.go').hasAttribute('disabled')).toBe(false)); // refused: it can be sent again
});

test('a table by post cannot be set up while an older server runs, and the form says why', async () => {
  const days = [1, 2, 3, 7, 14];
  await speech.learn('post');
  serve({ '/about': { body: { ...ABOUT, post: { days, why: 'A server of the version before still runs.' } } } });
  const old = render(NewTable, { parts: [] });
  await waitFor(() => one('[data-time=post]'));
  const why = 'Games by post can be set up once every server of this site runs the new version.';
  expect(one('[data-time=post]').hasAttribute('disabled')).toBe(true);
  expect(document.body.textContent).toContain(why);
  old.unmount();
  serve({ '/about': { body: { ...ABOUT, post: { days, why: null } } } });
  render(NewTable, { parts: [] });
  await waitFor(() => one('[data-time=post]'));
  expect(one('[data-time=post]').hasAttribute('disabled')).toBe(false);
  expect(document.body.textContent).not.toContain(why);
});

test('a game that is kept in this browser has no clock, also where days by post were chosen before', async () => {
  serve({ '/about': { body: { ...ABOUT, post: { days: [1, 2], why: null } } } });
  render(NewTable, { parts: [] });
  await waitFor(() => one('[data-time=post]'));
  await fireEvent.click(one('[data-time=post]'));
  await fireEvent.click(one('[data-here]'));
  const clock = (): HTMLSelectElement => one('[data-clock]') as HTMLSelectElement;
  await waitFor(() => expect([clock().value, clock().selectedOptions[0]?.textContent]).toEqual(['none', 'No clock']));
  await fireEvent.change(clock(), { target: { value: 'turn' } });
  expect(clock().value).toBe('turn');
});

const PREVIEW = {
  stage: 'waiting',
  commitment: 'c1',
  setup: { rules: 'jamaica-en', seats: [{}, {}], clock: { kind: 'turn', seconds: 30 }, spectators: 'none', lots: true },
  seats: [
    { seat: 1, taken: true, name: 'Ann', level: null },
    { seat: 2, taken: false, name: '', level: null },
  ],
};

test('a guest sees the terms, joins with a name, and keeps the seat', async () => {
  const seats = PREVIEW.seats.map((seat) => ({ ...seat, taken: true, salted: false }));
  const snapshot = { ...PREVIEW, seats, table: 't7', you: { seats: [2] }, fair: { commitment: 'c1' } };
  const preview = { ...PREVIEW, setup: { ...PREVIEW.setup, salts: 20 } };
  serve({ '/preview': { body: preview }, '/join': { body: { token: 'mine', snapshot } }, '/salt': { body: snapshot } });
  render(Join, { parts: ['t7', 'invited'] });
  await waitFor(() => one('form'));
  expect(one('.terms').textContent).toContain('30 seconds per turn');
  await fireEvent.input(one('form input'), { target: { value: 'Ben' } });
  await fireEvent.submit(one('form'));
  await waitFor(() => expect(keptSeat('t7')).toMatchObject({ token: 'mine', name: 'Ben' }));
  await waitFor(() => expect(keptPromise('t7')).toMatchObject({ commitment: 'c1', chairs: [2], added: true }));
  expect(asked.at(-2)?.body).toMatchObject({ name: 'Ben', invite: 'invited', salt: '' }); // the chair is not known yet
  expect(asked.at(-1)?.body).toEqual({ salt: keptPromise('t7')?.salt });
  expect(location.hash).toBe('#/table/t7');
});

test('who was removed from a seat sits down again with a new link, and who has the seat goes to the table', async () => {
  keepSeat(seat('t7', 1));
  const gone = { status: 401, body: { error: { code: 'not-seated', message: '' } } };
  serve({ '/preview': { body: PREVIEW }, '/t7': gone });
  render(Join, { parts: ['t7', 'again'] });
  await waitFor(() => one('form'));
  expect(keptSeat('t7')).toBeUndefined();
  keepSeat(seat('t8', 1));
  serve({});
  render(Join, { parts: ['t8', 'used'] }); // the server does not answer: the table says so
  await waitFor(() => expect(location.hash).toBe('#/table/t8'));
});

test.each([
  [20, 'after 20 seconds'],
  [120, 'after 2 minutes'],
  [0, 'Absent players are waited for'],
])('the page to join tells when the computer takes over from an absent player: %s', async (absence, words) => {
  const setup = { ...PREVIEW.setup, clock: { kind: 'none' }, absence };
  serve({ '/preview': { body: { ...PREVIEW, setup } } });
  render(Join, { parts: ['t7', 'invited'] });
  await waitFor(() => expect(one('.terms').textContent).toContain(words));
});

test.each([
  ['no-such-table', 'Table not found'],
  ['full', 'No seat available'],
])('a link that is refused with %s leads to "%s"', async (code, title) => {
  serve({ '/preview': { status: 409, body: { error: { code, message: '' } } } });
  render(Join, { parts: ['t7', 'invited'] });
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title));
});

const open = (table: string, rules: string, kind: string, free: number): LobbyTable =>
  ({ table, rules, host: 'Ann', clock: { kind, seconds: 60 }, free, seats: [{}, {}], spectators: 'public' }) as never;

test('open tables are filtered by free seats, and a free seat is a link to join', async () => {
  render(OpenTables, {
    tables: [
      open('a', 'jamaica-en', 'none', 1),
      open('b', 'tortuga-de', 'turn', 0),
      open('c', 'jamaica-de', 'turn', 1),
    ],
  });
  const shown = (): string =>
    [...document.querySelectorAll<HTMLElement>('[data-open]')].map((item) => item.dataset['open']).join('');
  expect(shown()).toBe('abc');
  await fireEvent.click(one('[data-filter=free]'));
  expect(shown()).toBe('ac');
  expect(one('[data-open=c] a').getAttribute('href')).toBe('#/join/c');
});

test('an invitation is copied, also where the browser offers no clipboard', async () => {
  const copy = vi.fn(() => true);
  Object.assign(document, { execCommand: copy });
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: () => Promise.reject(new Error('no')) } });
  render(Invitation, { link: 'https://example.org/#/join/t1/x', label: 'Link' });
  await fireEvent.click(one('[data-action=copy]'));
  await waitFor(() => expect(one('[data-action=copy]').textContent).toBe('Copied'));
  expect(copy).toHaveBeenCalledWith('copy');
  const { value, selectionStart, selectionEnd } = one('input') as HTMLInputElement;
  expect([selectionStart, selectionEnd]).toEqual([0, value.length]);
  vi.unstubAllGlobals();
});

test('data are deleted after a second word, with the seats of all rematches', async () => {
  for (const table of ['t1', 't2']) keepSeat(seat(table, 1));
  serve({ '/forget': { body: {} } });
  render(YourData, { table: 't1', token: 'x' });
  await fireEvent.click(one('[data-yours=delete]'));
  expect(asked).toEqual([]);
  await fireEvent.click(one('[data-yours=sure]'));
  await waitFor(() => expect(keptSeats()).toEqual([]));
});

test('a token is renewed for all rematches, and again with the same one if the answer is lost', async () => {
  for (const table of ['t1', 't2']) keepSeat(seat(table, 1));
  const reopen = vi.fn();
  render(YourData, { table: 't1', token: 'x', reopen });
  await fireEvent.click(one('[data-yours=renew]'));
  await waitFor(() => expect(one('[role=alert]')).toBeTruthy());
  expect(keptSeat('t1')?.token).toBe('x');
  serve({ '/token': { body: {} } });
  await fireEvent.click(one('[data-yours=renew]'));
  await waitFor(() => expect(reopen).toHaveBeenCalledOnce());
  const [first, second] = asked.map(({ body }) => (body as { token: string }).token);
  expect(second).toBe(first);
  expect(keptSeats().map(({ token, renewing }) => [token, renewing])).toEqual(Array(2).fill([first, undefined]));
});

test('a token whose renewal was not confirmed is taken over when the old one is refused', () => {
  keepSeat(seat('t1', 1, { renewing: 'y' }));
  expect([finishRenewal('t1', 'x'), keptSeat('t1')?.token, finishRenewal('t1', 'y')]).toEqual([true, 'y', false]);
});

test('a token that another window has renewed is taken over when the old one is refused', () => {
  keepSeat(seat('t1', 1, { token: 'y' }));
  expect([finishRenewal('t1', 'x'), finishRenewal('t1', 'y'), finishRenewal('t2', 'x')]).toEqual([true, false, false]);
});

test('a link that others cannot use says so, and names one that they can', async () => {
  serve({ '/about': { body: { ...ABOUT, addresses: ['http://192.168.0.7:8017/'] } } });
  render(Invitation, { link: 'http://127.0.0.1:8017/#/join/t1/x', label: 'Link' });
  await waitFor(() => expect(one('[data-loopback]').textContent).toContain('http://192.168.0.7:8017/#/join/t1/x'));
});

test('a link is sent by what the device offers for that', async () => {
  const share = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { share });
  render(Invitation, { link: 'https://example.org/#/review/r/x/7', label: 'Link', plain: true });
  expect(document.querySelector('.code')).toBeNull();
  await fireEvent.click(one('[data-action=send]'));
  expect(share).toHaveBeenCalledWith({ url: 'https://example.org/#/review/r/x/7' });
  vi.unstubAllGlobals();
});

test('every turn that is due stands at the top of the start page, the most urgent first', () => {
  const due = (hours: number, name: string): object => ({
    summary: { others: [name], state: 'turn', name: '', due: Date.now() + hours * 3_600_000 },
  });
  keepSeat(seat('t1', 9));
  keepSeat(seat('t2', 2, due(48, 'Ben')));
  keepSeat(seat('t3', 3, due(3, 'Cleo')));
  serve({ '/about': { body: ABOUT }, '/lobby': { body: { tables: [] } } });
  render(Home);
  const next = [...document.querySelectorAll<HTMLElement>('.top [data-continue]')];
  expect(next.map((link) => link.getAttribute('href'))).toEqual(['#/table/t3', '#/table/t2']);
  expect(next[0]?.textContent).toMatch(/^Your turn.*against Cleo$/);
});
