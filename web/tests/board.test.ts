import { expect, test } from 'vitest';
import { berthsOf } from '../src/board/berths.ts';
import { centreOf, countersAt, reconcile, standings } from '../src/board/figures.ts';
import { CELL, layoutFor, smallLetter } from '../src/board/layout.ts';
import { runBetween } from '../src/board/route.ts';
import { runTime } from '../src/board/runner.ts';
import { CREWS } from '../src/board/pirates.ts';
import { SHAPES } from '../src/board/signs.ts';
import { drawing, positionOf, trackOf } from '../src/game/position.ts';
import { flightsBetween } from '../src/session/flights.ts';
import { applyShown } from '../src/session/recent.ts';

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

test.each([
  ['a table', 950, 600],
  ['a lesson', 934, 512],
  ['a review', 815, 575],
])('on a desktop the islands of %s lie side by side, and larger than one above the other', (_, width, height) => {
  const { tall, scale, fields, start, nest } = layoutFor(B.family, B.islands, width, height);
  expect(tall).toBe(false);
  expect(scale).toBeGreaterThan(height / 614);
  for (const camp of nest ? [start, nest] : [])
    for (const { x, y } of fields.values()) {
      const [dx, dy] = [Math.max(camp.x - x, x - camp.x - camp.width), Math.max(camp.y - y, y - camp.y - camp.height)];
      expect(Math.max(dx, dy)).toBeGreaterThan(CELL / 2);
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

const SIZES = [
  [350, 290],
  [380, 470],
  [520, 300],
  [930, 545],
  [1900, 1100],
] as const;
const FIVE = {
  tunnel: drawing(
    'jamaica',
    board.islands.map((pieces) => pieces.join('/')).join('|'),
    Array(5).fill('b,b,b,b,b,b').join('/'),
  ),
  nest: drawing('nest', 'STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM', Array(5).fill('s,s,b,b,n,n').join('/')),
};

test.each(
  SIZES.flatMap((size) => [17, 34].flatMap((rem) => Object.values(FIVE).map((each) => [...size, rem, each] as const))),
)(
  'the numbers of five crews on one place stay apart and readable: %i x %i, letters of %i pixels',
  (width, height, rem, position) => {
    const layout = layoutFor(position.family, position.islands, width, height);
    for (const place of position.family === 'nest' ? ['s', 'b', 'n'] : ['b']) {
      const counters = countersAt(layout, position, place, smallLetter(layout, rem));
      expect(counters).toHaveLength(5);
      for (const { size } of counters) {
        expect(size * layout.scale).toBeGreaterThanOrEqual(11);
        if (width > 1000) expect(size).toBeGreaterThan(8); // the figures are large there, too
      }
      counters.forEach((one, i) => {
        for (const other of counters.slice(i + 1)) {
          const [dx, dy] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
          expect(dx >= 0.6 * one.size || dy >= 0.8 * one.size).toBe(true);
        }
      });
    }
  },
);

test.each([
  [drawing('jamaica', 'BPHSDK/DBKPHS', 's,2/1'), 600, 150] as const,
  [FIVE.nest, 600, 260] as const,
  ...SIZES.flatMap(([width, height]) => [[FIVE.tunnel, width, height] as const, [FIVE.nest, width, height] as const]),
])('the islands lie within the picture, and the sloop covers neither start nor nest', (position, width, height) => {
  const layout = layoutFor(position.family, position.islands, width, height);
  const { view, docks, start, nest } = layout;
  const rim = position.family === 'nest' ? CELL * 0.87 : CELL * 0.65;
  for (const { x, y } of layout.islands.flatMap((island) => island.way)) {
    expect([x - rim >= view.x, y - rim >= view.y]).toEqual([true, true]);
    expect([x + rim <= view.x + view.width, y + rim <= view.y + view.height]).toEqual([true, true]);
  }
  for (const dock of docks) {
    for (const camp of nest ? [start, nest] : [start]) {
      const apart =
        dock.x >= camp.x + camp.width ||
        camp.x >= dock.x + dock.width ||
        dock.y >= camp.y + camp.height ||
        camp.y >= dock.y + dock.height;
      expect(apart).toBe(true);
    }
  }
});

/** Points on the hull and the sails of a sloop, in shares of its dock. */
const SLOOP = Array.from({ length: 21 }, (_, i) => i / 20).flatMap((part) => {
  const low = 0.52 + 0.4 * part; // from the rail down to the water line, where the hull is narrower
  return [0.03 + 0.14 * part ** 2, 0.96 - 0.13 * part ** 2, 0.5]
    .map((x) => [x, low] as const)
    .concat([
      [0.45 - 0.24 * part, 0.08 + 0.44 * part],
      [0.47 + 0.25 * part ** 2, 0.05 + 0.48 * part],
    ]);
});

test.each([
  [382, 600],
  [382, 500],
  [352, 400],
  [352, 500],
  [382, 700],
  [412, 730],
  [720, 1300],
])('the names of the berths are covered neither by the sloop, wherever it lies, nor by a field: %i × %i', (...room) => {
  const layout = layoutFor(B.family, B.islands, ...room);
  for (const letter of [13 / layout.scale, 26 / layout.scale])
    for (const { name } of berthsOf(layout, ['Eiland 1', 'Eiland 2'], letter)) {
      const wide = name.text.length * name.size * 0.5;
      const left = name.x - { start: 0, middle: wide / 2, end: wide }[name.anchor];
      const covers = ([x = 0, y = 0]: readonly number[]): boolean =>
        x > left && x < left + wide && y > name.y - 0.7 * name.size && y < name.y;
      const sloops = layout.docks.flatMap((dock) =>
        SLOOP.map(([x, y]) => [dock.x + x * dock.width, dock.y + y * dock.height]),
      );
      expect(sloops.filter(covers)).toEqual([]);
      const fields = [...layout.fields.values()].flatMap(({ x, y }) => [0, 13, 26].map((dx) => [x - dx, y - 25]));
      expect(fields.filter(covers)).toEqual([]);
    }
});

test('from the start a pirate leaves its own crew and passes the mouth of the tunnel', () => {
  const layout = layoutFor(A.family, A.islands, 900, 460);
  const centre = (seat: number) => (place: string) => centreOf(layout, A, place, seat);
  const [one, two] = [1, 2].map((seat) => runBetween(layout, 's', '2', centre(seat)));
  const mouth = layout.islands[0]?.way[0];
  expect(one?.[0]).not.toEqual(two?.[0]);
  expect([one?.[1], two?.[1]]).toMatchObject([mouth, mouth]);
  expect(runBetween(layout, '36', 'b', centre(1)).slice(0, -1)).toMatchObject([
    layout.fields.get('36'),
    layout.islands[0]?.way.at(-1),
  ]);
});

test('a run follows the track, over the sea too, in 200 to 350 ms', () => {
  const layout = layoutFor(B.family, B.islands, 900, 460);
  const run = runBetween(layout, '13', '16', (place) => ({ x: Number(place) || 0, y: 0 })).map((point) => point.x);
  const ends = [layout.islands[0]?.way.at(-1)?.x, layout.islands[1]?.way[0]?.x];
  expect(run).toEqual([13, 14, ...ends, 15, 16]);
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
