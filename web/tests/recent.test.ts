import { expect, test } from 'vitest';
import { pirateName } from '../src/app/piratenames.ts';
import { drawing } from '../src/game/position.ts';
import type { MoveJson, TableEvent } from '../src/net/wire.ts';
import { applyShown, lastTurnOf, movesSince, recentMoves, rewound, trailOf } from '../src/session/recent.ts';
import { turnsOf } from '../src/table/turns.ts';

let seq = 0;
const move = (turn: number, seat: number, what: MoveJson, to?: string, more: Partial<TableEvent> = {}): TableEvent => ({
  seq: ++seq,
  at: 0,
  type: 'move',
  turn,
  seat,
  move: what,
  to: to ?? null,
  ...more,
});
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
  expect(lastTurnOf([own, end])).toEqual([own, end]);
});

test('news are the moves since the last visit here, or since an own move on another device', () => {
  const kinds = (all: readonly TableEvent[], seen: number): unknown[] =>
    movesSince(all, [1], seen).map(({ seat, move }) => `${seat} ${move?.kind}`);
  const theirs = ['2 advance', '2 retreat', '2 end'];
  expect(kinds(log, 0)).toEqual(['1 end', ...theirs]);
  expect(kinds(log, played.seq)).toEqual(theirs.slice(1));
  expect(kinds(log, talk.seq)).toEqual([]);
  expect(kinds(log.slice(2), 0)).toEqual([]); // never here, and nothing played: all of it is the first visit
  const left: TableEvent = { seq: ++seq, at: 0, type: 'left', seat: 1, why: 'time' };
  const computers = [move(3, 1, { kind: 'retreat', from: '8' }, '5'), move(3, 1, { kind: 'end' })];
  expect(kinds([...log, left, ...computers], talk.seq)).toEqual(['1 retreat', '1 end']);
});

test('a trail shows who went where, and the cards it cost or brought', () => {
  expect(trailOf(played, false)).toMatchObject({ from: 's', to: '5', seat: 2, played: 'D', drawn: [] });
  expect(trailOf(drew, false)?.drawn).toEqual(['?', '?']);
  expect(trailOf(ended, false)).toBeUndefined();
});

test('what is shown again begins where it began and ends where it ended', () => {
  const before = drawing('jamaica', 'BPHSDK/DBKPHS', 's,1/s,s');
  const after = [played, drew].reduce(applyShown, before);
  expect(after.pirates).toEqual([
    ['s', '1'],
    ['1', 's'],
  ]);
  expect(rewound(after, [played, drew]).pirates.map((places) => [...places].sort())).toEqual([
    ['1', 's'],
    ['s', 's'],
  ]);
});

test('cards from an open row are shown, and a look back puts them there again', () => {
  const first = move(1, 2, { kind: 'retreat', from: '5' }, '1', { draws: 1, drawn: ['K'], cards: [] });
  const second = move(1, 2, { kind: 'retreat', from: '9' }, '5', { draws: 2, drawn: ['B', 'D'], cards: ['+S', '+H'] });
  expect(trailOf(second, true)?.drawn).toEqual(['B', 'D']);
  const shown = drawing('tortuga', 'BPHSDK/DBKPHS', 's,s/1,5');
  const hand = { size: 4, cards: ['B', 'D', 'K', 'P'], hidden: false };
  const after = { ...shown, row: ['S', 'H'], hands: [shown.hands[0] ?? hand, hand] };
  const between = rewound(after, [second]);
  expect([between.row, between.hands[1]?.cards, between.hands[1]?.size]).toEqual([['B', 'D'], ['K', 'P'], 2]);
  expect(rewound(after, [first, second])).toMatchObject({
    row: ['K', 'B', 'D'],
    hands: [{}, { cards: ['P'], size: 1 }],
    pirates: [
      ['s', 's'],
      ['5', '9'],
    ],
  });
});

test('the log is grouped by turns', () => {
  expect(turnsOf(log).map((turn) => [turn.seat, turn.events.length])).toEqual([
    [1, 2],
    [2, 3],
    [undefined, 1],
  ]);
});

test('computers at one table have different names', () => {
  for (const table of ['k3v9x2m4q8', 'aaaaaaaaaa', 'zz'])
    expect(new Set([1, 2, 3, 4, 5].map((seat) => pirateName(table, seat))).size).toBe(5);
});
