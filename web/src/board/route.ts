/** The line along which a pirate runs from place to place. */
import { SPOTS, type Place } from '../game/position.ts';
import type { BoardLayout } from './layout.ts';
import { lengthOf, spotAt, type Point, type Spot } from './path.ts';

type Waypoint = Point & { readonly angle?: number };

/** The line a pirate runs from one place to another: along the way, through the mouths of its ends, by land and by sea. */
export function runBetween(
  layout: BoardLayout,
  from: Place,
  to: Place,
  centre: (place: Place) => Waypoint,
): Waypoint[] {
  const [a, b] = [trackIndex(layout, from), trackIndex(layout, to)];
  const step = a < b ? 1 : -1;
  const points: Waypoint[] = [];
  for (let i = a; i !== b + step; i += step) {
    const isEnd = i === a || i === b;
    const place = placeAt(layout, i);
    if (isEnd || place !== SPOTS.sloop) points.push(centre(place));
    if (i !== b) points.push(...mouthBetween(layout, Math.min(i, i + step)));
  }
  return points;
}

/** The mouth that is passed between a place of the track and the next one, if there is one. */
function mouthBetween(layout: BoardLayout, index: number): Spot[] {
  const [one, two] = layout.islands;
  const first = firstFields(layout);
  const ends = new Map([
    [0, one && spotAt(one.course, 0)],
    [first, one && spotAt(one.course, lengthOf(one.course))],
    [first + 1, two && spotAt(two.course, 0)],
    [layout.fields.size + 1, two && spotAt(two.course, lengthOf(two.course))],
  ]);
  const found = ends.get(index);
  return found ? [found] : [];
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
