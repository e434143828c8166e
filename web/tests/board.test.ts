import { expect, test } from 'vitest';
import { reconcile, standings } from '../src/board/figures.ts';
import { layoutFor, runBetween } from '../src/board/layout.ts';
import { runTime } from '../src/board/runner.ts';
import { CREWS } from '../src/board/pirates.ts';
import { SHAPES } from '../src/board/signs.ts';
import { drawing, positionOf, trackOf } from '../src/game/position.ts';
import { flightsBetween } from '../src/session/flights.ts';
import { applyShown } from '../src/session/shown.ts';

const board = drawing(
  'tortuga',
  'BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS',
  's,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34',
);
const hand = (...cards: string[]) => ({ cards, size: cards.length, hidden: false });
const A = { ...board, row: ['B', 'D'], hands: [hand('B', 'D', 'H'), ...board.hands.slice(1)], discard: ['K'] };
const B = drawing('nest', 'STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM', 's,3,3,b,b,28/5,13,b,18,25,n');

test('a position is made of the fields of an update', () => {
  const json = {
    ...B,
    hands: [
      { size: 3, cards: { D: 2, 'C!': 1 } },
      { size: 5, cards: null },
    ],
    row: null,
    discard: { size: 1, cards: { B: 1 } },
  };
  const found = positionOf(json);
  expect(found.hands).toEqual([
    { cards: ['D', 'D', 'C!'], size: 3, hidden: false },
    { cards: [], size: 5, hidden: true },
  ]);
  expect([found.row, found.discard, found.family, found.sloop]).toEqual([[], ['B'], 'nest', 1]);
  expect(trackOf(B.islands)).toHaveLength(38);
});

test.each([
  [A, 900, 460],
  [A, 360, 400],
  [A, 2000, 1000],
  [B, 900, 460],
  [B, 360, 400],
  [B, 2000, 1000],
])('every field lies on the chart and none covers another', (position, width, height) => {
  const layout = layoutFor(position.family, position.islands, width, height);
  const spots = [...layout.fields.values()];
  for (const spot of spots) {
    expect(spot.x).toBeGreaterThan(20);
    expect(spot.x).toBeLessThan(layout.width - 20);
    expect(spot.y).toBeGreaterThan(20);
    expect(spot.y).toBeLessThan(layout.height - 20);
  }
  for (let i = 0; i < spots.length; i++) {
    for (let j = i + 1; j < spots.length; j++) {
      const [a, b] = [spots[i], spots[j]];
      if (a && b) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(40);
    }
  }
});

test('figures keep their identity when somebody moves', () => {
  const before = reconcile([], A);
  const moved = applyShown(A, {
    seq: 1,
    at: 0,
    type: 'move',
    seat: 1,
    move: { kind: 'advance', from: '17', card: 'B' },
    to: 'b',
  });
  const after = reconcile(before, moved);
  expect(after.filter((figure, i) => figure.place !== before[i]?.place).map((figure) => figure.place)).toEqual(['b']);
  const layout = layoutFor(A.family, A.islands, 900, 460);
  expect(standings(layout, A, before)).toHaveLength(18);
});

test('a run follows the track, over the sea too, in 200 to 350 ms', () => {
  const layout = layoutFor(B.family, B.islands, 900, 460);
  expect(runBetween(layout, '13', '16', (place) => ({ x: Number(place) || 0, y: 0 })).map((point) => point.x)).toEqual([
    13, 14, 15, 16,
  ]);
  expect(runTime(1, 1)).toBeGreaterThanOrEqual(200);
  expect(runTime(99, 1)).toBe(350);
});

test('cards fly from where they were to where they go', () => {
  const next = { ...A, hands: [hand('D', 'H'), ...A.hands.slice(1)], discard: ['K', 'B'] };
  expect(flightsBetween(A, next)).toEqual([{ card: 'B', from: 'hand-1', to: 'discard' }]);
  const drawn = { ...A, hands: [hand('B', 'B', 'D', 'H'), ...A.hands.slice(1)], row: ['D'] };
  expect(flightsBetween(A, drawn)).toEqual([{ card: 'B', from: 'row', to: 'hand-1' }]);
});

test('five crews and thirteen signs have shapes of their own', () => {
  expect(new Set(CREWS.map((crew) => crew.body)).size).toBe(5);
  expect(new Set(Object.values(SHAPES).map((shape) => shape.body)).size).toBe(13);
});
