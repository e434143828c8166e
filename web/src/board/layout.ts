/** Where everything lies on the chart: picks, for the room there is, the winding that shows the fields largest. */
import { SPOTS, type Family, type Place } from '../game/position.ts';
import {
  lengthOf,
  rowLengthFor,
  spotAt,
  stretch,
  windingCourse,
  type Bends,
  type Course,
  type Point,
  type Spot,
} from './path.ts';

export const CELL = 60;

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PieceShape {
  readonly points: readonly Point[];
  readonly seam: Spot;
}

export interface IslandShape {
  readonly course: Course;
  readonly way: readonly Point[];
  readonly pieces: readonly PieceShape[];
  readonly box: Box;
}

export interface BoardLayout {
  readonly width: number;
  readonly height: number;
  readonly tall: boolean;
  /** From the middle of a row to that of the next. */
  readonly gap: number;
  readonly islands: readonly IslandShape[];
  readonly fields: ReadonlyMap<Place, Spot>;
  readonly start: Box;
  readonly nest: Box | undefined;
  /** Where the sloop lies: one dock in the tunnel, two in the nest. */
  readonly docks: readonly Box[];
  readonly sea: Box;
  /** What is shown: the chart and as much land and sea around it as fills the room. */
  readonly view: Box;
}

interface Plan {
  readonly counts: readonly (readonly number[])[];
  readonly rows: readonly number[];
  readonly side: boolean;
  readonly gap: number;
}

const EDGE = 40;
const SWAY = 5;

/** A winding way. Of all that are tried out only one is drawn, so its points are worked out when they are asked for. */
class Island implements IslandShape {
  readonly box: Box;
  private readonly fields: number;
  private readonly bends: Bends;
  private known: { course: Course; pieces: readonly PieceShape[] } | undefined;

  constructor(
    private readonly counts: readonly number[],
    rows: number,
    gap: number,
    left: number,
    top: number,
    heading: 1 | -1,
  ) {
    this.fields = counts.reduce((sum, count) => sum + count, 0);
    const rowLength = rowLengthFor(this.fields * CELL, rows, gap);
    this.bends = { rows, rowLength, gap, left, top, heading, sway: SWAY };
    const bulge = rows > 1 ? gap / 2 : 0;
    this.box = {
      x: left - bulge - CELL / 2,
      y: top - CELL / 2,
      width: rowLength + 2 * bulge + CELL,
      height: (rows - 1) * gap + CELL,
    };
  }

  get course(): Course {
    return this.drawn.course;
  }

  get way(): readonly Point[] {
    return this.course.points;
  }

  get pieces(): readonly PieceShape[] {
    return this.drawn.pieces;
  }

  private get drawn() {
    return (this.known ??= this.draw());
  }

  private draw() {
    const course = windingCourse(this.bends);
    const unit = lengthOf(course) / this.fields;
    let done = 0;
    const pieces = this.counts.map((count) => {
      const from = done * unit;
      done += count;
      return { points: stretch(course, from, done * unit), seam: spotAt(course, from) };
    });
    return { course, pieces };
  }
}

function fieldsOf(islands: readonly IslandShape[], counts: readonly (readonly number[])[]): Map<Place, Spot> {
  const fields = new Map<Place, Spot>();
  islands.forEach((island, index) => {
    const number = (counts[index] ?? []).reduce((sum, count) => sum + count, 0);
    const unit = lengthOf(island.course) / number;
    for (let i = 0; i < number; i++) fields.set(String(fields.size + 1), spotAt(island.course, (i + 0.5) * unit));
  });
  return fields;
}

function withFields(parts: Omit<BoardLayout, 'fields' | 'view' | 'gap'>, plan: Plan): BoardLayout {
  let fields: ReadonlyMap<Place, Spot> | undefined;
  return {
    ...parts,
    gap: plan.gap,
    view: boxAt(0, 0, parts.width, parts.height),
    get fields() {
      return (fields ??= fieldsOf(parts.islands, plan.counts));
    },
  };
}

const boxAt = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

