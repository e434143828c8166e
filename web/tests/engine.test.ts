import { beforeAll, expect, test } from 'vitest';
import { Engine, EnginePlayer, IllegalMove, NotationError, type EngineData } from '../src/engine/index.ts';
import { code, data, network, vectors, worker } from './engine.ts';

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

test('code and data of different builds, and damaged code, are refused with a sentence', async () => {
  const other = { ...data, code: '0123456789abcdef' };
  await expect(Engine.load(code, other)).rejects.toThrow(
    'cartagena.wasm and cartagena.json belong to different versions',
  );
  await expect(Engine.load(code, {} as EngineData)).rejects.toThrow('different versions');
  await expect(Engine.load(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 9]), data)).rejects.toThrow('damaged');
});

test('a browser without SIMD is told so in a sentence', async () => {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  try {
    await expect(Engine.load(code, data)).rejects.toThrow('too old for the engine: it needs WebAssembly with SIMD');
  } finally {
    WebAssembly.validate = validate;
  }
});

test('searches give the visits of the Python package', async () => {
  const player = new EnginePlayer(worker(), code, data);
  for (const { view, level, nodes, seed, visits } of vectors.searches) {
    const result = await player.go(view, level, { nodes, seed }).result;
    expect(Object.fromEntries(result.moves.map((each) => [each.move, each.visits]))).toEqual(visits);
    expect(result.move).toBe(Object.keys(visits)[0]);
    expect(result.nodes).toBe(nodes);
  }
});

test('every level answers as in the Python package, with one worker or with several', async () => {
  for (const workers of [worker(), [worker(), worker(), worker()]]) {
    const player = new EnginePlayer(workers, code, data, { network });
    for (const { view, level, limits, answer } of vectors.decisions) {
      const { move, value, why, nodes, turns } = await player.go(view, level, limits).result;
      expect({ move, value, why, nodes, turns }, `${level} ${view}`).toEqual(answer);
    }
  }
});

test('a level repeats no move too often in a game', async () => {
  for (const { level, decisions } of vectors['stand-offs']) {
    const player = new EnginePlayer(worker(), code, data);
    for (const [seed, view, move] of decisions) {
      expect((await player.go(view, level, { seed, game: 'standing' }).result).move).toBe(move);
    }
  }
});

test('a search without an end stops when it is told to, and tells its progress', async () => {
  const player = new EnginePlayer([worker(), worker()], code, data);
  const [first] = vectors.searches;
  if (!first) throw new Error('no vector');
  const going = player.go(first.view, 'captain', { time: 3600 }, () => {
    going.stop();
  });
  const result = await going.result;
  expect(Object.keys(first.visits)).toContain(result.move);
});

test('a decision that cannot begin ends with a sentence', async () => {
  const player = new EnginePlayer(worker(), code, data, { network: () => Promise.reject(new Error('offline')) });
  const [first] = vectors.searches;
  const view = first?.view ?? '';
  await expect(player.go('nonsense', 'captain').result).rejects.toThrow('nine words');
  await expect(player.go(view, 'admiral of nowhere').result).rejects.toThrow('no level');
  await expect(player.go(view, 'captain', { nodes: -1 }).result).rejects.toThrow('above 0');
  await expect(player.go(view, 'sailor', { seed: 0.5 }).result).rejects.toThrow('whole number');
  await expect(player.go(view, 'admiral', { nodes: 10 }).result).rejects.toThrow('jamaica-2.network cannot be loaded');
  const damaged = new EnginePlayer(worker(), code, data, { network: () => Promise.resolve(new ArrayBuffer(8)) });
  await expect(damaged.go(view, 'admiral', { nodes: 10 }).result).rejects.toThrow('jamaica-2.network is damaged');
});
