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

/** A cell for each crew in a box that holds many: start, sloop, nest. */
function crewCells(box: Box, counts: readonly number[]): CrewCell[] {
  const seats = counts.length;
  const columns = box.width > box.height * 2.4 ? seats : Math.ceil(seats / 3);
  const rows = Math.ceil(seats / columns);
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
      !layout.nest ? yardOf(layout) : layout.tall ? [0.21, 0.1, 0.98, 0.95] : [0.06, 0.42, 0.97, 0.98],
    );
  if (place === SPOTS.nest && layout.nest)
    return inner(layout.nest, layout.tall ? [0.42, 0.1, 0.98, 0.95] : [0.05, 0.42, 0.95, 0.97]);
  const dock = layout.docks[Math.max(0, sloop - 1)] ?? layout.docks[0];
  return inner(dock as Box, [0.1, 0.34, 0.9, 0.74]);
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

/** Where the number of a crew stands: right behind its last figure. */
export function countSpot(cell: CrewCell): Point {
  const { scale, step } = ranks(cell);
  return { x: cell.box.x + 36 * scale + 2 + (cell.count - 1) * step + 9, y: cell.box.y + cell.box.height / 2 + 5 };
}

/** The middle of a place. */
export function centreOf(layout: BoardLayout, place: Place, sloop: number): Point & { readonly angle?: number } {
  const field = layout.fields.get(place);
  if (field) return field;
  const box = deckOf(layout, place, sloop);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
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