/** One tunnel: the fortress before the first row and the sloop behind the last, beside them or above and below. */
function tunnelLayout(plan: Plan): BoardLayout {
  const counts = plan.counts[0] ?? [];
  const rows = plan.rows[0] ?? 1;
  const fields = counts.reduce((sum, count) => sum + count, 0);
  const rowLength = rowLengthFor(fields * CELL, rows, plan.gap);
  const bulge = rows > 1 ? plan.gap / 2 : 0;
  const endsRight = rows % 2 === 1;
  const startWidth = plan.side ? 150 : 0;
  const dockWidth = plan.side ? 185 : 0;
  // Beside the fortress a row that sways must not lean out of the picture.
  const band = plan.side ? SWAY + 1 : 66;
  const left = EDGE + bulge + (plan.side ? Math.max(startWidth - bulge, !endsRight ? dockWidth - bulge : 0, 0) : 0);
  const top = EDGE + band;
  const island = new Island(counts, rows, plan.gap, left, top, 1);
  const right = left + rowLength;
  const width = right + bulge + EDGE + (plan.side && endsRight ? Math.max(dockWidth - bulge, 0) : 0);
  const bottom = top + (rows - 1) * plan.gap;
  const height = bottom + EDGE + (plan.side ? 12 : 78);
  const start = plan.side ? boxAt(8, 6, left - 22, plan.gap + 22) : boxAt(10, 4, width - 20, 62);
  const dock = plan.side
    ? boxAt(endsRight ? right + 22 : left - dockWidth - 12, bottom - 62, dockWidth - 10, 108)
    : boxAt(endsRight ? width - 218 : 14, bottom + 36, 204, 78);
  const sea = plan.side
    ? boxAt(endsRight ? right + 8 : 0, bottom - plan.gap * 0.9, width, height)
    : boxAt(0, bottom + EDGE - 6, width, height);
  return withFields(
    { width, height, tall: !plan.side, islands: [island], start, nest: undefined, docks: [dock], sea },
    plan,
  );
}

/** Two islands beside one another, the sea between them. */
function besideLayout(plan: Plan): BoardLayout {
  const [first = [], second = []] = plan.counts;
  const [rows1 = 1, rows2 = 1] = plan.rows;
  const { gap } = plan;
  const strait = 250;
  const height = Math.max(rows1, rows2) * gap + 78;
  const heightOf = (rows: number): number => (rows - 1) * gap;
  const startHeight = 84;
  const left1 = EDGE + gap / 2 + 34;
  const top1 = Math.min(height - EDGE - heightOf(rows1), (height - heightOf(rows1)) / 2 + startHeight / 2);
  const one = new Island(first, rows1, gap, left1, top1, 1);
  const left2 = one.box.x + one.box.width + strait + gap / 2;
  const top2 = (height - heightOf(rows2)) / 2;
  const two = new Island(second, rows2, gap, left2, top2, 1);
  const nestX = two.box.x + two.box.width - gap / 2 + 6;
  const width = nestX + 136;
  const bottom1 = top1 + heightOf(rows1);
  const sea = boxAt(0, 0, width, height);
  const startTop = Math.max(8, top1 - CELL / 2 - startHeight - 6);
  const dock1 = boxAt(one.box.x + one.box.width - gap / 2 + 18, bottom1 - 50, 180, 108);
  const dock2 = boxAt(two.box.x - 150, top2 - 48, 180, 108);
  const nest = boxAt(nestX - 10, top2 + heightOf(rows2) - 78, 132, 124);
  const start = boxAt(one.box.x, startTop, one.box.width, startHeight);
  return withFields({ width, height, tall: false, islands: [one, two], start, nest, docks: [dock1, dock2], sea }, plan);
}

/** Two islands above one another; the sloop crosses the strait between them. */
function aboveLayout(plan: Plan): BoardLayout {
  const [first = [], second = []] = plan.counts;
  const [rows1 = 1, rows2 = 1] = plan.rows;
  const { gap } = plan;
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const nestWidth = 118;
  const length1 = rowLengthFor(total(first) * CELL, rows1, gap);
  const length2 = rowLengthFor(total(second) * CELL, rows2, gap);
  const width = Math.max(length1 + gap, length2 + gap) + 2 * (EDGE + 10);
  const left1 = (width - length1) / 2;
  const top1 = EDGE + 60;
  const one = new Island(first, rows1, gap, left1, top1, 1);
  const bottom1 = top1 + (rows1 - 1) * gap;
  const seaTop = bottom1 + CELL / 2 + 10;
  const endsLeft = rows1 % 2 === 0;
  const heading2 = endsLeft ? -1 : 1;
  const top2 = seaTop + 96 + CELL / 2;
  const left2 = (width - length2) / 2;
  const two = new Island(second, rows2, gap, left2, top2, heading2);
  const bottom2 = top2 + (rows2 - 1) * gap;
  const endsRight2 = (rows2 % 2 === 1) === (heading2 === 1);
  const height = bottom2 + EDGE + 62;
  const dockWidth = 196;
  const atLeft = boxAt(12, seaTop + 2, dockWidth, 84);
  const atRight = boxAt(width - dockWidth - 12, seaTop + 2, dockWidth, 84);
  const docks = endsLeft ? [atLeft, atRight] : [atRight, atLeft];
  const nest = boxAt(endsRight2 ? width - nestWidth * 2 - 10 : 10, bottom2 + 36, nestWidth * 2, 62);
  const start = boxAt(10, 4, width - 20, 58);
  return withFields(
    { width, height, tall: true, islands: [one, two], start, nest, docks, sea: boxAt(0, 0, width, height) },
    plan,
  );
}

