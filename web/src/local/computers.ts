/** The computer seats of a table in this browser. They get the view of their seat as text, and nothing else. */
import type { Limits } from '../engine/index.ts';
import { Refused } from '../net/api.ts';
import { player, restartPlayer } from './engine.ts';
import { STAND_IN } from './levels.ts';
import type { LocalTable } from './table.ts';

/** The seed of a level at a table: every table and every seat has its own, and it stays the same. */
function seedOf(table: LocalTable, seat: number): number {
  return Number.parseInt(table.secret.slice(0, 7), 16) + seat;
}

/** The move of a computer seat. A player that fails is asked once more, then the weakest level stands in. */
export async function choose(table: LocalTable, seat: number): Promise<string> {
  const { engine, position } = table;
  if (!position) throw new Refused('not-started', 'The cards are not dealt yet.');
  const view = engine.view(position, seat);
  const [first, ...others] = engine.legal(view);
  if (first && others.length === 0) return first;
  const level = table.chair(seat).level ?? STAND_IN;
  for (const each of [level, level, STAND_IN]) {
    const found = await asked(engine.format(view), each, { seed: seedOf(table, seat), game: `${table.id} ${seat}` });
    if (found) return found;
  }
  throw new Refused('no-computer', 'The computer player gave no answer.');
}

async function asked(view: string, level: string, limits: Limits): Promise<string | undefined> {
  try {
    return (await (await player()).go(view, level, limits).result).move;
  } catch (error) {
    if (error instanceof Refused) throw error;
    restartPlayer();
    return undefined;
  }
}
