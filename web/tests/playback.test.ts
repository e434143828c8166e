/** A record that is shown step by step, by the same playback as a table. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keep } from '../src/app/settings.svelte.ts';
import { drawing } from '../src/game/position.ts';
import type { StudyRecord } from '../src/net/wire.ts';
import { Replay } from '../src/review/replay.svelte.ts';
import { personAt, type Scene } from '../src/session/scene.ts';
import { TableModel } from '../src/table/model.svelte.ts';
import { Page } from './page.ts';

/** A pirate that goes from field to field. */
const shownAt = (place: string): unknown => ({
  text: place,
  position: { ...drawing('jamaica', 'BPHSDK/DBKPHS', place), row: null, discard: { size: 0, cards: {} }, sloop: null },
});
const step = (from: string, to: string): unknown => ({
  ...(shownAt(to) as object),
  seat: 1,
  turn: 1,
  move: { kind: 'advance', from, card: 'B' },
  to,
  cards: [],
  draws: 0,
});
const record = {
  tags: {},
  opening: shownAt('s'),
  steps: [step('s', '1'), step('1', '3'), step('3', '7')],
} as unknown as StudyRecord;
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const places = (replay: Replay): readonly string[] | undefined => replay.position?.pirates[0];
let replay: Replay;

beforeEach(() => {
  vi.useFakeTimers();
  new Page().keep('cartagena.settings', { pace: 'instant' });
  replay = new Replay();
  replay.open('a record', record);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a replay shows a step of the game whatever number the link has', () => {
  const at = [NaN, -4, 1.7, Infinity, 99].map((number) => (replay.lookAt(number), replay.at));
  expect(at).toEqual([0, 0, 1, 3, 3]);
  expect([replay.textAt(), places(replay)]).toEqual(['7', ['7']]);
});

test('a replay goes on by itself to its end, and from the beginning again', async () => {
  void replay.toggle();
  expect([replay.playing, places(replay)]).toEqual([true, ['s']]);
  await pass(5000);
  expect([replay.playing, replay.at, places(replay)]).toEqual([false, 3, ['7']]);
  void replay.toggle();
  expect([replay.playing, replay.at]).toEqual([true, 0]);
});

test('a replay that is paused or left shows nothing more by itself', async () => {
  void replay.toggle();
  await pass(250);
  expect(replay.at).toBe(1);
  replay.pause();
  await pass(5000);
  expect([replay.playing, replay.at, places(replay)]).toEqual([false, 1, ['1']]);
  void replay.toggle();
  replay.close();
  await pass(5000);
  expect(replay.at).toBe(1);
});

test("the winner's crew cheers once the last of many moves was shown, then the card comes", async () => {
  keep({ pace: 'normal' });
  const model = new TableModel(() => Promise.resolve());
  const scene = {
    ...{
      key: 1,
      position: drawing('jamaica', 'BPHSDK/DBKPHS', 's/1'),
      options: null,
      undo: null,
      viewer: 1,
      actions: 3,
    },
    ...{ seats: [1, 2].map(personAt), events: [], outcome: null },
  } as unknown as Scene;
  model.set(scene);
  const events = [1, 2, 3, 4, 5, 6].map((n) => ({ type: 'move', n, seat: 2, move: { kind: 'end' }, to: null }));
  model.push({ ...scene, key: 2, events, outcome: { winner: 2, how: 'won' } } as unknown as Scene);
  await pass(3500);
  expect([model.is('playing'), model.cheers.shown]).toEqual([true, undefined]);
  await pass(500);
  expect([model.is('playing'), model.cheers.shown]).toEqual([false, true]);
  await pass(3000);
  expect(model.cheers.shown).toBeUndefined();
  keep({ pace: 'instant' });
});
