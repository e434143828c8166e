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

const moveOf = (seat: number, kind: 'advance' | 'end'): unknown => ({ type: 'move', seat, move: { kind }, to: null });
const [MOVE, END] = [moveOf(2, 'advance'), moveOf(2, 'end')];
/** The scene after moves of a computer, seat 2, with its number as the key. After its end it is the turn of the viewer, seat 1. */
const sceneOf = (key: number, events: unknown[], more: Partial<Scene> = {}): Scene => {
  const { turn, ...board } = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  const isMine = events.includes(END);
  const options = isMine ? { legal: [{ move: { kind: 'end' }, to: null, cards: 0 }], illegal: [] } : null;
  return {
    ...{ key, position: { ...board, turn: { ...turn, seat: isMine ? 1 : 2 } }, options, undo: null, viewer: 1 },
    ...{ actions: 3, seats: [personAt(1), { ...personAt(2), kind: 'computer' }], events, outcome: null },
    ...more,
  } as unknown as Scene;
};

/** A table of the viewer and a computer that has just begun its turn, with the milliseconds at which each event was shown and the bell rang. */
function watched(pace: string): { model: TableModel; shown: () => unknown[]; rings: readonly number[] } {
  keep({ pace: pace as never });
  const began = performance.now();
  const [times, rings]: [number[], number[]] = [[], []];
  const ring = (): void => void rings.push(performance.now() - began);
  const model = new TableModel(() => Promise.resolve(), ring);
  Object.assign(model, { shown: () => times.push(performance.now() - began) });
  model.set(sceneOf(0, []));
  return { model, rings, shown: () => [...times, model.mode.name] };
}

test("a computer's moves are shown as they come, each readable, and nothing is waited for after the last one", async () => {
  const { model, shown } = watched('normal');
  for (const [number, event] of [MOVE, MOVE, MOVE, END].entries()) {
    model.push(sceneOf(number + 1, [event])); // a level that does not search: a step of 100 ms, and the end at once
    if (number < 2) await pass(100);
  }
  await pass(2000);
  expect(shown()).toEqual([0, 650, 1300, 1300, 'idle']);
});

test('what a table has waited for is not waited for again', async () => {
  const { model, shown } = watched('normal');
  for (const [number, event] of [MOVE, MOVE, MOVE, END].entries()) {
    if (number < 3) await pass(750); // a level that searches
    model.push(sceneOf(number + 1, [event]));
  }
  await pass(0);
  expect(shown()).toEqual([750, 1500, 2250, 2250, 'idle']);
});

test("while the viewer's clock runs, what led to the turn is shown quickly, and the bell comes after it", async () => {
  const { model, shown, rings } = watched('normal');
  model.push(sceneOf(1, [MOVE]));
  model.push(sceneOf(2, [MOVE]));
  await pass(100);
  model.push(sceneOf(3, [MOVE]));
  model.push(sceneOf(4, [END], { isTimed: true, turn: true }));
  await pass(2000);
  expect(shown()).toEqual([0, 650, 900, 900, 'idle']);
  expect(rings).toEqual([900]);
});

test('without animations nothing is waited for', async () => {
  const { model, shown } = watched('instant');
  model.push(sceneOf(1, [MOVE, MOVE, MOVE, END]));
  await pass(0);
  expect(shown()).toEqual([0, 0, 0, 0, 'idle']);
});

test("a skip shows at once what has come and what comes, until it is the viewer's turn", async () => {
  const { model, shown } = watched('normal');
  model.push(sceneOf(1, [MOVE]));
  model.push(sceneOf(2, [MOVE]));
  await pass(100);
  expect(shown()).toEqual([0, 'playing']);
  model.skip();
  await pass(0);
  expect(shown()).toEqual([0, 100, 'idle']);
  model.push(sceneOf(3, [MOVE]));
  model.push(sceneOf(4, [END]));
  await pass(0);
  expect(shown()).toEqual([0, 100, 100, 100, 'idle']);
  model.skip(); // it is the viewer's turn: there is nothing to skip
  model.push(sceneOf(5, [MOVE]));
  model.push(sceneOf(6, [MOVE]));
  await pass(5000);
  expect(shown()).toEqual([0, 100, 100, 100, 750, 1400, 'idle']);
});

test("the winner's crew cheers once the last of many moves was shown, then the card comes", async () => {
  keep({ pace: 'normal' });
  const model = new TableModel(() => Promise.resolve());
  model.set(sceneOf(1, []));
  model.push(sceneOf(2, Array(6).fill(MOVE), { outcome: { winner: 2, how: 'home' } }));
  await pass(3500);
  expect([model.is('playing'), model.cheers.shown]).toEqual([true, undefined]);
  await pass(500);
  expect([model.is('playing'), model.cheers.shown]).toEqual([false, true]);
  await pass(3000);
  expect(model.cheers.shown).toBeUndefined();
  keep({ pace: 'instant' });
});
