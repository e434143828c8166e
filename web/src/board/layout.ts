/** Where everything lies on the chart: picks, for the room there is, the winding that shows the fields largest. */
import type { Family, Place } from '../game/position.ts';
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
  /** Pixels of the page in a unit of the chart. */
  readonly scale: number;
}

interface Plan {
  readonly counts: readonly (readonly number[])[];
  readonly rows: readonly number[];
  readonly side: boolean;
  readonly gap: number;
  /** The width of the sea between two islands that lie beside one another; above one another: between their berths. */
  readonly strait?: number;
  /** The nest lies below the second island, not beside it. */
  readonly isNestBelow?: boolean;
}

const EDGE = 40;
/** From the middle of an island's way to open water. */
const BEACH = CELL * 0.87 + 6;
const SWAY = 5;

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

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
    this.fields = total(counts);
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
    const number = total(counts[index] ?? []);
    const unit = lengthOf(island.course) / number;
    for (let i = 0; i < number; i++) fields.set(String(fields.size + 1), spotAt(island.course, (i + 0.5) * unit));
  });
  return fields;
}

function withFields(parts: Omit<BoardLayout, 'fields' | 'view' | 'gap' | 'scale'>, plan: Plan): BoardLayout {
  let fields: ReadonlyMap<Place, Spot> | undefined;
  return {
    ...parts,
    gap: plan.gap,
    view: boxAt(0, 0, parts.width, parts.height),
    scale: 1,
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
  const fields = total(counts);
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
  const { gap, strait = 250, isNestBelow = false } = plan;
  const heightOf = (rows: number): number => (rows - 1) * gap;
  const camp = { height: 84, above: 84 + 14 + CELL / 2 };
  const nestSize = { width: 196, height: 150 };
  const below = isNestBelow ? camp.above : BEACH;
  const [high1, high2] = [camp.above + heightOf(rows1) + BEACH, Math.max(BEACH + heightOf(rows2) + below, 190)];
  const height = Math.max(high1, high2);
  const left1 = BEACH + gap / 2 + 4;
  const top1 = (height - high1) / 2 + camp.above;
  const one = new Island(first, rows1, gap, left1, top1, 1);
  const left2 = one.box.x + one.box.width + strait + gap / 2;
  const top2 = (height - high2) / 2 + BEACH;
  const two = new Island(second, rows2, gap, left2, top2, 1);
  const nestX = two.box.x + two.box.width - gap / 2 - 4;
  const width = isNestBelow ? two.box.x + two.box.width + BEACH - CELL / 2 + 4 : nestX + nestSize.width + 14;
  const bottom1 = top1 + heightOf(rows1);
  const dock1 = boxAt(one.box.x + one.box.width - gap / 2 + 18, Math.min(bottom1 - 50, height - 114), 180, 108);
  const dock2 = boxAt(two.box.x - 150, Math.max(6, top2 - 48), 180, 108);
  const bottom2 = top2 + heightOf(rows2);
  const nestY = Math.max(18, Math.min(bottom2 - 96, height - nestSize.height - 18));
  const nest = isNestBelow
    ? boxAt(two.box.x, bottom2 + camp.above - camp.height - 8, two.box.width, camp.height)
    : boxAt(nestX, nestY, nestSize.width, nestSize.height);
  const start = boxAt(one.box.x, top1 - camp.above + 8, one.box.width, camp.height);
  return withFields(
    {
      width,
      height,
      tall: false,
      islands: [one, two],
      start,
      nest,
      docks: [dock1, dock2],
      sea: boxAt(0, 0, width, height),
    },
    plan,
  );
}

/** The room between two berths in which the name of one has its place. */
export const NAME_ROOM = 50;

/** Two islands above one another; the sloop crosses the strait between them. */
function aboveLayout(plan: Plan): BoardLayout {
  const [first = [], second = []] = plan.counts;
  const [rows1 = 1, rows2 = 1] = plan.rows;
  const { gap, strait = 0 } = plan;
  const [nestWidth, dockWidth] = [290, 204];
  const length1 = rowLengthFor(total(first) * CELL, rows1, gap);
  const length2 = rowLengthFor(total(second) * CELL, rows2, gap);
  const dockRoom = 2 * (dockWidth + 12);
  const width = Math.max(Math.max(length1, length2) + gap + 2 * BEACH, dockRoom + strait);
  const left1 = (width - length1) / 2;
  const top1 = EDGE + 70;
  const one = new Island(first, rows1, gap, left1, top1, 1);
  const bottom1 = top1 + (rows1 - 1) * gap;
  const seaTop = bottom1 + CELL / 2 + 10;
  const endsLeft = rows1 % 2 === 0;
  const heading2 = endsLeft ? -1 : 1;
  const top2 = seaTop + (width - dockRoom < NAME_ROOM ? 114 : 96) + CELL / 2;
  const left2 = (width - length2) / 2;
  const two = new Island(second, rows2, gap, left2, top2, heading2);
  const bottom2 = top2 + (rows2 - 1) * gap;
  const endsRight2 = (rows2 % 2 === 1) === (heading2 === 1);
  const height = bottom2 + EDGE + 76;
  const atLeft = boxAt(12, seaTop + 2, dockWidth, 84);
  const atRight = boxAt(width - dockWidth - 12, seaTop + 2, dockWidth, 84);
  const docks = endsLeft ? [atLeft, atRight] : [atRight, atLeft];
  const nest = boxAt(endsRight2 ? width - nestWidth - 18 : 18, bottom2 + 36, nestWidth, 64);
  const start = boxAt(18, 14, width - 36, 58);
  return withFields(
    { width, height, tall: true, islands: [one, two], start, nest, docks, sea: boxAt(0, 0, width, height) },
    plan,
  );
}

/** The widest sea first: of two equally large boards the one that fills its room is drawn. */
const STRAITS = [560, 440, 340, 250];

function plansFor(family: Family, counts: readonly (readonly number[])[]): BoardLayout[] {
  const layouts: BoardLayout[] = [];
  if (family === 'nest') {
    for (const gap of [74, 84]) {
      for (const rows of [
        [3, 3],
        [3, 5],
        [1, 3],
      ])
        for (const strait of STRAITS) layouts.push(besideLayout({ counts, rows, side: true, gap, strait }));
      for (const last of [4, 5])
        for (const strait of [...STRAITS, 200])
          layouts.push(besideLayout({ counts, rows: [3, last], side: true, gap, strait, isNestBelow: true }));
      for (const rows of [
        [2, 3],
        [3, 4],
        [3, 5],
        [2, 4],
      ])
        for (const strait of [NAME_ROOM, 0]) layouts.push(aboveLayout({ counts, rows, side: false, gap, strait }));
    }
    return layouts;
  }
  const fields = total(counts[0] ?? []);
  const most = Math.max(1, Math.floor(fields / 4));
  for (let rows = 1; rows <= Math.min(most, 9); rows++) {
    for (const gap of [74, 84, 96]) {
      if (rowLengthFor(fields * CELL, rows, gap) < CELL * 2.5) continue;
      // Beside two rows there is no room for fortress and sloop above one another.
      if (rows !== 2) layouts.push(tunnelLayout({ counts, rows: [rows], side: true, gap }));
      layouts.push(tunnelLayout({ counts, rows: [rows], side: false, gap }));
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
  return Object.defineProperties(Object.create(layout) as BoardLayout, {
    view: { value: view },
    scale: { value: scale },
  });
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

/** Small letters against those of the page, and at least, in units of a chart: the numbers of fields have 11. */
const [SMALL, LEAST] = [0.76, 9];

/** The size of small letters in units of the chart: as on the page, and larger beside the figures of a large board. */
export function smallLetter({ scale }: BoardLayout, rem: number): number {
  return Math.max((SMALL * rem) / scale, LEAST);
}
