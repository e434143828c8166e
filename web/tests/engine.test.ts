import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Engine, EnginePlayer, IllegalMove, NotationError, type EngineData, type WorkerLike } from '../src/engine/index.ts';
import type { Reply, Request } from '../src/engine/messages.ts';
import { thinker } from '../src/engine/thinking.ts';

interface About {
  position: string;
  turn: number;
  options: [string, string][];
  after: string | null;
  refusals: [string, string][];
  view: string;
}
interface Searched {
  view: string;
  level: string;
  nodes: number;
  seed: number;
  visits: Record<string, number>;
}

const read = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const json = (path: string): unknown => JSON.parse(new TextDecoder().decode(read(path)));
const data = json('../../src/cartagena/data/cartagena.json') as EngineData;
const code = new WebAssembly.Module(read('../../src/cartagena/data/cartagena.wasm'));
const vectors = json('../../tests/conformance/vectors.json') as {
  positions: About[];
  wrong: string[];
  searches: Searched[];
};
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(code, data);
});

test('positions, options, reasons and views are those of the Python package', () => {
  for (const about of vectors.positions) {
    const position = engine.parse(about.position);
    expect(engine.format(position)).toBe(about.position);
    expect(engine.chooser(position)).toBe(about.turn);
    expect(engine.options(position).map(({ move, to }) => [move, to])).toEqual(about.options);
    expect(about.refusals.map(([move]) => [move, engine.reason(position, move)])).toEqual(about.refusals);
    expect(engine.format(engine.view(position, 1))).toBe(about.view);
    const last = about.options.at(-1);
    if (last) expect(engine.format(engine.apply(position, last[0]))).toBe(about.after);
  }
});

test('wrong texts and illegal moves are refused with a sentence', () => {
  for (const text of vectors.wrong) expect(() => engine.parse(text), text).toThrow(NotationError);
  const position = engine.parse('jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0');
  for (const move of ['s:H', '9:B', 'sail', '', '1@s', 'drop:B', '+B', 'constructor']) {
    expect(() => engine.apply(position, move), move).toThrow(IllegalMove);
  }
});

/** A worker in the same thread. */
function worker(): WorkerLike {
  const found: WorkerLike = { onmessage: null, terminate: () => undefined, postMessage: () => undefined };
  const hear = thinker((reply: Reply) => found.onmessage?.({ data: reply }));
  found.postMessage = (request: Request) => void hear(request);
  return found;
}

test('searches give the visits of the Python package', async () => {
  const player = new EnginePlayer(worker(), code, data);
  for (const { view, level, nodes, seed, visits } of vectors.searches) {
    const result = await player.go(view, level, { nodes, seed }).result;
    expect(Object.fromEntries(result.moves.map((each) => [each.move, each.visits]))).toEqual(visits);
    expect(result.move).toBe(Object.keys(visits)[0]);
    expect(result.nodes).toBe(nodes);
  }
});

test('a search without an end stops when it is told to, and tells its progress', async () => {
  const player = new EnginePlayer(worker(), code, data);
  const [first] = vectors.searches;
  if (!first) throw new Error('no vector');
  const going = player.go(first.view, 'captain', { time: 3600 }, () => {
    going.stop();
  });
  const result = await going.result;
  expect(Object.keys(first.visits)).toContain(result.move);
});

test('a search that cannot begin ends with a sentence', async () => {
  const player = new EnginePlayer(worker(), code, data);
  const [first] = vectors.searches;
  await expect(player.go('nonsense', 'captain').result).rejects.toThrow('nine words');
  await expect(player.go(first?.view ?? '', 'admiral of nowhere').result).rejects.toThrow('no level');
  await expect(player.go(first?.view ?? '', 'captain', { nodes: -1 }).result).rejects.toThrow('above 0');
});
