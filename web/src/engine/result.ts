/** Limits of a decision, and what a level answers. */
import { EngineError } from './errors.ts';
import { Root, type Known } from './root.ts';

/** The first limit that is reached ends a search; where none is given the level's own limits hold. */
export interface Limits {
  readonly nodes?: number;
  /** Seconds. */
  readonly time?: number;
  /** A whole number; the same seed, node limit and view give the same move. */
  readonly seed?: number;
  /** A name of the game that is played: the level then remembers its moves in it and repeats none too often. */
  readonly game?: string;
  /** The seat, from 1, from whose view a level searches, also where another seat must choose; by default the one that must. */
  readonly observer?: number;
  /** How many whole turns to compare in the answer; by default none. */
  readonly turns?: number;
}

/** What a level remembers of its game, as far as it matters to one decision. */
export interface Past {
  /** How many decisions the level has drawn before. */
  readonly decisions: number;
  /** Moves that were made too often in this position. */
  readonly barred: readonly string[];
}

export const NO_PAST: Past = { decisions: 0, barred: [] };

export interface Choice {
  readonly move: string;
  readonly visits: number;
  /** The mean value for the seat that chooses, 0 to 1. */
  readonly value: number;
  /** The seat, from 1, that wins for certain after this move, or 0. */
  readonly winner: number;
}

/** A whole turn as far as it can be known before cards are dealt, with the win chance of each seat after it. */
export interface Line {
  readonly moves: readonly string[];
  readonly value: readonly number[];
  readonly visits: number;
}

export interface Result {
  readonly move: string;
  /** The win chance of each seat; empty where the level has no opinion. */
  readonly value: readonly number[];
  readonly nodes: number;
  /** The moves, best first. */
  readonly moves: readonly Choice[];
  /** Codes of the reasons for the move, the most important first. */
  readonly why: readonly string[];
  /** The best whole turns, where they were asked for. */
  readonly turns: readonly Line[];
}

/** What one of a search's trees has found; the trees of a level are numbered from 0. */
export interface FoundTree extends Known {
  readonly number: number;
  readonly iterations: number;
}

/** What a search has found so far. */
export interface Found {
  /** The seat that chooses, from 0. */
  readonly seat: number;
  readonly seats: number;
  readonly trees: readonly FoundTree[];
  /** Codes of the reasons for each move. */
  readonly why: Readonly<Record<string, readonly string[]>>;
}

/** What the parts of one search have found together, with the trees in their order. */
export function joined(parts: readonly [Found, ...Found[]]): Found {
  const trees = parts.flatMap((part) => part.trees).sort((a, b) => a.number - b.number);
  return { ...parts[0], trees };
}

/** The answer of a search. */
export function resultOf({ seat, seats, trees, why }: Found): Result {
  const root = new Root(seat, seats, trees);
  const moves = root.moves.map((each) => ({
    move: each.move,
    visits: each.count,
    value: root.mean(each),
    winner: each.sure,
  }));
  const move = moves[0]?.move ?? '';
  const nodes = trees.reduce((sum, tree) => sum + tree.iterations, 0);
  return { move, value: root.value, nodes, moves, why: why[move] ?? [], turns: [] };
}

/** The seed of the limits as a whole number. */
export function seedOf({ seed = 0 }: Limits): bigint {
  if (!Number.isSafeInteger(seed)) throw new EngineError('A seed is a whole number.');
  return BigInt(seed);
}

/** The lower 32 bits of a whole number, which draws follow from. */
export const lower32 = (seed: bigint): number => Number(BigInt.asUintN(32, seed));
