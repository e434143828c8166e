/** Lessons answer every move: the one they ask for, and every other one. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LESSONS } from '../src/learn/lessons.ts';
import { LessonTrial, Trial } from '../src/learn/trial.svelte.ts';
import { fits } from '../src/net/wire.ts';
import { moveText } from '../src/local/notation.ts';
import { fetchFile } from './engine.ts';

beforeEach(() => vi.stubGlobal('fetch', fetchFile));
afterEach(() => vi.unstubAllGlobals());

/** Play a move by its text. */
async function play(trial: Trial, text: string): Promise<void> {
  const option = trial.model.options.legal.find(({ move }) => moveText(move) === text);
  if (!option) throw new Error(`no ${text}`);
  await trial.model.picks.play(option);
  await vi.waitUntil(() => trial.model.is('idle'));
}

async function begin(course: 'tunnel' | 'nest', number: number): Promise<LessonTrial> {
  const lesson = LESSONS[course][number - 1];
  if (!lesson) throw new Error('no lesson');
  const trial = new LessonTrial(lesson);
  await trial.reset();
  return trial;
}

test('a lesson answers a move that it does not ask for, and never leaves its seat', async () => {
  const trial = await begin('tunnel', 3); // asks for the way back from field 8
  await play(trial, 's:B');
  expect(trial.verdict).toBe('wrong');
  await play(trial, 'end');
  expect([trial.verdict, trial.model.viewer, trial.model.position?.turn.seat]).toEqual(['wrong', 1, 2]);
  await trial.reset();
  expect(trial.verdict).toBe('open');
  await play(trial, '8<');
  expect([trial.verdict, trial.model.isDone]).toEqual(['done', true]);
});

test('an open board is played for whichever seat must choose', async () => {
  const [first] = LESSONS.tunnel;
  const trial = new Trial(first?.position.replace('B/-', '-/B').replace('1.0', '2.0') ?? '');
  await trial.reset();
  expect(trial.model.viewer).toBe(2);
  await play(trial, 's:B');
  expect(trial.model.position?.pirates[1]).toContain('1');
});

test('a step on the way is no wrong move: cards before the end of a turn, a freebooter before the discard', async () => {
  const turn = await begin('tunnel', 7);
  await play(turn, moveText(turn.model.options.legal[0]?.move ?? { kind: 'end' }));
  expect(turn.verdict).toBe('open');
  await play(turn, 'end');
  expect(turn.verdict).toBe('done');
  const nest = await begin('nest', 4);
  const free = nest.model.options.legal.find(({ move }) => move.card === 'C!');
  await play(nest, moveText(free?.move ?? { kind: 'end' }));
  const [drop] = nest.model.options.legal;
  expect([nest.verdict, nest.model.viewer, drop && fits(drop.move, { kind: 'drop' })]).toEqual(['open', 1, true]);
});
