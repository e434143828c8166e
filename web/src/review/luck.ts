/** Split a game into luck and decisions by one fixed evaluation of the complete record, as `study/luck.py` does. */
import { EngineError, type Engine, type GameRecord, type Position } from '../engine/index.ts';
import { numberOf } from '../engine/data.ts';
import { sharesOf, winnerOf } from './judge.ts';
import { minus, plus } from './sums.ts';
import type { Draw, Split, Values } from './types.ts';

/** Cards due up to which the value looks ahead to all of them; a whole row has too many orders. */
const FEW = 2;
/** A dealt card that the seat was not shown. */
export const HIDDEN = '+?';
const RESIGNED = /^resigned, seat ([1-5]) wins$/;

/** What the result of a finished record is worth to each seat. Throws EngineError for other records. */
export function resultOf(engine: Engine, { final, tags }: GameRecord): number[] {
  const resigned = Number(RESIGNED.exec(tags['Termination'] ?? '')?.[1] ?? 0);
  const winner = winnerOf(engine, final) ?? (resigned && resigned <= final.seats ? resigned : undefined);
  if (winner === undefined)
    throw new EngineError('The game of this record is not over; only a finished game can be reviewed.');
  return sharesOf(winner, final.seats);
}

const isChance = (engine: Engine, position: Position): boolean =>
  winnerOf(engine, position) === undefined && engine.chooser(position) === 0;

/** The value of positions of one game with all cards known, each computed once. */
export class Valuation {
  private readonly known = new Map<string, Values>();

  constructor(protected readonly engine: Engine) {}

  /** The value of a position: where one or two cards are due, the mean over them. */
  of(position: Position): Values {
    const key = position.words.join();
    const known = this.known.get(key);
    if (known) return known;
    const found = this.looksAhead(position) ? this.mean(position) : this.look(position);
    this.known.set(key, found);
    return found;
  }

  /** Whether the value of a position is the mean over the cards that are due. */
  protected looksAhead(position: Position): boolean {
    return isChance(this.engine, position) && this.word(position, 'OWED') + this.word(position, 'ROW_DUE') <= FEW;
  }

  /** The position after a card that may be dealt. */
  protected after(position: Position, card: string): Position {
    return this.engine.apply(position, `+${card}`);
  }

  /** The mean of the value after each card that may be dealt. */
  mean(position: Position): Values {
    const chances = Object.entries(this.engine.chances(position));
    const whole = chances.reduce((sum, [, number]) => sum + number, 0);
    const parts = chances.map(([card, number]) => [number / whole, this.of(this.after(position, card))] as const);
    return Array.from({ length: position.seats }, (_, seat) =>
      parts.reduce((sum, [share, values]) => sum + share * (values[seat] ?? 0), 0),
    );
  }

  protected word({ words }: Position, name: string): number {
    return Number(words[this.engine.number(name)] ?? 0n);
  }

  /** The evaluation of a position, or the result of a game that is over. */
  protected look(position: Position): Values {
    const { engine } = this;
    const winner = winnerOf(engine, position);
    if (winner !== undefined) return sharesOf(winner, position.seats);
    const { program } = engine;
    return engine.ask(position, (table, state) => {
      const weights = program.putWeights(engine.networks.weightsOf(position, 'tuned'));
      const scratch = program.room(numberOf(program.data.search, 'SCRATCH'));
      const out = program.room(engine.number('MAX_SEATS'));
      program.call.chances(table, state, weights, scratch, out);
      return [...program.numbers(out, position.seats)];
    });
  }
}

/** The course of a game as it is valued: what was known of its positions and moves. */
interface Played {
  readonly positions: readonly Position[];
  /** A dealt card that is not shown is `+?`. */
  readonly moves: readonly string[];
  readonly result: Values;
}

/** Split a finished record into the opening deal, the luck of each card, and the share of each decision. */
export function split(engine: Engine, record: GameRecord): Split {
  const { positions, moves } = record;
  return splitCourse(
    engine,
    { positions, moves: moves.map(({ move }) => move), result: resultOf(engine, record) },
    new Valuation(engine),
  );
}

/** Split the course of a game. A dealt card that is not shown has no luck of its own. */
export function splitCourse(engine: Engine, { positions, moves, result }: Played, worth: Valuation): Split {
  const course = positions.map((position) => worth.of(position));
  const at = (number: number): Values => course[number] ?? [];
  let opening = at(0).map((value) => value - 1 / result.length);
  const draws: Draw[] = [];
  const choices: Record<number, Values> = {};
  let decided = 0;
  moves.forEach((move, index) => {
    const [number, position] = [index + 1, positions[index]];
    if (!position) throw new EngineError('A move has no position before it.');
    let rest = minus(at(number), at(index));
    if (!isChance(engine, position)) decided = number;
    else if (move !== HIDDEN) {
      const luck = minus(at(number), worth.mean(position));
      draws.push({ number, seat: Number(position.words[engine.number('TURN')] ?? 0n) + 1, move, luck });
      rest = minus(rest, luck);
    }
    if (decided) choices[decided] = plus(choices[decided] ?? result.map(() => 0), rest);
    else opening = plus(opening, rest);
  });
  return { opening, draws, choices, ending: minus(result, at(moves.length)), course, result };
}
