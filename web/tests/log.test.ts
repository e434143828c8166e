import { expect, test } from 'vitest';
import schema from '../openapi.json';
import { PROTOCOL, type TableEvent, type Undo } from '../src/net/wire.ts';
import { afterLots, logged } from '../src/session/recent.ts';
import { undoWords } from '../src/table/words.ts';

const move = (seq: number): TableEvent => ({ seq, at: 0, type: 'move', seat: 1, move: { kind: 'end' } });
const undo = (seq: number, undone: number): TableEvent => ({ seq, at: 0, type: 'undo', seat: 1, undone });
const numbers = (...events: TableEvent[]): number[] => events.reduce(logged, []).map((event) => event.seq);

test('a move that is taken back leaves the log, and other lines stay', () => {
  expect(numbers(move(2), move(3), { seq: 4, at: 0, type: 'talk', text: 'oh' }, undo(5, 3), move(6))).toEqual([
    2, 4, 6,
  ]);
});

test('after a lost connection an undo of a move that was never seen leaves the moves that stand', () => {
  expect(numbers(move(2), undo(4, 3), move(5))).toEqual([2, 5]);
});

test('what a player deletes loses its text in a page that was open, and the words of others stay', () => {
  const talk = (seq: number, seat: number): TableEvent => ({ seq, at: 0, type: 'talk', seat, text: `line ${seq}` });
  const forgotten: TableEvent = { seq: 5, at: 0, type: 'forgotten', seat: 1, seats: [1, 3] };
  const log = [talk(2, 1), talk(3, 2), talk(4, 3), forgotten].reduce(logged, []);
  expect(log.map((event) => event.text ?? null)).toEqual(['', 'line 3', '', null]);
});

test('what was said before the deal stays with its chair when lots are drawn', () => {
  const before: TableEvent[] = [
    { seq: 1, at: 0, type: 'joined', seat: 2 },
    { seq: 2, at: 0, type: 'talk', seat: 1, text: 'ahoy' },
    { seq: 3, at: 0, type: 'forgotten', seat: 3, seats: [3, 1] },
  ];
  expect(afterLots(before, [3, 1, 2]).map(({ seat, seats }) => seats ?? seat)).toEqual([3, 2, [1, 2]]);
});

test('why a move cannot be taken back is said in the words of the server where the page has none', () => {
  const undo = { possible: false, reason: 'storm', message: 'The storm has taken it.' } as unknown as Undo;
  expect(undoWords(undo)).toBe('The storm has taken it.');
  expect(undoWords({ ...undo, reason: 'not-seated' })).not.toBe(undo.message);
});

test('the page speaks the version that the schema describes', () => {
  expect(schema['x-protocol']).toBe(PROTOCOL);
});
