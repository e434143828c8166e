/** The list of a person's games: asked for at once, and in their order. */
import { configure, fireEvent, render, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';
import { keepSeat, keptSeats } from '../../src/net/seats.ts';
import MyTables from '../../src/screens/MyTables.svelte';
import { asked, looks, one, seat, serve } from './serving.ts';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
});

/** What the server tells of a game that goes on. */
const updateOf = (table: string): object => ({
  ...{ table, stage: 'playing', seats: [], outcome: null, next: null, position: null, you: { seats: [1] } },
});

test('a turn that is due at the last of many tables stands first, also when the page is seen again', async () => {
  for (let at = 1; at <= 20; at++) keepSeat(seat(`t${at}`, at, { summary: { others: [], state: 'theirs', name: '' } }));
  const first = (): string | undefined => one('[data-mine]').dataset['mine'];
  const told = (table: string, chooser: number): object => ({
    ...updateOf(table),
    ...{ position: { turn: { chooser } }, clock: { due: Date.now() + 9e7 } },
  });
  const others = Object.fromEntries([...Array(20).keys()].map((n) => [`t${n + 1}`, told(`t${n + 1}`, 2)]));
  serve(looks({ ...others, t1: told('t1', 1) }));
  const { component } = render(MyTables);
  await waitFor(() => expect(first()).toBe('t1'));
  serve(looks({ ...others, t2: told('t2', 1) }));
  void component.refresh();
  await waitFor(() => expect(first()).toBe('t2'));
});

test('thirty games are asked for at once, with their tokens in the body, and one that is gone hides no other', async () => {
  for (let at = 1; at <= 30; at++) keepSeat(seat(`t${at}`, at, { token: `token ${at}` }));
  serve(looks(Object.fromEntries([...Array(29).keys()].map((n) => [`t${n + 1}`, updateOf(`t${n + 1}`)]))));
  render(MyTables);
  await waitFor(() => expect(keptSeats().filter(({ summary }) => summary).length).toBe(29));
  expect(keptSeats().flatMap(({ table, gone }) => (gone ? [table] : []))).toEqual(['t30']);
  const all = [...Array(30).keys()].map((n) => ({ table: `t${30 - n}`, token: `token ${30 - n}` }));
  expect(asked).toEqual([{ path: '/api/look', body: { seats: all } }]);
});

test('more games than the server tells of at once are asked for one part after the other', async () => {
  for (let at = 1; at <= 60; at++) keepSeat(seat(`t${at}`, at));
  serve(looks(Object.fromEntries(keptSeats().map(({ table }) => [table, updateOf(table)]))));
  const { component } = render(MyTables);
  const sizes = (): number[] => asked.map(({ body }) => (body as { seats: unknown[] }).seats.length);
  await waitFor(() => expect(sizes()).toEqual([40])); // all that is in sight, and more
  await fireEvent.click(one('[data-more]'));
  await fireEvent.click(one('[data-more]'));
  await component.refresh();
  expect(sizes()).toEqual(expect.arrayContaining([50, 10]));
  expect(Math.max(...sizes())).toBe(50);
});
