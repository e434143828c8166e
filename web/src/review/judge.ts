/** Judge decisions, each from what its own seat could know at the time, as `study/judge.py` does. */
import { Search, type Engine, type Limits, type Position } from '../engine/index.ts';
import { bestTurns } from '../engine/lines.ts';
import { resultOf } from '../engine/result.ts';
import { proportion } from '../engine/root.ts';
import type { Decision, Kind, Values } from './types.ts';

/** The classes of a decision, with the loss of win chance below which each one applies. */
export const CLASSES: Readonly<Record<Kind, number>> = {
  best: 0.005,
  good: 0.03,
  inaccuracy: 0.08,
  mistake: 0.15,
  blunder: Infinity,
};
/** Powers to which the odds of the strongest level are raised, by game, where two play; 1 elsewhere. The same as `POWERS` of `study/judge.py`. */
const POWERS: Readonly<Record<string, number>> = { tortuga: 1.25, hispaniola: 1.25 };
/** The seed of the judge's seeds, as in `cartagena review`. */
export const SEED = 0;
/** Whole turns that are told of a position, the best ones. */
export const TURNS = 3;

export interface Choice {
  readonly number: number;
  readonly move: string;
  /** The position before the move, or the view of the seat that chooses. */
  readonly position: string;
}

export interface Effort {
  readonly nodes: number;
  readonly seed: number;
}

/** The class of a loss of win chance. */
export const classOf = (cost: number): Kind =>
  (Object.keys(CLASSES) as Kind[]).find((kind) => cost < CLASSES[kind]) ?? 'blunder';

/** What a result is worth to each seat; 0 stands for a deadlock, which is shared equally. */
export const sharesOf = (winner: number, seats: number): number[] =>
  Array.from({ length: seats }, (_, seat) => (winner ? Number(seat + 1 === winner) : 1 / seats));

const POLYNOMIAL = 0xedb88320;

/** CRC-32 of a text in UTF-8, as `zlib.crc32` gives it. */
export function crc32(text: string): number {
  let found = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    found ^= byte;
    for (let bit = 0; bit < 8; bit++) found = (found >>> 1) ^ (found & 1 ? POLYNOMIAL : 0);
  }
  return (found ^ 0xffffffff) >>> 0;
}

/** A seed that depends on the judge's own seed and on what the seat sees, and on nothing else. */
export const seedFor = (seed: number, view: string): number => crc32(`${seed} ${view}`) & 0xffffff;

/** Turns with the one that is worth most to a seat first. */
export const ranked = <T extends { readonly value: Values }>(turns: readonly T[], seat: number): T[] =>
  [...turns].sort((a, b) => (b.value[seat - 1] ?? 0) - (a.value[seat - 1] ?? 0));

/** The level that judges: the strongest one whose network is here, else the one that needs none. */
export function judgeFor({ networks }: Engine, position: Position): string {
  return networks.fileFor(position) && !networks.missing(position, 'admiral') ? 'admiral' : 'captain';
}

/** The power to which the odds of a judged position are raised, so that they agree with results. */
export function powerFor(engine: Engine, position: Position): number {
  return position.seats === 2 && judgeFor(engine, position) === 'admiral'
    ? (POWERS[position.rules.edition.game] ?? 1)
    : 1;
}

/** Win chances with their odds raised to a power. Their order stays. */
export function calibrated(values: Values, power: number): number[] {
  return power === 1 ? [...values] : proportion(values.map((value) => value ** power));
}

function searched(engine: Engine, root: Position, seat: number, limits: Limits): Search {
  const search = new Search(engine, root, seat - 1, judgeFor(engine, root), limits);
  while (search.step());
  return search;
}

/** The win chances after a move, as its own seat can judge them before a card is dealt. */
function chancesAfter(engine: Engine, view: Position, seat: number, move: string, limits: Limits): number[] {
  return engine.program.within(() => {
    const after = engine.apply(view, move);
    const winner = engine.winner(after);
    return winner === undefined
      ? proportion(searched(engine, after, seat, limits).sums())
      : sharesOf(winner, view.seats);
  });
}

/** Judge a move that was chosen in a position of a record. */
export function judge(
  engine: Engine,
  { number, move, position: text }: Choice,
  { nodes, seed }: Effort,
): Promise<Decision> {
  return engine.program.alone(async () => {
    const position = engine.parse(text);
    const seat = engine.chooser(position);
    const view = engine.view(position, seat);
    const limits = { nodes, seed: seedFor(seed, engine.format(view)) };
    const search = searched(engine, view, seat, limits);
    const found = search.found();
    const { move: best, value, why } = resultOf(found);
    const power = powerFor(engine, view);
    const before = calibrated(value, power);
    const lines = await bestTurns(found, TURNS, engine.program.data, (moves) => Promise.resolve(search.after(moves)));
    const forced = engine.actions(view).length === 1;
    const after = forced ? before : calibrated(chancesAfter(engine, view, seat, move, limits), power);
    const ideal = move === best ? after : calibrated(chancesAfter(engine, view, seat, best, limits), power);
    const cost = move === best ? 0 : Math.max(0, (ideal[seat - 1] ?? 0) - (after[seat - 1] ?? 0));
    const turns = lines.map((line) => ({
      moves: line.moves.join(' '),
      value: calibrated(line.value, power),
      visits: line.visits,
    }));
    return { number, seat, move, best, before, after, cost, kind: classOf(cost), turns, why: [...why], forced };
  });
}
