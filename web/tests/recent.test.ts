import { expect, test } from 'vitest';
import { pirateName } from '../src/app/pirates.ts';
import { drawing } from '../src/game/position.ts';
import type { MoveJson, TableEvent } from '../src/net/wire.ts';
import { lastTurn, recentMoves, rewound, trailOf } from '../src/table/recent.ts';
import { applyShown } from '../src/table/shown.ts';
import { turnsOf } from '../src/table/turns.ts';

let seq = 0;
const move = (turn: number, seat: number, what: MoveJson, to?: string, more: Partial<TableEvent> = {}): TableEvent =>
  ({ seq: ++seq, at: 0, type: 'move', turn, seat, move: what, to: to ?? null, ...more });
const own = move(1, 1, { kind: 'advance', from: 's', card: 'B' }, '1');
const end = move(1, 1, { kind: 'end' });
const played = move(2, 2, { kind: 'advance', from: 's', card: 'D' }, '5');
const drew = move(2, 2, { kind: 'retreat', from: '5' }, '1', { draws: 2, cards: ['+?', '+?'] });
const ended = move(2, 2, { kind: 'end' });
const talk: TableEvent = { seq: ++seq, at: 0, type: 'talk', seat: 2, text: 'Ahoy' };
const log = [own, end, played, drew, ended, talk];

test('the moves of the others stay until the viewer acts', () => {
  expect(recentMoves(log, 1)).toEqual([played, drew, ended]);
  expect(recentMoves([...log, move(3, 1, { kind: 'advance', from: 's', card: 'K' }, '6')], 1)).toEqual([]);
  expect(recentMoves(log, 0)).toEqual([played, drew, ended]);
  expect(lastTurn([own, end])).toEqual([own, end]);
});

test('a trail shows who went where, and the cards it cost or brought', () => {
  expect(trailOf(played, false)).toMatchObject({ from: 's', to: '5', seat: 2, played: 'D', drawn: [] });
  expect(trailOf(drew, false)?.drawn).toEqual(['?', '?']);
  expect(trailOf(ended, false)).toBeUndefined();
});

test('what is shown again begins where it began and ends where it ended', () => {
  const before = drawing('jamaica', 'BPHSDK/DBKPHS', 's,1/s,s');
  const after = [played, drew].reduce(applyShown, before);
  expect(after.pirates).toEqual([['s', '1'], ['1', 's']]);
  expect(rewound(after, [played, drew]).pirates.map((places) => [...places].sort())).toEqual([['1', 's'], ['s', 's']]);
});

test('the log is grouped by turns', () => {
  expect(turnsOf(log).map((turn) => [turn.seat, turn.events.length])).toEqual([[1, 2], [2, 3], [undefined, 1]]);
});

test('computers at one table have different names', () => {
  for (const table of ['k3v9x2m4q8', 'aaaaaaaaaa', 'zz']) expect(new Set([1, 2, 3, 4, 5].map((seat) => pirateName(table, seat))).size).toBe(5);
});
