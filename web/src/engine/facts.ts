/** Positions as plain facts, which the engine reads and writes as a list of numbers (`backends/wasm/facts.py`). */
import type { EngineData } from './data.ts';
import type { Program } from './module.ts';

/** Cards by their numbers, and how many more the position hides. */
export interface Pile {
  readonly hidden: number;
  readonly cards: readonly number[];
}

/** What is written of a turn. Seats count from 1. */
export interface Turn {
  /** The seat whose turn it is; 0 when the game is over. */
  readonly active: number;
  /** -1 while the game goes on, 0 after a deadlock. */
  readonly winner: number;
  readonly used: number;
  readonly captain: number;
  readonly passes: number;
  readonly row_due: number;
  readonly owed: number;
  readonly dropper: number;
  readonly sloop: number;
}

/** What the engine tells of a turn besides. */
export interface ToldTurn extends Turn {
  readonly chooser: number;
  readonly actions: number;
  /** Cards that a freebooter leaves in a hand; 0 in games without one. */
  readonly limit: number;
}

export interface Facts<Of extends Turn = Turn> {
  readonly turn: Of;
  readonly row: readonly number[];
  readonly stock: Pile;
  readonly discard: Pile;
  readonly hands: readonly Pile[];
  /** The places of each seat's pirates. */
  readonly pirates: readonly (readonly number[])[];
  /** The sign of each place, from 1; 0 for none. */
  readonly signs: readonly number[];
}

/** The facts of a state. */
export function describe(program: Program, table: BigInt64Array, words: BigInt64Array): Facts<ToldTurn> {
  const { names, row, piles, places, signs, size } = program.data.facts;
  const list = program.within(() => {
    const out = program.room(size);
    program.call.describe(program.put(table), program.put(words), out);
    return Array.from(program.words(out, size), Number);
  });
  const parts = (from: number, to: number, length: number): number[][] =>
    Array.from({ length: (to - from) / length }, (_, at) => list.slice(from + at * length, from + (at + 1) * length));
  const numbers = Object.fromEntries(names.map((name, at) => [name, list[at]]));
  const { row: length, ...turn } = numbers as unknown as ToldTurn & { row: number };
  const seats = Number(table[program.data.layout['T_SEATS'] ?? 0]);
  const [stock, discard, ...hands] = parts(piles, places, (places - piles) / program.data.facts.number).map(
    ([hidden = 0, ...cards]): Pile => ({ hidden, cards }),
  );
  return {
    turn,
    row: list.slice(row, row + length),
    stock: stock ?? EMPTY,
    discard: discard ?? EMPTY,
    hands: hands.slice(0, seats),
    pirates: parts(places, signs, (signs - places) / hands.length)
      .slice(0, seats)
      .map((found) => found.filter((place) => place >= 0)),
    signs: list.slice(signs),
  };
}

export const EMPTY: Pile = { hidden: 0, cards: [] };

/** The state of some facts, and the number of its fault or 0. */
export function compose(program: Program, table: BigInt64Array, facts: Facts): [BigInt64Array, number] {
  return program.within(() => {
    const words = program.data.layout['WORDS'] ?? 0;
    const [given, state] = [program.put(listOf(program.data, facts).map(BigInt)), program.room(words)];
    const fault = program.call.compose(program.put(table), given, state);
    return [program.words(state, words).slice(), fault];
  });
}

function listOf({ facts: about }: EngineData, facts: Facts): number[] {
  const list = Array<number>(about.size).fill(0);
  const write = (from: number, numbers: readonly number[]): void =>
    numbers.forEach((each, at) => (list[from + at] = each));
  const turn: Readonly<Record<string, number>> = { ...facts.turn, row: facts.row.length };
  write(
    0,
    about.names.map((name) => turn[name] ?? 0),
  );
  write(about.row, facts.row);
  const each = (about.places - about.piles) / about.number;
  [facts.stock, facts.discard, ...facts.hands].forEach(({ hidden, cards }, pile) =>
    write(about.piles + pile * each, [hidden, ...cards]),
  );
  list.fill(-1, about.places, about.signs);
  const most = (about.signs - about.places) / (about.number - 2);
  facts.pirates.forEach((places, seat) => write(about.places + seat * most, places));
  write(about.signs, facts.signs);
  return list;
}
