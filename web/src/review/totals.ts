/** The game of each seat in numbers, as `study/review.py` sums it up. */
import { CLASSES } from './judge.ts';
import { exactSum } from './sums.ts';
import type { Decision, Kind, SeatReview, Split, Values } from './types.ts';

/** The loss of win chance at which a decision counts 37 % towards the accuracy. */
const SLIP = 0.1;

/** The move that changed a seat's win chance most, or null where nothing changed. */
function turningPoint(course: readonly Values[], index: number): SeatReview['turning_point'] {
  const changes = course.slice(1).map((after, number) => (after[index] ?? 0) - (course[number]?.[index] ?? 0));
  const number = changes.reduce((best, change, at) => (Math.abs(change) > Math.abs(changes[best] ?? 0) ? at : best), 0);
  const change = changes[number] ?? 0;
  return change ? { number: number + 1, change } : null;
}

/** From 0 to 100: the mean of exp(-cost / 0.1) over free decisions. */
function accuracyOf(costs: readonly number[]): number {
  return costs.length ? (100 * exactSum(costs.map((cost) => Math.exp(-cost / SLIP)))) / costs.length : 100;
}

function seatReview(index: number, name: string, decisions: readonly Decision[], parts: Split): SeatReview {
  const own = decisions.filter(({ seat, forced }) => seat === index + 1 && !forced);
  const value = (values: Values | undefined): number => values?.[index] ?? 0;
  const kinds = (Object.keys(CLASSES) as Kind[]).map(
    (kind) => [kind, own.filter((each) => each.kind === kind).length] as const,
  );
  return {
    seat: index + 1,
    name,
    accuracy: accuracyOf(own.map(({ cost }) => cost)),
    lost: exactSum(own.map(({ cost }) => cost)),
    kinds: Object.fromEntries(kinds) as Record<Kind, number>,
    opening: value(parts.opening),
    luck: exactSum(parts.draws.map(({ luck }) => value(luck))),
    decisions: exactSum(Object.values(parts.choices).map(value)),
    ending: value(parts.ending),
    result: value(parts.result),
    turning_point: turningPoint(parts.course, index),
  };
}

/** All seats, from the decisions judged so far. */
export function summary(
  decisions: readonly Decision[],
  parts: Split,
  tags: Readonly<Record<string, string>>,
): SeatReview[] {
  return parts.result.map((_, index) =>
    seatReview(index, tags[`Seat${index + 1}`] ?? `Seat ${index + 1}`, decisions, parts),
  );
}
