/** Pages that were left while they waited: what they began comes to an end, and nothing else happens. */
import { configure, fireEvent, render, waitFor } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import vectors from '../../../tests/study/vectors.json';
import { keepSeat } from '../../src/net/seats.ts';
import { offer } from '../../src/review/files.ts';
import Home from '../../src/screens/Home.svelte';
import Join from '../../src/screens/Join.svelte';
import LessonScreen from '../../src/screens/LessonScreen.svelte';
import MyTables from '../../src/screens/MyTables.svelte';
import NewTable from '../../src/screens/NewTable.svelte';
import ReplayScreen from '../../src/screens/ReplayScreen.svelte';
import ReviewScreen from '../../src/screens/ReviewScreen.svelte';
import YourData from '../../src/screens/YourData.svelte';
import { speech } from '../../src/i18n/i18n.svelte.ts';
import { ABOUT, asked, goTo, one, seat, serve, serveWithEngine, type Answer } from './serving.ts';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

/** Lets the answer come that the page waits for. */
let release: () => void;
let held: Promise<void>;
let workers = 0;

beforeEach(async () => {
  localStorage.clear();
  document.body.replaceChildren();
  await goTo('#/home');
  asked.length = 0;
  held = new Promise((done) => (release = done));
  workers = 0;
  vi.stubGlobal('Worker', function () {
    workers++;
    return { postMessage: () => undefined, terminate: () => undefined };
  });
  await Promise.all([speech.learn('learn'), speech.learn('review')]);
});

/** The lobby has the address of new tables. */
const isAsked = (path: string): boolean =>
  asked.some((each) => each.path.endsWith(path) && (path !== '/tables' || each.body !== null));
/** Whatever follows from an answer has happened. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await new Promise((done) => setTimeout(done, 5));
};

const SNAPSHOT = { stage: 'playing', seats: [], you: { seats: [] }, fair: { commitment: 'c' }, setup: {} };
const made = (): Answer => ({
  body: { table: 't9', token: 'y', invites: [], snapshot: SNAPSHOT, tables: [] },
  after: held,
});
const PREVIEW = {
  ...{ stage: 'waiting', commitment: 'c', setup: { rules: 'jamaica-en', clock: { kind: 'none' } } },
  seats: [{ seat: 1, taken: false, name: '', level: null }],
};

/** How a page comes to wait for the answer that would lead on, and the end of the path that it asks. */
const WAITING: Readonly<Record<string, readonly [string, () => unknown]>> = {
  'the start page': [
    '/tables',
    async () => {
      serve({ '/about': { body: ABOUT }, '/lobby': { body: { tables: [] } }, '/tables': made() });
      render(Home);
      await waitFor(() => one('[data-play=jamaica]:not([disabled])'));
      await fireEvent.click(one('[data-play=jamaica]'));
    },
  ],
  'the form for a new table': [
    '/tables',
    async () => {
      serve({ '/about': { body: ABOUT }, '/tables': made() });
      render(NewTable, { parts: [] });
      await waitFor(() => one('[data-edition]'));
      await fireEvent.submit(one('form'));
    },
  ],
  'the end of the lessons': [
    '/tables',
    async () => {
      serveWithEngine({ '/about': { body: ABOUT }, '/tables': made() });
      render(LessonScreen, { parts: ['tunnel', '8'] });
      await waitFor(() => one('[data-card=P]'));
      await fireEvent.click(one('[data-card=P]'));
      await waitFor(() => one("[data-place='30']"));
      await fireEvent.click(one("[data-place='30']"));
      await waitFor(() => one('[data-action=next]'));
      await fireEvent.click(one('[data-action=next]'));
    },
  ],
  'the list of tables': [
    '/join',
    async () => {
      keepSeat(seat('t1', 1, { over: true, next: 't2' }));
      serve({ '/t2': { body: { fair: { commitment: 'c' }, you: { seats: [] } } }, '/join': made() });
      render(MyTables);
      await fireEvent.click(one('[data-action=rematch]'));
    },
  ],
  'an invitation to a table at which one sits': [
    '/t7',
    () => {
      keepSeat(seat('t7', 1));
      serve({ '/t7': { body: SNAPSHOT, after: held } });
      render(Join, { parts: ['t7', 'invited'] });
    },
  ],
  'an invitation that was accepted': [
    '/join',
    async () => {
      serve({ '/preview': { body: PREVIEW }, '/join': made() });
      render(Join, { parts: ['t9', 'invited'] });
      await waitFor(() => one('form'));
      await fireEvent.submit(one('form'));
    },
  ],
  'a replay of a table for spectators': [
    '/t7',
    () => {
      serve({ '/t7': { body: SNAPSHOT, after: held } });
      render(ReplayScreen, { parts: ['t7'] });
    },
  ],
  'the data of a person': [
    '/forget',
    async () => {
      serve({ '/mine': { body: {}, after: held }, '/forget': { body: {}, after: held } });
      render(YourData, { table: 't7', token: 'x' });
      await fireEvent.click(one('[data-yours=delete]'));
      await fireEvent.click(one('[data-yours=sure]'));
    },
  ],
};

