/** The records of tables in this browser, with what is needed to prove their deal. */
import { GameRecord } from '../engine/index.ts';
import { Refused } from '../net/api.ts';
import { chairsOf } from './events.ts';
import { dealTags } from './proof.ts';
import { findTable } from './store.ts';
import { replayed } from './open.ts';
import type { LocalTable } from './table.ts';

/** The record of a finished game. Raises Refused. */
export async function recordHere(id: string): Promise<string> {
  const table = await replayed(await findTable(id));
  if (table.stage !== 'over' || !table.opening)
    throw new Refused('not-over', 'The record is available when the game is over.');
  return recordOf(table).toString();
}

/** What was played so far. Raises Refused. */
export async function recordSoFar(id: string): Promise<GameRecord> {
  return recordOf(await replayed(await findTable(id)));
}

/** A saved table. Raises Refused. */
export async function tableHere(id: string): Promise<LocalTable> {
  return replayed(await findTable(id));
}

export function recordOf(table: LocalTable): GameRecord {
  const moves = [...table.played.values()].flatMap(({ move, cards }) => [move, ...cards.map((card) => `+${card}`)]);
  if (!table.opening) throw new Refused('not-started', 'The cards are not dealt yet.');
  return new GameRecord(table.engine, table.opening, moves, tagsOf(table));
}

/**
 * Players, date and the proof of the deal. A resignation is a tag, since the rules do not know it. The cards to come follow
 * from the secret, so it is told when the game is over.
 */
function tagsOf(table: LocalTable): Record<string, string> {
  const { setup, secret, order, outcome } = table;
  const tags: Record<string, string> = { Date: new Date(table.created).toISOString().slice(0, 10), Table: table.id };
  table.chairs.forEach((_, index) => {
    const chair = table.chair(index + 1);
    const { name } = chair;
    const level = chair.kind === 'computer' ? chair.level : null;
    if (name || level) tags[`Seat${index + 1}`] = name || level || '';
    if (level) tags[`Level${index + 1}`] = level;
  });
  Object.assign(tags, dealTags(setup, table.salts, order, chairsOf(table.chairs, 'computer')));
  if (outcome?.how === 'resigned') tags['Termination'] = `resigned, seat ${outcome.winner ?? 0} wins`;
  return { ...tags, Commitment: table.commitment, ...(outcome ? { Secret: secret } : {}) };
}
