import { expect, test } from 'vitest';
import schema from '../openapi.json';
import { PROTOCOL, type TableEvent } from '../src/net/wire.ts';
import { logged } from '../src/table/recent.ts';

const move = (seq: number): TableEvent => ({ seq, at: 0, type: 'move', seat: 1, move: { kind: 'end' } });
const undo = (seq: number, undone: number): TableEvent => ({ seq, at: 0, type: 'undo', seat: 1, undone });
const numbers = (...events: TableEvent[]): number[] => events.reduce(logged, []).map((event) => event.seq);

test('a move that is taken back leaves the log, and other lines stay', () => {
  expect(numbers(move(2), move(3), { seq: 4, at: 0, type: 'talk', text: 'oh' }, undo(5, 3), move(6))).toEqual([2, 4, 6]);
});

test('after a lost connection an undo of a move that was never seen leaves the moves that stand', () => {
  expect(numbers(move(2), undo(4, 3), move(5))).toEqual([2, 5]);
});

test('the page speaks the version that the schema describes', () => {
  expect(schema['x-protocol']).toBe(PROTOCOL);
});