function plansFor(family: Family, counts: readonly (readonly number[])[]): BoardLayout[] {
  const layouts: BoardLayout[] = [];
  if (family === 'nest') {
    for (const gap of [74, 84]) {
      for (const rows of [
        [3, 3],
        [3, 5],
        [1, 3],
      ])
        layouts.push(besideLayout({ counts, rows, side: true, gap }));
      for (const rows of [
        [2, 3],
        [3, 4],
        [3, 5],
        [2, 4],
      ])
        layouts.push(aboveLayout({ counts, rows, side: false, gap }));
    }
    return layouts;
  }
  const fields = (counts[0] ?? []).reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, Math.floor(fields / 4));
  for (let rows = 1; rows <= Math.min(most, 9); rows++) {
    for (const gap of [74, 84, 96]) {
      if (rowLengthFor(fields * CELL, rows, gap) < CELL * 2.5) continue;
      layouts.push(
        tunnelLayout({ counts, rows: [rows], side: true, gap }),
        tunnelLayout({ counts, rows: [rows], side: false, gap }),
      );
    }
  }
  return layouts;
}

const drawn = new Map<string, BoardLayout>();
const MOST_DRAWN = 12;

/** The layout with the largest fields for that size. The same size gives the same object, so that nothing is redrawn. */
export function layoutFor(
  family: Family,
  islands: readonly (readonly string[])[],
  width: number,
  height: number,
): BoardLayout {
  const counts = islands.map((island) => island.map((piece) => piece.length));
  const key = [family, counts.join('|'), Math.round(width), Math.round(height)].join(' ');
  const known = drawn.get(key);
  if (known) return known;
  if (drawn.size >= MOST_DRAWN) drawn.clear();
  const layout = filling(bestLayout(family, counts, width, height), width, height);
  drawn.set(key, layout);
  return layout;
}

/** The layout with a view of the proportions of the room, the chart in its middle. */
function filling(layout: BoardLayout, width: number, height: number): BoardLayout {
  const scale = Math.min(width / layout.width, height / layout.height);
  const [wide, high] = [width / scale, height / scale];
  const view = boxAt((layout.width - wide) / 2, (layout.height - high) / 2, wide, high);
  return Object.defineProperty(Object.create(layout) as BoardLayout, 'view', { value: view });
}

function bestLayout(
  family: Family,
  counts: readonly (readonly number[])[],
  width: number,
  height: number,
): BoardLayout {
  const scale = (layout: BoardLayout): number => Math.min(width / layout.width, height / layout.height);
  const layouts = plansFor(family, counts);
  return layouts.reduce((best, next) => (scale(next) > scale(best) * 1.001 ? next : best));
}

/** The line a pirate runs from one place to another: along the way, by land and by sea. */
export function runBetween(
  layout: BoardLayout,
  from: Place,
  to: Place,
  centre: (place: Place) => Point & { readonly angle?: number },
): (Point & { readonly angle?: number })[] {
  const points = [centre(from)];
  const a = trackIndex(layout, from);
  const b = trackIndex(layout, to);
  const step = a < b ? 1 : -1;
  for (let i = a + step; i !== b; i += step) {
    const place = placeAt(layout, i);
    if (place !== SPOTS.sloop) points.push(centre(place));
  }
  points.push(centre(to));
  return points;
}

function firstFields(layout: BoardLayout): number {
  if (layout.islands.length < 2) return layout.fields.size;
  return (
    (layout.islands[0]?.pieces.length ?? 0) *
    (layout.fields.size / layout.islands.reduce((n, island) => n + island.pieces.length, 0))
  );
}

function trackIndex(layout: BoardLayout, place: Place): number {
  const first = firstFields(layout);
  if (place === SPOTS.start) return 0;
  if (place === SPOTS.sloop) return first + 1;
  if (place === SPOTS.nest) return layout.fields.size + 2;
  const number = Number(place);
  return number <= first ? number : number + 1;
}

function placeAt(layout: BoardLayout, index: number): Place {
  const first = firstFields(layout);
  if (index === 0) return SPOTS.start;
  if (index === first + 1) return SPOTS.sloop;
  if (index > layout.fields.size + 1) return SPOTS.nest;
  return String(index <= first ? index : index - 1);
}
