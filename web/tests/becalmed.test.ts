/** Games that went on after a becalmed position, before that ruling: they replay, but a new move there is refused. */
import { beforeAll, expect, test } from 'vitest';
import { Engine, GameRecord, IllegalMove } from '../src/engine/index.ts';
import { playing } from '../src/local/decisions.ts';
import type { LocalEvent, StoredTable } from '../src/local/events.ts';
import { replay } from '../src/local/loading.ts';
import type { LocalTable } from '../src/local/table.ts';
import { code, data } from './engine.ts';

const OPENING =
  'nest-nl CDGMPST/CDGMPST|CDGMPST/CDGMPST/CDGMPST s,s,s,b,b,b/s,s,s,b,b,b -/- - C14C!D14D!G14G!M14M!P14P!S14S!T14T! - 1 1.0c';
const OLD = ['end', 'sail', 'sail', 'end', 'end', 'sail', 'sail', 'end'];
/** The turn word before each of those moves, as older versions had it. */
const TURNS = ['1.0c', '2.0c', '2.0', '2.1', '1.0c', '2.0c', '2.0', '2.1'];
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(code, data);
});

const turnOf = (position: GameRecord['final']): string => engine.format(position).split(' ').at(-1) ?? '';

test('a record that continues after a becalmed position replays as before', () => {
  const record = new GameRecord(engine, OPENING, OLD);
  expect(record.positions.map(turnOf)).toEqual([...TURNS, '=0']);
  expect(record.tags['Result']).toBe('0');
  expect(GameRecord.parse(engine, record.toString()).toString()).toBe(record.toString());
});

test('a becalmed game that an older version wrote as unfinished is read, any other wrong result is not', () => {
  const text = new GameRecord(engine, OPENING, OLD).toString();
  expect(GameRecord.parse(engine, text.replace('[Result "0"]', '[Result "*"]')).toString()).toBe(text);
  expect(() => GameRecord.parse(engine, text.replace('[Result "0"]', '[Result "1"]'))).toThrow('the moves 0');
});

test('a record cannot go on after any other end', () => {
  const passed = OPENING.replace('s,s,s,b,b,b/s,s,s,b,b,b', '20,n/20,n').replace('1 1.0c', '2 2.0p1');
  expect(() => new GameRecord(engine, passed, ['end', 'end'])).toThrow('move 2, end');
});

test('a becalmed position is read, and a new move after it is refused', () => {
  const position = engine.parse(OPENING);
  expect([engine.isBecalmed(position), engine.legal(position)]).toEqual([true, ['sail', 'end']]);
  const over = engine.apply(position, 'end');
  expect(turnOf(over)).toBe('=0');
  expect(() => engine.apply(over, 'sail')).toThrow(IllegalMove);
});

/** A saved game of two persons with these moves, each after so many seconds of thinking. */
function saved(...moves: readonly (readonly [seat: number, move: string, seconds: number])[]): LocalTable {
  const stored = {
    form: 1,
    id: 'saved',
    created: 0,
    setup: {
      rules: 'nest-nl',
      seats: [{ kind: 'here' }, { kind: 'here' }],
      clock: { kind: 'bank', seconds: 60, increment: 5 },
    },
    secret: '00',
    events: [
      { at: 0, kind: 'deal', opening: OPENING, order: [1, 2] },
      ...moves.map(([seat, move, seconds]): LocalEvent => {
        return { at: 0, kind: 'move', seat, move, cards: [], ms: seconds * 1000 };
      }),
    ],
    changed: 0,
    over: false,
  } as unknown as StoredTable;
  return replay(engine, stored);
}

const clocksOf = ({ clocks }: LocalTable): unknown[] => [1, 2].map((seat) => clocks.left(seat, 0));

test('a saved game that went on replays as before', () => {
  const table = saved([1, 'end', 3], [2, 'sail', 2], [2, 'sail', 2]);
  expect([table.position && turnOf(table.position), table.outcome, table.turn]).toEqual(['2.1', undefined, 2]);
  expect(table.chooser).toBe(2);
  expect(clocksOf(table)).toEqual([63_000, 57_000]);
  const ended = saved([1, 'end', 3], [2, 'sail', 2], [2, 'sail', 2], [2, 'end', 0]);
  expect([ended.outcome, clocksOf(ended)]).toEqual([{ winner: null, how: 'becalmed' }, [63_000, 62_000]]);
});

test('a saved game that stands becalmed is over, and a new move is refused', () => {
  const table = saved([1, 'end', 0]);
  expect([table.stage, table.outcome]).toEqual(['over', { winner: null, how: 'becalmed' }]);
  const wish = { version: table.version, seat: 2 };
  expect(() => playing(table, wish, { kind: 'sail' }, 0)).toThrow('The game is over.');
});
