import { createHash } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { Chance, drawLots, Engine, openingOf } from '../src/engine/index.ts';
import { factsOf } from '../src/local/offer.ts';
import { viewText } from '../src/local/notation.ts';
import { visible } from '../src/local/updates.ts';
import { code, data, fetchFile } from './engine.ts';
import { games, Twin } from './twin.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(code, data);
});

/** The same value with all keys in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, 10);

function digestOf(twin: Twin): string {
  const [own, others] = [twin.update(), twin.update(0)];
  for (const { position, you } of [own, others]) {
    const view = visible(twin.table, you.seat);
    if (position && view && !own.outcome) expect(viewText(position)).toBe(engine.format(view));
  }
  return digest([own, others]);
}

test.each(games.map((told) => [`${told.setup.rules} for ${told.setup.seats.length}`, told] as const))(
  'a table of %s in the browser tells what a table of the server tells',
  (_, told) => {
    const twin = new Twin(engine, told);
    const found = [`deal ${digestOf(twin)}`];
    for (const step of told.steps.slice(1)) {
      const [what = ''] = step.split(' ');
      twin.do(what);
      found.push(`${what} ${digestOf(twin)}`);
      if (found.at(-1) !== step) break; // the steps after it differ too
    }
    expect(found).toEqual(told.steps);
    expect(twin.table.stage).toBe('over');
  },
);

test('the deal follows from the secret as on the server', () => {
  for (const { setup, secret, salt, opening, order } of games) {
    const chance = Chance.of(
      secret,
      setup.seats.map(({ kind }) => (kind === 'here' ? salt : '')),
    );
    if (setup.lots) expect(drawLots(chance, setup.seats.length)).toEqual(order);
    const { rules = '', style, pirates, pieces, deal } = setup;
    const found = openingOf(engine, { rules, seats: setup.seats.length, style, pirates, pieces, deal }, chance);
    expect(engine.format(found)).toBe(opening);
  }
});

test('the engine tells what the options of a rule set decide', async () => {
  vi.stubGlobal('fetch', fetchFile);
  const pass = async (name: string): Promise<boolean | undefined> => (await factsOf(name))?.pass;
  expect([await pass('jamaica-en'), await pass('jamaica-en+pass'), await pass('jamaica-de-pass')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(await pass('jamaica-en+tea')).toBeUndefined();
  vi.unstubAllGlobals();
});
