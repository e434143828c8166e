/** Games that an older version of the page has saved in the browser. The files in fixtures/ are never written anew. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { Engine, type EngineData } from '../src/engine/index.ts';
import type { LocalEvent, StoredTable } from '../src/local/events.ts';
import { replay } from '../src/local/loading.ts';
import { updateOf } from '../src/local/updates.ts';

interface Saved {
  /** The table as it lies in the browser's database. */
  readonly stored: StoredTable;
  /** What the version that saved it made of it. */
  readonly expected: {
    stage: string;
    version: number;
    position: string;
    clocks: unknown[];
    undo: string | null;
    log: string[];
  };
}

const read = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const parsed = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
const games = parsed(gunzipSync(read('fixtures/saved-form-1.json.gz'))) as Saved[];
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(
    read('../../src/cartagena/data/cartagena.wasm'),
    parsed(read('../../src/cartagena/data/cartagena.json')) as EngineData,
  );
});

/** What a version makes of a saved game. */
function found(stored: StoredTable): Saved['expected'] {
  const table = replay(engine, stored);
  const { stage, version, position, clocks, chooser } = table;
  if (!position) throw new Error('no position');
  const { events } = updateOf(table, { after: 0, thinking: 0 });
  return {
    stage,
    version,
    position: engine.format(position),
    clocks: table.chairs.map((_, chair) => clocks.left(chair + 1, 0)),
    undo: chooser ? table.undoBlock(chooser) : null,
    log: events.map((event) => event.type),
  };
}

test.each(games.map((game) => [`${game.stored.setup.rules}, ${game.expected.stage}`, game] as const))(
  'a saved game of %s is read as before',
  (_, { stored, expected }) => {
    expect(found(stored)).toEqual(expected);
  },
);

test('saved games of every game, running and finished, with every kind of event', () => {
  const kinds = new Set(games.flatMap(({ stored }) => stored.events.map((event: LocalEvent) => event.kind)));
  expect([...kinds].sort()).toEqual(['away', 'back', 'deal', 'move', 'next', 'resign', 'salt', 'standin', 'undo']);
  expect(new Set(games.map(({ expected }) => expected.stage))).toEqual(new Set(['playing', 'over']));
  expect(new Set(games.map(({ stored }) => stored.setup.rules?.split('-')[0])).size).toBe(4);
});

test('a damaged game and one of a newer form are told apart', () => {
  const [first] = games;
  if (!first) throw new Error('no games');
  const refused = (stored: unknown): unknown => {
    try {
      return replay(engine, stored as StoredTable).stage;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  expect(refused({ ...first.stored, form: 2 })).toBe('local-newer');
  expect(refused({ ...first.stored, events: first.stored.events.slice(2) })).toBe('local-damaged');
});
