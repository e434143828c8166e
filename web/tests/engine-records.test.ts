import { beforeAll, expect, test } from 'vitest';
import {
  Chance,
  commitment,
  drawLots,
  Engine,
  EngineError,
  GameRecord,
  newSecret,
  nextCard,
  openingOf,
} from '../src/engine/index.ts';
import { hmac, hexOf, sha256 } from '../src/engine/sha256.ts';
import { code, data, vectors } from './engine.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(code, data);
});

test('hashes are those of the standards', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  const key = new TextEncoder().encode('Jefe');
  expect(hexOf(hmac(key, 'what do ya want for nothing?'))).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('deals, lots and the cards of a game are those of the Python package', () => {
  for (const { setup, secret, salts, commitment: promised, lots, record } of vectors.deals) {
    const chance = Chance.of(secret, salts);
    expect(commitment(secret, { ...setup, table: 'k3v9x2m4q8rt', lots: true })).toBe(promised);
    expect(drawLots(chance, setup.seats)).toEqual(lots);
    const wanted = GameRecord.parse(engine, record);
    const opening = openingOf(engine, setup, chance);
    expect(engine.format(opening)).toBe(engine.format(wanted.opening));
    const cards = wanted.moves.flatMap(({ move }, number) => (move.startsWith('+') ? [number] : []));
    cards.forEach((number, card) => {
      expect(nextCard(engine, wanted.positions[number] ?? opening, chance, card)).toBe(wanted.moves[number]?.move);
    });
    expect(new GameRecord(engine, opening, wanted.moves).toString()).toBe(record);
  }
  expect(newSecret()).toMatch(/^[0-9a-f]{64}$/);
});

test('setups that fit no game are refused with a sentence', () => {
  for (const setup of vectors.misfits) {
    expect(() => openingOf(engine, setup, Chance.of('', [])), JSON.stringify(setup)).toThrow(EngineError);
  }
});

test('records are read and written as by the Python package', () => {
  const [text, canonical, plain] = vectors.record;
  const record = GameRecord.parse(engine, text);
  expect(record.toString()).toBe(canonical);
  expect(JSON.parse(JSON.stringify(record))).toEqual(plain);
  expect(GameRecord.parse(engine, JSON.stringify(plain)).toString()).toBe(canonical);
  expect(GameRecord.parse(engine, canonical).toString()).toBe(canonical);
});

test('texts that are no record are refused with a sentence', () => {
  for (const text of vectors['wrong records']) expect(() => GameRecord.parse(engine, text), text).toThrow(EngineError);
});

test('a record with rules of its own is refused', () => {
  const opening = 'jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0';
  const text = `[Rules "jamaica-en"]\n[Variant "{}"]\n\n${opening}\n`;
  expect(() => GameRecord.parse(engine, text)).toThrow('rules of its own');
});
