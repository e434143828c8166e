/** The best whole turns that a search has found, as `lines` and `follow` of `players/ismcts.py` find them. */
import { numberOf, type EngineData } from './data.ts';
import type { Found, Line } from './result.ts';
import { Root, type After, type KnownMove } from './root.ts';

/** Asks all trees of a search what they know after some moves of the turn. */
export type Look = (moves: readonly string[]) => Promise<After>;

/** One turn: a move, then the best ones after it until the turn ends, a card is due, or a rival must drop one. Its value is that of the last move that was searched. */
async function follow(found: Found, root: Root, first: KnownMove, most: number, look: Look): Promise<[string, Line]> {
  const moves = [first.move];
  let value = root.after(first);
  for (;;) {
    const { end, trees } = await look(moves);
    const behind = new Root(found.seat, found.seats, trees ?? []);
    const [next] = behind.moves;
    if (!next || moves.length === most) return [end, { moves, value, visits: first.count }];
    moves.push(next.move);
    if (next.count || next.sure) value = behind.after(next);
  }
}

/** The best whole turns, each up to the first dealt card. Turns with the same end are told once. */
export async function bestTurns(found: Found, number: number, data: EngineData, look: Look): Promise<Line[]> {
  const root = new Root(found.seat, found.seats, found.trees);
  const turns = new Map<string, Line>();
  const tried = root.moves.filter(({ count }) => count > 0).slice(0, numberOf(data.search, 'MOST_LINES'));
  for (const first of tried) {
    const [end, line] = await follow(found, root, first, numberOf(data.search, 'MOST_MOVES'), look);
    if (!turns.has(end)) turns.set(end, line);
  }
  return [...turns.values()].slice(0, number);
}
