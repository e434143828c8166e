/** Split a game into luck and decisions. The engine does it (`players/compiled/valuation.py`), as for `study/luck.py`. */
import { EngineError, type Engine, type GameRecord } from '../engine/index.ts';
import { numberOf } from '../engine/data.ts';
import { sharesOf } from './judge.ts';
import type { Split, Values } from './types.ts';

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
  const [marks, found] = program.within(() => {
    const [table, states] = [program.put(opening.table), program.room(positions.length * size)];
    positions.forEach(({ words }, at) => program.words(states + 8 * at * size, size).set(words));
    const weights = program.putWeights(engine.networks.weightsOf(opening, 'tuned'));
    const room = program.room(number + numberOf(program.data.search, 'VALUATION_ROOM'));
    const out = program.room((3 * number + 2) * seats);
    program.call.split(table, weights, states, number, seat - 1, room, out);
    return [
      Array.from(program.words(room, number), Number),
      [...program.numbers(out, (3 * number + 2) * seats)],
    ] as const;
  });
  const row = (at: number): Values => found.slice(at * seats, (at + 1) * seats);
  const result = resultOf(engine, record);
  const course = positions.map((_, at) => row(at));
  return {
    opening: row(2 * number + 1),
    draws: moves.flatMap(({ move }, at) => {
      const mark = marks[at] ?? 0;
      return mark > 0 ? [{ number: at + 1, seat: mark, move, luck: row(number + 1 + at) }] : [];
    }),
    choices: Object.fromEntries(
      marks.flatMap((mark, at) => (mark === 0 ? [[at + 1, row(2 * number + 2 + at)] as const] : [])),
    ),
    ending: result.map((value, at) => value - (course[number]?.[at] ?? 0)),
    course,
    result,
  };
}
