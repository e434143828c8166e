/** Pirates as figures with an identity, so that a change of position can be shown as a run. */
import { SPOTS, type Place, type Position } from '../game/position.ts';
import { CELL, type BoardLayout, type Box } from './layout.ts';
import type { Point } from './path.ts';

export interface Figure {
  readonly id: string;
  readonly seat: number;
  readonly place: Place;
}

export interface Standing extends Figure {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The figures of a position. Those of the position before keep their identity; the moved one is found by difference. */
export function reconcile(before: readonly Figure[], position: Position): Figure[] {
  return position.pirates.flatMap((places, index) => {
    const seat = index + 1;
    const left = [...places];
    const own = before.filter((figure) => figure.seat === seat);
    const staying = own.map((figure) => {
      const at = left.indexOf(figure.place);
      if (at < 0) return undefined;
      left.splice(at, 1);
      return figure;
    });
    if (own.length !== places.length) return places.map((place, i) => ({ id: `${seat}-${i}`, seat, place }));
    return own.map((figure, i) => staying[i] ?? { ...figure, place: left.shift() ?? SPOTS.start });
  });
}

/** Where on a field the k-th of n figures stands. */
const FIELD_SLOTS: readonly (readonly (readonly [number, number])[])[] = [
  [[1, 9]],
  [
    [-11, 12],
    [11.5, 12],
  ],
  [
    [-15, 12],
    [15, 12],
    [0, 12],
  ],
];

const SIZE_ON_FIELD = [0.82, 0.7, 0.62];

export interface CrewCell {
  readonly seat: number;
  readonly count: number;
  readonly box: Box;
}

/** The number of columns in which a crew has most room. */
function columnsIn(box: Box, crews: number): number {
  const room = (columns: number): number =>
    Math.min(box.width / columns / 44, box.height / Math.ceil(crews / columns) / 34);
  return Array.from({ length: crews }, (_, i) => crews - i).reduce((best, next) =>
    room(next) > room(best) ? next : best,
  );
}

/** A cell for each crew in a box that holds many: start, sloop, nest. */
function crewCells(box: Box, counts: readonly number[]): CrewCell[] {
  const columns = columnsIn(box, counts.length);
  const rows = Math.ceil(counts.length / columns);
  return counts.map((count, index) => ({
    seat: index + 1,
    count,
    box: {
      x: box.x + (index % columns) * (box.width / columns),
      y: box.y + Math.floor(index / columns) * (box.height / rows),
      width: box.width / columns,
      height: box.height / rows,
    },
  }));
}

/** The part of a place's box where figures stand; the rest is drawing. */
function deckOf(layout: BoardLayout, place: Place, sloop: number): Box {
  if (place === SPOTS.start)
    return inner(
      layout.start,
      !layout.nest ? yardOf(layout) : layout.tall ? [0.2, 0.1, 0.98, 0.95] : [0.06, 0.42, 0.97, 0.98],
    );
  if (place === SPOTS.nest && layout.nest)
    return inner(layout.nest, layout.tall ? [0.27, 0.06, 0.98, 0.96] : [0.05, 0.45, 0.95, 0.97]);
  const dock = layout.docks[Math.max(0, sloop - 1)] ?? layout.docks[0];
  return inner(dock as Box, [0.06, 0.32, 0.94, 0.76]);
}

/** The yard between the towers of the fortress, as parts of its box. */
function yardOf({ start }: BoardLayout): readonly [number, number, number, number] {
  return [28 / start.width, 0.34, 1 - 28 / start.width, 0.97];
}

function inner(box: Box, [left, top, right, bottom]: readonly [number, number, number, number]): Box {
  return {
    x: box.x + box.width * left,
    y: box.y + box.height * top,
    width: box.width * (right - left),
    height: box.height * (bottom - top),
  };
}

/** The spot of every pirate on the chart. */
export function standings(layout: BoardLayout, position: Position, figures: readonly Figure[]): Standing[] {
  const groups = new Map<Place, Figure[]>();
  for (const figure of figures) groups.set(figure.place, [...(groups.get(figure.place) ?? []), figure]);
  return [...groups].flatMap(([place, group]) => {
    const field = layout.fields.get(place);
    return field ? onField(field, group) : inCrowd(layout, position, place, group);
  });
}

function onField(field: Point, group: readonly Figure[]): Standing[] {
  const count = Math.min(group.length, 3);
  const slots = FIELD_SLOTS[count - 1] ?? [];
  const sorted = [...group].sort((a, b) => a.seat - b.seat || a.id.localeCompare(b.id));
  return sorted.map((figure, i) => {
    const [dx, dy] = slots[i] ?? [0, 0];
    return { ...figure, x: field.x + dx, y: field.y + dy, scale: SIZE_ON_FIELD[count - 1] ?? 0.6 };
  });
}

/** How a crew stands in its cell: the size of its figures, and how far apart they are. */
function ranks({ box, count }: CrewCell): { scale: number; step: number } {
  const scale = Math.min(0.66, box.height / 42);
  const room = Math.max(0, box.width - 40 * scale - 20);
  return { scale, step: count > 1 ? Math.min(15, room / (count - 1)) : 0 };
}

function inCrowd(layout: BoardLayout, position: Position, place: Place, group: readonly Figure[]): Standing[] {
  return cellsAt(layout, position, place).flatMap((cell) => {
    const { scale, step } = ranks(cell);
    const crew = group.filter((figure) => figure.seat === cell.seat);
    return crew.map((figure, i) => ({
      ...figure,
      x: cell.box.x + 18 * scale + 2 + i * step,
      y: cell.box.y + cell.box.height / 2,
      scale,
    }));
  });
}

/** The cells of the crews at a place that holds many. */
export function cellsAt(layout: BoardLayout, position: Position, place: Place): CrewCell[] {
  const counts = position.pirates.map((places) => places.filter((at) => at === place).length);
  return crewCells(deckOf(layout, place, position.sloop), counts);
}

export interface Counter extends Point {
  readonly seat: number;
  readonly count: number;
  /** The height of its letters. */
  readonly size: number;
}

/** Parts of the height of a number that it is wide, with its rim. */
const BROAD = 0.8;

/** The numbers of the crews of two or more at a place: right behind the last figure, within the crew's cell. `letter`: the size asked for. */
export function countersAt(layout: BoardLayout, position: Position, place: Place, letter: number): Counter[] {
  return cellsAt(layout, position, place)
    .filter(({ count }) => count > 1)
    .map((cell) => {
      const { box, seat, count } = cell;
      const { scale, step } = ranks(cell);
      const size = Math.min(letter, box.width * 0.92, box.height * 0.92);
      const behind = box.x + 36 * scale + (count - 1) * step + size * 0.5;
      const x = Math.min(behind, box.x + box.width - (size * BROAD) / 2);
      return { seat, count, size, x, y: box.y + box.height / 2 + Math.min(6, (box.height - size) / 2) };
    });
}

/** The middle of a place; of one that holds many, where the crew of a seat stands. */
export function centreOf(
  layout: BoardLayout,
  position: Position,
  place: Place,
  seat?: number,
): Point & { readonly angle?: number } {
  const field = layout.fields.get(place);
  if (field) return field;
  const cell = seat && cellsAt(layout, position, place)[seat - 1];
  const box = cell ? { ...cell.box, width: Math.min(cell.box.width, 36) } : deckOf(layout, place, position.sloop);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The box around the figures of a crew at a place. */
export function crewBox(layout: BoardLayout, position: Position, place: Place, seat: number, least: number): Box {
  const group = standings(layout, position, reconcile([], position)).filter(
    (each) => each.place === place && each.seat === seat,
  );
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return touchBox(layout, place, position.sloop);
  const [wide, high] = [40 * first.scale, 48 * first.scale];
  const [left, right] = [Math.min(first.x, last.x) - wide / 2, Math.max(first.x, last.x) + wide / 2];
  const [width, height] = [Math.max(right - left, least), Math.max(high, least)];
  return { x: (left + right - width) / 2, y: first.y - 6 * first.scale - height / 2, width, height };
}

/** Where a tap means a place: it reaches to the middle between two rows, so that a finger meets it on a small board. */
export function reachBox(layout: BoardLayout, place: Place, sloop: number): Box {
  const box = touchBox(layout, place, sloop);
  const height = Math.max(box.height, layout.gap);
  return { ...box, y: box.y + (box.height - height) / 2, height };
}

/** The box of a place. */
export function touchBox(layout: BoardLayout, place: Place, sloop: number): Box {
  const field = layout.fields.get(place);
  if (field) return { x: field.x - CELL / 2, y: field.y - CELL / 2, width: CELL, height: CELL };
  if (place === SPOTS.start) return layout.start;
  if (place === SPOTS.nest && layout.nest) return layout.nest;
  return layout.docks[Math.max(0, sloop - 1)] ?? layout.start;
}
