/** Split a game into luck and decisions. The engine does it (`players/compiled/valuation.py`), as for `study/luck.py`. */
import { EngineError, type Engine, type GameRecord } from '../engine/index.ts';
import { numberOf } from '../engine/data.ts';
import { CLASSES, sharesOf } from './judge.ts';
import type { Decision, Kind, SeatReview, Split } from './types.ts';

/** The loss of win chance at which a decision counts 37 % towards the accuracy. */
const SLIP = 0.1;
const RESIGNED = /^resigned, seat ([1-5]) wins$/;

/** What the result of a finished record is worth to each seat. Throws EngineError for other records. */
export function resultOf(engine: Engine, { final, tags }: GameRecord): number[] {
  const resigned = Number(RESIGNED.exec(tags['Termination'] ?? '')?.[1] ?? 0);
  const winner = engine.winner(final) ?? (resigned && resigned <= final.seats ? resigned : undefined);
  if (winner === undefined)
    throw new EngineError('The game of this record is not over; only a finished game can be reviewed.');
  return sharesOf(winner, final.seats);
}

/** Split a finished record, by all cards (seat 0) or by what a seat could know: its own cards and all that lay open. */
export function split(engine: Engine, record: GameRecord, seat = 0): Split {
  const { program } = engine;
  const { opening, positions, moves } = record;
  const [seats, number, size] = [opening.seats, moves.length, opening.words.length];
  const totals = 3 * number + 2;
  const length = (totals + numberOf(program.data.search, 'VALUATION_TOTALS')) * seats;
  const [marks, found] = program.within(() => {
    const [table, states] = [program.put(opening.table), program.room(positions.length * size)];
    positions.forEach(({ words }, at) => program.words(states + 8 * at * size, size).set(words));
    const weights = program.putWeights(engine.networks.weightsOf(opening, 'luck'));
    const room = program.room(number + numberOf(program.data.search, 'VALUATION_ROOM'));
    const out = program.room(length);
    program.call.split(table, weights, states, number, seat - 1, room, out);
    return [Array.from(program.words(room, number), Number), [...program.numbers(out, length)]] as const;
  });
  const row = (at: number): number[] => found.slice(at * seats, (at + 1) * seats);
  const value = (at: number, index: number): number => found[at * seats + index] ?? 0;
  return {
    seats: resultOf(engine, record).map((result, index) => ({
      seat: index + 1,
      opening: value(2 * number + 1, index),
      luck: value(totals, index),
      decisions: value(totals + 1, index),
      ending: result - value(number, index),
      result,
      turning_point: value(totals + 2, index)
        ? { number: value(totals + 2, index), change: value(totals + 3, index) }
        : null,
    })),
    draws: moves.flatMap(({ move }, at) => {
      const mark = marks[at] ?? 0;
      return mark > 0 ? [{ number: at + 1, seat: mark, move, luck: row(number + 1 + at) }] : [];
    }),
    choices: Object.fromEntries(
      marks.flatMap((mark, at) => (mark === 0 ? [[at + 1, row(2 * number + 2 + at)] as const] : [])),
    ),
    course: positions.map((_, at) => row(at)),
  };
}

/** The game of each seat in numbers, from the decisions judged so far, as `study/review.py` sums it up. */
export function summary(decisions: readonly Decision[], parts: Split, tags: GameRecord['tags']): SeatReview[] {
  return parts.seats.map((split) => {
    const own = decisions.filter(({ seat, forced }) => seat === split.seat && !forced);
    const sum = (worth: (decision: Decision) => number): number => own.reduce((total, each) => total + worth(each), 0);
    const kinds = Object.keys(CLASSES).map((kind) => [kind, sum((each) => Number(each.kind === kind))] as const);
    return {
      ...split,
      name: tags[`Seat${split.seat}`] ?? `Seat ${split.seat}`,
      accuracy: own.length ? (100 * sum(({ cost }) => Math.exp(-cost / SLIP))) / own.length : 100,
      lost: sum(({ cost }) => cost),
      kinds: Object.fromEntries(kinds) as Record<Kind, number>,
    };
  });
}
