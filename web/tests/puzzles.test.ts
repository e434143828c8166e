import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Engine, EnginePlayer, think } from '../src/engine/index.ts';
import {
  dailyOf,
  dayOf,
  difficultyOf,
  fitting,
  isDay,
  nextMistake,
  nextOf,
  themesOf,
  type Puzzle,
} from '../src/puzzles/choice.ts';
import { judge } from '../src/puzzles/judging.ts';
import { countSolved, dayDone, missed, NOTHING_YET, readProgress, solved } from '../src/puzzles/progress.ts';
import { code, data, network, worker } from './engine.ts';

const FILES = Object.fromEntries(
  ['jamaica', 'tortuga', 'nest'].map((game) => {
    const text = new TextDecoder().decode(
      readFileSync(new URL(`../../src/cartagena/study/data/puzzles-${game}.json`, import.meta.url)),
    );
    return [game, JSON.parse(text) as Puzzle[]];
  }),
);
const TORTUGA = FILES['tortuga'] ?? [];
const ALL = { game: 'tortuga', theme: '', difficulty: '' };

test('every puzzle has one difficulty, and every difficulty and theme has puzzles', () => {
  for (const puzzles of Object.values(FILES)) {
    const counts = ['easy', 'medium', 'hard'].map((difficulty) => fitting(puzzles, { ...ALL, difficulty }).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, each) => sum + each)).toBe(puzzles.length);
    for (const theme of themesOf(puzzles)) expect(fitting(puzzles, { ...ALL, theme }).length).toBeGreaterThan(0);
  }
});

test('the next puzzle fits, is another one, and was not solved before, until all are', () => {
  const choice = { ...ALL, theme: 'win now', difficulty: 'hard' };
  const fit = fitting(TORTUGA, choice);
  let progress = NOTHING_YET;
  for (let number = 0; number < fit.length; number++) {
    const next = nextOf(TORTUGA, choice, progress, (number * 0.37) % 1);
    expect(fit).toContain(next);
    expect(progress.results[next?.name ?? '']).toBeUndefined();
    progress = solved(progress, next?.name ?? '');
  }
  expect(countSolved(progress, fit)).toBe(fit.length);
  expect(fit).toContain(nextOf(TORTUGA, choice, progress, 0.5, fit[0]?.name));
  expect(nextOf(TORTUGA, choice, progress, 0, fit[0]?.name)).not.toBe(fit[0]);
  expect(nextOf(TORTUGA, { ...choice, theme: 'none' }, progress, 0.5)).toBeUndefined();
});

test('mistakes of own games come in their order until all are solved, and then none', () => {
  const own = TORTUGA.slice(0, 3);
  const [one, two, three] = own.map(({ name }) => name);
  const shown = missed(solved(NOTHING_YET, one ?? ''), two ?? '');
  expect(nextMistake(own, NOTHING_YET)?.name).toBe(one);
  expect(nextMistake(own, shown, two)?.name).toBe(three);
  expect(nextMistake(own, shown, three)?.name).toBe(two);
  const all = [two, three].reduce((progress, name) => solved(progress, name ?? ''), shown);
  expect([nextMistake(own, all), nextMistake(own, all, three)]).toEqual([undefined, undefined]);
});

