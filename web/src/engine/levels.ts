/** The answers of all levels. Of those that answer at once the draws, scores and turns are those of `players/compiled`. */
import { named } from './data.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import type { Position } from './notation.ts';
import { lower32, NO_PAST, seedOf, type Limits, type Past, type Result } from './result.ts';
import { Search } from './search.ts';

const plain = (move: string) => ({ move, visits: 0, value: 0, winner: 0 });

function deckhand(engine: Engine, view: Position, seed: number, decision: number): Result {
  const action = engine.ask(view, (table, state) =>
    engine.program.call.deckhand(table, state, seed, decision, engine.program.room(engine.number('MAX_LEGAL'))),
  );
  const move = engine.notation.move(view, action);
  return { move, value: [], nodes: 0, moves: [plain(move)], why: [], turns: [] };
}

function sailor(engine: Engine, view: Position, seed: number, decision: number): Result {
  const { program } = engine;
  const most = engine.number('MAX_LEGAL');
  const actions = engine.ask(view, (table, state) => {
    const [after, out, scores] = [program.room(view.words.length), program.room(most), program.room(most)];
    const size = program.call.sailor(table, state, seed, decision, after, out, scores);
    return [...program.words(out, size)].map(Number);
  });
  const moves = actions.map((action) => engine.notation.move(view, action));
  return { move: moves[0] ?? '', value: [], nodes: 0, moves: moves.map(plain), why: [], turns: [] };
}

function gunner(engine: Engine, view: Position, barred: readonly string[]): Result {
  const { program } = engine;
  const seats = engine.number('MAX_SEATS');
  const moves = engine.legal(view);
  const [chosen, value, nodes] = engine.ask(view, (table, state) => {
    const bars = program.room(engine.number('ACTIONS'));
    for (const move of barred) program.words(bars, engine.number('ACTIONS'))[engine.notation.action(view, move)] = 1n;
    const weights = program.putWeights(engine.networks.weightsOf(view, 'hand'));
    const [block, result] = [program.room(program.call.turn_size()), program.room(seats + 1)];
    const action = program.call.best_turn(table, state, weights, bars, block, result);
    const numbers = [...program.numbers(result, seats + 1)];
    return [action, numbers.slice(0, view.seats), numbers[seats] ?? 0] as const;
  });
  if (chosen < 0) return gunner(engine, view, []);
  const move = engine.notation.move(view, chosen);
  if (moves.length === 1) return { move, value: [], nodes: 0, moves: [plain(move)], why: ['only-move'], turns: [] };
  return { move, value, nodes, moves: [plain(move)], why: engine.why(view, move), turns: [] };
}

/** The answer of a level that does not search; undefined for one that does. */
export function atOnce(
  engine: Engine,
  position: Position,
  level: string,
  limits: Limits = {},
  past: Past = NO_PAST,
): Result | undefined {
  const view = engine.view(position, limits.observer ?? engine.mover(position));
  const seed = lower32(seedOf(limits));
  if (level === 'deckhand') return deckhand(engine, view, seed, past.decisions);
  if (level === 'sailor') return sailor(engine, view, seed, past.decisions);
  if (level === 'gunner') return gunner(engine, view, past.barred);
  if (!named(engine.program.data.styles, level)) throw new EngineError(`There is no level ${level.slice(0, 20)}.`);
  return undefined;
}

/** The answer of any level, found in this thread. The memory that a search takes is free again afterwards. */
export function think(engine: Engine, position: Position, level: string, limits: Limits = {}): Result {
  return engine.program.within(() => {
    const found = atOnce(engine, position, level, limits);
    if (found) return found;
    const search = Search.from(engine, position, level, limits);
    while (search.step());
    return search.result();
  });
}
