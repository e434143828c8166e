/** How good a position is for a seat, judged by the engine of this browser from what that seat knows. */
import type { Mind } from './engine.ts';
import { Facts } from './facts.ts';
import { ADVISER } from './levels.ts';

/** Every position is judged with so many nodes; the same position gives the same value. */
export const EFFORT = { nodes: 3000, seed: 1 } as const;

export interface Chances {
  /** The seat's chance of winning, from 0 to 1. */
  readonly value: number;
  /** What is played next in the level's eyes; empty where the game is over or a card is due. */
  readonly move: string;
}

/** The chances of a seat in a position that shows what the seat knows, whichever seat must choose, as a level judges them. */
export async function chancesOf(
  { engine, player }: Mind,
  view: string,
  seat: number,
  level = ADVISER,
): Promise<Chances> {
  const facts = new Facts(engine, engine.parse(view));
  if (facts.isOver) return { value: facts.winner ? Number(facts.winner === seat) : 1 / facts.position.seats, move: '' };
  const { value, moves } = await player.go(view, level, { ...EFFORT, observer: seat }).result;
  return { value: value[seat - 1] ?? 0, move: moves[0]?.move ?? '' };
}