test('a day has one puzzle a game, days are told from names, and ratings from difficulties', () => {
  const days = Array.from({ length: 30 }, (_, day) => dayOf(Date.UTC(2026, 10, 16 + day, 23, 59)));
  expect(days[0]).toBe('2026-11-16');
  expect(new Set(days.map((day) => dailyOf(TORTUGA, 'tortuga', day)?.name)).size).toBeGreaterThan(20);
  expect(dailyOf(TORTUGA, 'tortuga', '2026-11-16')).toBe(dailyOf(TORTUGA, 'tortuga', '2026-11-16'));
  expect(['2026-11-16', '2026-02-30', '2026-99-99', 'tortuga-1-1', ''].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(TORTUGA.filter((puzzle) => difficultyOf(puzzle) === 'easy').every(({ rating }) => rating <= 8)).toBe(true);
});

test('a streak grows with first attempts, ends with a miss, and nothing counts twice', () => {
  let progress = ['a', 'b', 'a'].reduce(solved, NOTHING_YET);
  expect([progress.streak, progress.best]).toEqual([2, 2]);
  progress = missed(missed(progress, 'a'), 'c');
  expect([progress.streak, progress.best, progress.results['a']]).toEqual([0, 2, 'first']);
  progress = solved(progress, 'c');
  const puzzles = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  expect([progress.streak, progress.results['c'], countSolved(progress, puzzles)]).toEqual([0, 'later', 3]);
  progress = dayDone(dayDone(progress, 'nest', '2026-11-16'), 'nest', '2026-11-10');
  expect(progress.days).toEqual({ nest: '2026-11-16' });
  expect(readProgress(JSON.stringify(progress))).toEqual(progress);
});

test.each([
  '{"form":',
  '[]',
  'null',
  '3',
  '{"form":2,"results":{},"streak":0,"best":0,"days":{}}',
  '{"form":1,"results":{"a":"won"},"streak":0,"best":0,"days":{}}',
  '{"form":1,"results":[],"streak":0,"best":0,"days":{}}',
  '{"form":1,"results":{},"streak":-1,"best":0,"days":{}}',
  '{"form":1,"results":{},"streak":0,"best":0,"days":{"nest":1}}',
])('a stored progress that cannot be read is told apart: %s', (text) => {
  expect(readProgress(text)).toBeUndefined();
  expect(readProgress(null)).toBe(NOTHING_YET);
});

test('a turn that has ended is judged from the view of the seat that played it', async () => {
  const engine = await Engine.load(code, data);
  const chosen = Object.values(FILES).flatMap((puzzles) => {
    const known = puzzles.filter(({ themes, judge = 'captain' }) => judge === 'captain' && !themes.includes('win now'));
    return [
      known.find(({ solution }) => solution.endsWith(' end')),
      known.find(({ solution }) => solution.endsWith('<')),
    ];
  });
  let compared = 0;
  for (const { position, solution } of chosen.flatMap((puzzle) => puzzle ?? [])) {
    const view = engine.parse(position);
    const seat = engine.chooser(view);
    const value = (moves: readonly string[]): number => {
      const end = moves.reduce((now, move) => engine.apply(now, move), view);
      expect(engine.chooser(end)).not.toBe(seat);
      const found = think(engine, end, 'captain', { nodes: 2000, seed: 1, observer: seat });
      expect(found.value.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1);
      return found.value[seat - 1] ?? 0;
    };
    const [first = ''] = engine
      .legal(view)
      .filter((move) => move !== solution.split(' ')[0] && engine.chooser(engine.apply(view, move)) === seat);
    expect(value(solution.split(' '))).toBeGreaterThan(value([first, 'end']));
    compared++;
  }
  expect(compared).toBeGreaterThan(1);
});

test('a wrong turn is judged by the level that verified the puzzle, or by the captain where its network cannot be loaded', async () => {
  const engine = await Engine.load(code, data);
  const two = TORTUGA.find(
    ({ position, solution, themes }) =>
      engine.parse(position).seats === 2 && solution.endsWith(' end') && !themes.includes('win now'),
  );
  const view = engine.parse(two?.position ?? '');
  const seat = engine.chooser(view);
  const after = (moves: readonly string[]): string =>
    engine.format(moves.reduce((now, move) => engine.apply(now, move), view));
  const goal = after(two?.solution.split(' ') ?? []);
  const wrong =
    engine
      .legal(view)
      .find((move) => engine.chooser(engine.apply(view, move)) === seat && after([move, 'end']) !== goal) ?? '';
  const judged = (level: string, load = network) =>
    judge(
      { engine, player: new EnginePlayer(worker(), code, data, { network: load }) },
      after([wrong, 'end']),
      goal,
      seat,
      level,
    );
  const captain = await judged('captain');
  expect(await judged('admiral')).not.toEqual(captain);
  expect(await judged('admiral', () => Promise.reject(new Error('offline')))).toEqual(captain);
});
