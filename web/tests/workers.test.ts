/** Workers that break: what was asked fails, and what is asked later is answered. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Engine, EnginePlayer, type WorkerLike } from '../src/engine/index.ts';
import { hintHere } from '../src/local/hints.ts';
import { Facts } from '../src/local/facts.ts';
import type { Update } from '../src/net/wire.ts';
import { LiveEvaluator, ReviewCrew } from '../src/review/crew.ts';
import type { Live, StudyWorker } from '../src/review/tasks.ts';
import { studier } from '../src/review/working.ts';
import { code, data, fetchFile, worker } from './engine.ts';

const OPENING =
  'jamaica-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,s,s,s,s,s/s,s,s,s,s,s B2DHKP/DH2KPS - B15D15H14K15P15S16 - - 1.0';

/** A worker that breaks with its first question, as one whose script cannot be fetched. */
function broken<Of extends StudyWorker | WorkerLike>(): Of {
  let told = false;
  const found = { onmessage: null, onerror: null as (() => void) | null, terminate: () => undefined, postMessage };
  function postMessage({ kind }: { kind: string }): void {
    if (kind !== 'load' && !told) queueMicrotask(() => found.onerror?.());
    told ||= kind !== 'load';
  }
  return found as unknown as Of;
}

test('a question after an error in a worker is refused at once, with the sentence of the error', async () => {
  const player = new EnginePlayer(broken<WorkerLike>(), code, data);
  await expect(player.go(OPENING, 'captain', { nodes: 20 }).result).rejects.toThrow('could not be started');
  expect(player.isBroken).toBe(true);
  await expect(player.go(OPENING, 'captain', { nodes: 20 }).result).rejects.toThrow('could not be started');
});

test('a question to an engine that was closed is refused at once', async () => {
  const player = new EnginePlayer(worker(), code, data);
  player.close();
  await expect(player.go(OPENING, 'captain', { nodes: 20 }).result).rejects.toThrow('was closed');
});

/** A review's worker in the same thread. */
function studying(): StudyWorker {
  const found: StudyWorker = { onmessage: null, terminate: () => undefined, postMessage: () => undefined };
  const hear = studier((answer) => found.onmessage?.({ data: answer }));
  found.postMessage = (task) => void hear(task);
  return found;
}

test('a review goes on with the workers that are left, and fails where none is', async () => {
  const choices = [1, 2].map((number) => ({ number, move: 's:B', position: OPENING }));
  const told: number[] = [];
  const half = new ReviewCrew([broken<StudyWorker>(), studying()], code, data);
  await half.judge(choices, { nodes: 20, seed: 1 }, ({ number }) => told.push(number));
  expect(told.sort()).toEqual([1, 2]);
  const crew = new ReviewCrew([broken<StudyWorker>()], code, data);
  await expect(crew.split('')).rejects.toThrow('could not be started');
  await expect(crew.split('')).rejects.toThrow('could not be started');
  await expect(crew.judge(choices, { nodes: 20, seed: 1 }, () => undefined)).rejects.toThrow('could not be started');
});

test('a live evaluation whose worker breaks says so, and so does the next one', async () => {
  const live = new LiveEvaluator(broken<StudyWorker>(), code, data);
  const shown = (): Promise<Live | undefined> =>
    new Promise((told) => live.show(OPENING, 0, 20, told, () => told(undefined)));
  expect(await shown()).toBeUndefined();
  expect(await shown()).toBeUndefined();
});

/** How many workers of the page are still to break; the later ones work. */
let breaking = 0;

beforeEach(() => {
  vi.stubGlobal('Worker', function () {
    return breaking-- > 0 ? broken<WorkerLike>() : worker();
  });
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
  vi.stubGlobal('fetch', fetchFile);
});
afterEach(() => vi.unstubAllGlobals());

test('hints come again after the worker of the page broke', async () => {
  breaking = 1;
  const engine = await Engine.load(code, data);
  const facts = new Facts(engine, engine.view(engine.parse(OPENING), 1));
  const seen = { version: 1, position: facts.json(), options: facts.options() } as unknown as Update;
  await hintHere(seen).catch(() => undefined);
  expect((await hintHere(seen)).answer.move).toBeDefined();
});