test.each(Object.keys(WAITING))('%s takes nobody back who has gone on', async (name) => {
  const [path, begin] = WAITING[name] as (typeof WAITING)[string];
  await begin();
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  await waitFor(() => expect(isAsked(path)).toBe(true));
  await goTo('#/rules');
  release();
  await settled();
  expect(location.hash).toBe('#/rules');
});

const named = (name: string, rules = 'jamaica-en'): string =>
  `[Seat1 "${name}"]\n${vectors.find(({ record }) => record.includes(rules))?.record ?? ''}`;
const names = (): (string | null)[] => [...document.querySelectorAll('.crew .name')].map((node) => node.textContent);

/** A page that waits for the record of a table, while its reader gives it another one. */
const RECORDS: Readonly<Record<string, readonly [Component<{ parts: string[] }>, (text: string) => unknown]>> = {
  'the review': [ReviewScreen, (text) => offer(Promise.resolve(text))],
  'the replay': [
    ReplayScreen,
    async (text) => {
      await fireEvent.input(one('[data-text]'), { target: { value: text } });
      await fireEvent.click(one('[data-action=read]'));
    },
  ],
};

test.each(Object.keys(RECORDS))(
  '%s keeps the record that was asked for last, however late another one comes',
  async (name) => {
    const [Screen, give] = RECORDS[name] as (typeof RECORDS)[string];
    keepSeat(seat('t1', 1, { over: true }));
    serveWithEngine({ '/t1/record': { body: named('Older'), after: held } });
    render(Screen, { parts: ['t1'] });
    await waitFor(() => expect(isAsked('/t1/record')).toBe(true));
    await give(named('Newer'));
    await waitFor(() => expect(names()[0]).toContain('Newer'));
    release();
    await settled();
    expect(names()[0]).toContain('Newer');
  },
);

test('a file that is read slowly takes the place of no record that was given later', async () => {
  serveWithEngine({});
  render(ReplayScreen, { parts: [] });
  const file = { size: 1, text: () => held.then(() => named('Older')) };
  await fireEvent.change(one('input[type=file]'), { target: { files: [file] } });
  await RECORDS['the replay']?.[1](named('Newer'));
  await waitFor(() => expect(names()[0]).toContain('Newer'));
  release();
  await settled();
  expect(names()[0]).toContain('Newer');
});

test.each(['the record', 'a network'])('a review that is left while %s is fetched starts no workers', async (what) => {
  keepSeat(seat('t1', 1, { over: true }));
  const isRecord = what === 'the record';
  // The networks of a game are fetched once, so this one is of its own for each case.
  const record = { body: named('Ann', isRecord ? 'nest-nl' : 'hispaniola-en'), ...(isRecord ? { after: held } : {}) };
  serveWithEngine({ '/t1/record': record }, isRecord ? undefined : held);
  const { unmount } = render(ReviewScreen, { parts: ['t1'] });
  await waitFor(() => expect(isAsked(isRecord ? '/t1/record' : '.network')).toBe(true));
  const evaluating = isRecord ? 0 : 1; // the position that is shown is evaluated at once
  await waitFor(() => expect(workers).toBe(evaluating));
  await goTo('#/rules');
  unmount();
  release();
  await settled();
  expect(workers).toBe(evaluating);
});
