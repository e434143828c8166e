import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { Chance, drawLots, Engine, openingOf, type EngineData } from '../src/engine/index.ts';
import { comingBack, leaving, moving, resigning, takingBack } from '../src/local/decisions.ts';
import type { Happening, LocalEvent, Setup } from '../src/local/events.ts';
import { factsOf } from '../src/local/offer.ts';
import { LocalTable } from '../src/local/table.ts';
import { viewText } from '../src/local/notation.ts';
import { updateOf, visible } from '../src/local/updates.ts';
import { commitmentOf } from '../src/net/verdict.ts';
import { fetchFile } from './engine.ts';

interface Recorded {
  readonly id: string;
  readonly created: number;
  readonly secret: string;
  readonly salt: string;
  /** Milliseconds of thinking before each step. */
  readonly ms: number;
  readonly opening: string;
  readonly order: number[];
  readonly setup: Setup;
  readonly steps: string[];
}

const read = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const json = (path: string): unknown => JSON.parse(new TextDecoder().decode(read(path)));
const games = json('../../tests/local/vectors.json') as Recorded[];
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(
    read('../../src/cartagena/data/cartagena.wasm'),
    json('../../src/cartagena/data/cartagena.json') as EngineData,
  );
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

/** A table in the browser at which the same is done as at the server's. */
class Twin {
  readonly table: LocalTable;
  private seen = 0;

  constructor(private readonly told: Recorded) {
    const { id, created, setup, secret, salt, opening, order } = told;
    this.table = new LocalTable(engine, id, created, setup, secret);
    const chairs = setup.seats.flatMap(({ kind }, chair) => (kind === 'here' ? [chair + 1] : []));
    this.take([
      { kind: 'salt', chairs, salt },
      { kind: 'deal', opening, order },
    ]);
    this.seen = 0;
  }

  private take(happened: Happening[]): void {
    this.seen = this.table.seq;
    for (const event of happened)
      this.table.apply({ ...event, at: this.told.created + this.table.seq + 1 } as LocalEvent);
  }

  private get thought(): number {
    const { clocks, chooser } = this.table;
    return clocks.runs && !this.table.chair(chooser).away ? this.told.ms : 0;
  }

  do(what: string): void {
    const { table, thought } = this;
    const wish = { version: table.version, seat: table.chooser };
    if (what === 'undo') this.take(takingBack(table, wish, thought));
    else if (what === 'leave') this.take(leaving(table, table.held, 'left', thought));
    else if (what === 'back') this.take(comingBack(table, thought));
    else if (what === 'resign') this.take(resigning(table, table.held, thought));
    else this.take(moving(table, what, thought));
  }

  get digest(): string {
    const { id, secret, setup, opening } = this.told;
    const commitment = commitmentOf(secret, id, setup, engine.parse(opening).rules.name);
    const looking = { after: this.seen, thinking: 0, commitment };
    const [own, others] = [updateOf(this.table, looking), updateOf(this.table, { ...looking, seat: 0 })];
    for (const { position, you } of [own, others]) {
      const view = visible(this.table, you.seat);
      if (position && view && !own.outcome) expect(viewText(position)).toBe(engine.format(view));
    }
    return digest([own, others]);
  }
}

test.each(games.map((told) => [`${told.setup.rules} for ${told.setup.seats.length}`, told] as const))(
  'a table of %s in the browser tells what a table of the server tells',
  (_, told) => {
    const twin = new Twin(told);
    const found = [`deal ${twin.digest}`];
    for (const step of told.steps.slice(1)) {
      const [what = ''] = step.split(' ');
      twin.do(what);
      found.push(`${what} ${twin.digest}`);
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
