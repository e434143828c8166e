/** A winding centre line as a dense run of points with their distance from the beginning. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Spot extends Point {
  /** Direction of the way here, in degrees. */
  readonly angle: number;
}

export interface Course {
  readonly points: readonly Point[];
  readonly lengths: readonly number[];
}

/** The turn of a square tile on a way of that direction: it looks the same after every quarter, so its number stays upright. */
export function tiltOf(angle: number): number {
  return angle - 90 * Math.round(angle / 90);
}

const STEP = 4;

/** The course through these points. */
export function courseOf(points: readonly Point[]): Course {
  const lengths = [0];
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1] as Point;
    const b = points[i] as Point;
    lengths.push((lengths[i - 1] ?? 0) + Math.hypot(b.x - a.x, b.y - a.y));
  }
  return { points, lengths };
}

export function lengthOf(course: Course): number {
  return course.lengths.at(-1) ?? 0;
}

/** The spot that far from the beginning of a course. */
export function spotAt(course: Course, distance: number): Spot {
  const { points, lengths } = course;
  let i = 1;
  while (i < lengths.length - 1 && (lengths[i] ?? 0) < distance) i++;
  const a = points[i - 1] as Point;
  const b = points[i] as Point;
  const from = lengths[i - 1] ?? 0;
  const part = (distance - from) / Math.max((lengths[i] ?? 0) - from, 1e-6);
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part, angle };
}

/** The stretch of a course between two distances. */
export function stretch(course: Course, from: number, to: number): Point[] {
  const inner = course.points.filter((_, i) => (course.lengths[i] ?? 0) > from && (course.lengths[i] ?? 0) < to);
  return [spotAt(course, from), ...inner, spotAt(course, to)];
}

/** SVG path data through the points. */
export function pathData(points: readonly Point[]): string {
  return points.map((p, i) => (i ? 'L' : 'M') + at(p)).join('');
}

const STRIDE = 3;

/** A smooth curve close by the points of a dense run, with a third of them: much less to paint than every point joined. */
export function smoothPath(points: readonly Point[]): string {
  return bentPath(points.filter((_, i) => i % STRIDE === 0 || i === points.length - 1));
}

/** SVG path data with bends instead of corners. */
export function bentPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last || rest.length < 2) return pathData(points);
  const bends = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1] as Point;
    return `Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return `M${at(first)}${bends.join('')}L${at(last)}`;
}

function at(point: Point): string {
  return `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
}

export interface Bends {
  readonly rows: number;
  readonly rowLength: number;
  readonly gap: number;
  readonly left: number;
  readonly top: number;
  /** 1: the first row runs to the right. */
  readonly heading: 1 | -1;
  readonly sway: number;
}

/** Rows joined by half circles, like a tunnel that winds through rock; each row sways a little. */
export function windingCourse(bends: Bends): Course {
  const points: Point[] = [];
  const { rows, rowLength, gap, left, top, sway } = bends;
  for (let row = 0; row < rows; row++) {
    const heading = row % 2 === 0 ? bends.heading : -bends.heading;
    const y = top + row * gap;
    const steps = Math.max(2, Math.round(rowLength / STEP));
    for (let i = 0; i <= steps; i++) {
      const part = i / steps;
      const x = heading > 0 ? left + part * rowLength : left + (1 - part) * rowLength;
      points.push({ x, y: y + Math.sin(part * Math.PI * 2) * sway });
    }
    if (row < rows - 1) points.push(...halfCircle(heading > 0 ? left + rowLength : left, y, gap / 2, heading));
  }
  return courseOf(points);
}

function halfCircle(x: number, y: number, radius: number, heading: number): Point[] {
  const count = Math.max(4, Math.round((Math.PI * radius) / STEP));
  const points: Point[] = [];
  for (let i = 1; i < count; i++) {
    const turn = (i / count) * Math.PI;
    points.push({ x: x + heading * Math.sin(turn) * radius, y: y + radius - Math.cos(turn) * radius });
  }
  return points;
}

/** How long a row must be so that the whole course has a given length. */
export function rowLengthFor(total: number, rows: number, gap: number): number {
  return (total - ((rows - 1) * Math.PI * gap) / 2) / rows;
}
