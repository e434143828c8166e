/** The records of tables in this browser, with what is needed to prove their deal. */
import {
  Chance,
  commitment,
  drawLots,
  EngineError,
  GameRecord,
  nextCard,
  openingOf,
  type Engine,
} from '../engine/index.ts';
import { sha256 } from '../engine/sha256.ts';
import { Refused } from '../net/api.ts';
import { commitmentOf } from '../net/verdict.ts';
import type { StudyRecord } from '../net/wire.ts';
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
  if (setup.style !== 'printed') tags['Style'] = setup.style ?? 'printed';
  for (const [tag, size] of Object.entries({ Pirates: setup.pirates, Pieces: setup.pieces, Deal: setup.deal })) {
    if (size !== null && size !== undefined) tags[tag] = String(size);
  }
  table.salts.forEach((salt, index) => {
    if (salt) tags[`Salt${index + 1}`] = salt;
  });
  if (setup.lots) tags['Lots'] = order.join(' ');
  if (outcome?.how === 'resigned') tags['Termination'] = `resigned, seat ${outcome.winner ?? 0} wins`;
  const rules = table.opening?.rules.name ?? setup.rules ?? '';
  return { ...tags, Commitment: commitmentOf(secret, table.id, setup, rules), ...(outcome ? { Secret: secret } : {}) };
}

/** Whether the deal of a record follows from the secret in its tags. */
export function proofOf(engine: Engine, record: GameRecord): StudyRecord['proof'] {
  if (!('Secret' in record.tags)) return { state: 'none', message: '' };
  try {
    checkDeal(engine, record);
    return { state: 'proved', message: '' };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { state: 'failed', message: error.message };
  }
}

/** Prove every card of a record. Throws EngineError with the first thing that does not follow. */
function checkDeal(engine: Engine, { tags, opening, moves, positions }: GameRecord): void {
  const fail = (why: string): never => {
    throw new EngineError(why);
  };
  const { Secret: secret = '', Commitment: promised, Lots: lots } = tags;
  if (promised === undefined) fail('the record has no tag Commitment, so its deal cannot be proved');
  const sizeOf = (tag: string): number | null => (/^[0-9]+$/.test(tags[tag] ?? '') ? Number(tags[tag]) : null);
  const setup = {
    rules: tags['Rules'] ?? '',
    seats: opening.seats,
    style: tags['Style'] ?? 'printed',
    pirates: sizeOf('Pirates'),
    pieces: sizeOf('Pieces'),
    deal: sizeOf('Deal'),
  };
  const bound = commitment(secret, { ...setup, table: tags['Table'] ?? '', lots: lots !== undefined });
  if (promised !== bound && promised !== sha256(`cartagena-deal:${secret}`)) {
    fail('the secret, or the set-up, is not the one that was promised before the deal');
  }
  const chance = Chance.of(
    secret,
    Array.from({ length: opening.seats }, (_, chair) => tags[`Salt${chair + 1}`] ?? ''),
  );
  if (lots !== undefined && lots !== drawLots(chance, opening.seats).join(' '))
    fail('the lots for the seats do not follow from the secret');
  const style = 'Style' in tags ? setup.style : undefined;
  if (engine.format(openingOf(engine, { ...setup, style }, chance)) !== engine.format(opening)) {
    fail('the opening position does not follow from the secret');
  }
  let dealt = 0;
  moves.forEach(({ move }, index) => {
    const position = positions[index];
    if (!move.startsWith('+') || !position) return;
    const expected = nextCard(engine, position, chance, dealt++);
    if (move !== expected) fail(`move ${index + 1}: ${move} was dealt, but ${expected} follows from the secret`);
  });
}
