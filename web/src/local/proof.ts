/** Whether the deal of a game was the promised one: this browser recomputes it with its own engine and trusts no server. */
import {
  Chance,
  commitment,
  contentHash,
  EngineError,
  findDeal,
  GameRecord,
  nextCard,
  OlderPromise,
  openingOf,
  type Engine,
  type EngineData,
  type Position,
} from '../engine/index.ts';
import { firstCommitment } from '../engine/commitment.ts';
import { plainName, ruleSet } from '../engine/rulesets.ts';
import { computersAt, keptPromise, type Kept } from '../net/promise.ts';
import type { PositionJson, Update } from '../net/wire.ts';
import type { Told } from '../session/told.ts';
import { loaded } from './engine.ts';
import { chairsOf, type Setup } from './events.ts';
import { Facts } from './facts.ts';
import { moveText } from './notation.ts';
import { knowVariant } from './variants.ts';

type Tags = Record<string, string>;

/** The sentence says in English what is wrong. */
export interface Proof {
  /**
   * `consistent`: the record follows from its own secret, and nothing kept here says more; `older`: its commitment has a form
   * that proves nothing; `late`: the own randomness came too late; `absent`: this browser did not see which chairs were
   * computers' at the deal.
   */
  readonly state: 'proved' | 'consistent' | 'older' | 'late' | 'absent' | 'failed' | 'none';
  readonly message: string;
}

/** `open`: the game is not over. From `unseen` on: what cannot be checked here, and why. */
export type Verdict = 'open' | 'kept' | 'broken' | 'unseen' | 'older' | 'late' | 'absent' | 'watched' | 'engine';

/** The commitment to a table's deal, which is shown before it. */
export function commitmentOf(data: EngineData, secret: string, table: string, setup: Setup, rules: string): string {
  if (setup.promise === 1) return firstCommitment(secret);
  const plain = plainName(ruleSet(data, rules));
  const terms = { ...setup, table, rules: plain, seats: setup.seats.length, lots: setup.lots ?? false };
  const style = setup.style === 'printed' ? undefined : setup.style;
  const bound = {
    content: contentHash(data, { ...setup, rules, style }),
    computers: chairsOf(setup.seats, 'computer'),
  };
  return commitment(secret, setup.promise === 3 ? { ...terms, ...bound } : terms);
}

/** The tags of a record that its deal follows from, apart from the secret. */
export function dealTags(
  setup: Setup,
  salts: readonly string[],
  lots: readonly number[],
  computers: readonly number[],
): Tags {
  const tags: Tags = {};
  if (setup.style !== 'printed') tags['Style'] = setup.style ?? 'printed';
  for (const [tag, size] of Object.entries({ Pirates: setup.pirates, Pieces: setup.pieces, Deal: setup.deal })) {
    if (size !== null && size !== undefined) tags[tag] = String(size);
  }
  salts.forEach((salt, index) => {
    if (salt) tags[`Salt${index + 1}`] = salt;
  });
  const first = chairsOf(setup.seats, 'computer');
  const later = computers.filter((chair) => !first.includes(chair));
  if (setup.promise === 3 && first.length > 0) tags['Computers'] = first.join(' ');
  if (setup.promise === 3 && later.length > 0) tags['ComputersLater'] = later.join(' ');
  if (setup.lots) tags['Lots'] = lots.join(' ');
  return tags;
}

/** What a record proves to this browser, by what it kept before the deal. `form`: what the table has promised. */
export function proofOf(engine: Engine, record: GameRecord, form = 1): Proof {
  if (!('Secret' in record.tags)) return { state: 'none', message: '' };
  const kept = keptPromise(record.tags['Table'] ?? '');
  try {
    const late = kept !== undefined && !kept.added && isLate(record, kept);
    const known = late ? { promised: kept.commitment, computers: kept.computers } : kept && keptProof(kept);
    findDeal(engine, record, known);
    if (!kept) return { state: 'consistent', message: '' };
    return { state: late ? 'late' : knowsComputers(record, kept) ? 'proved' : 'absent', message: '' };
  } catch (error) {
    if (error instanceof OlderPromise && form < 3) return { state: 'older', message: '' };
    if (!(error instanceof EngineError)) throw error;
    return { state: 'failed', message: error.message };
  }
}

const keptProof = ({ commitment: promised, salt, chairs = [], computers }: Kept) => ({
  promised,
  salts: chairs.length > 0 ? chairs.map(() => salt) : [salt],
  chairs,
  computers,
});

/** Whether it is known which chairs were computers': by what was seen at the deal, or as each is this browser's or promised. */
function knowsComputers({ tags, opening }: GameRecord, { chairs = [], computers }: Kept): boolean {
  const promised = (tags['Computers'] ?? '').split(' ').filter(Boolean).map(Number);
  return computers !== undefined || new Set([...chairs, ...promised]).size === opening.seats;
}

/** Whether the chairs of this browser added nothing: the deal did not wait for it. */
const isLate = ({ tags }: GameRecord, { chairs = [], salt }: Kept): boolean =>
  chairs.length > 0
    ? chairs.every((chair) => !tags[`Salt${chair}`])
    : !Object.entries(tags).some(([tag, value]) => /^Salt[0-9]+$/.test(tag) && value === salt);

/**
 * The game as this browser finds it: the opening and every card from the secret and the salts, the moves as they were
 * told. `own` is the name of rules of one's own in this page. Throws EngineError where anything that was shown on the way is not what follows.
 */
export function recomputed(engine: Engine, told: Told, update: Update, setup: Setup, own = ''): GameRecord {
  const { fair, table, position: last } = update;
  const [secret, salts] = [fair.secret ?? '', fair.salts ?? []];
  const chance = Chance.of(secret, salts);
  const rules = own || (setup.rules ?? '');
  const opening = openingOf(engine, { ...setup, rules, seats: setup.seats.length }, chance);
  const moves = walk(engine, told, opening, chance);
  const tags = dealTags(setup, salts, fair.lots ?? [], computersAt(update));
  const proof = { Commitment: fair.commitment, Secret: secret };
  return new GameRecord(engine, opening, moves, { ...tags, ...proof, Table: table, Rules: last?.rules ?? rules });
}

/** Play the moves that were told, and compare what was shown. Returns the moves that stand, with the cards dealt. */
function walk(engine: Engine, { events, shown }: Told, opening: Position, chance: Chance): string[] {
  const before = new Map<number, { readonly position: Position; readonly length: number }>();
  const moves: string[] = [];
  let [position, dealt, compared] = [opening, 0, 0];
  const compare = (until: number): void => {
    for (let next = shown[compared]; next && next.seq < until; next = shown[++compared]) {
      if (!agrees(next.position, new Facts(engine, position).json())) {
        throw new EngineError('a position that was shown does not follow from the secret');
      }
    }
  };
  for (const { seq, type, move, cards, undone } of events) {
    compare(seq);
    const back = type === 'undo' ? before.get(undone ?? 0) : undefined;
    if (back) [position, moves.length] = [back.position, back.length];
    if (type !== 'move' || !move) continue;
    before.set(seq, { position, length: moves.length });
    moves.push(moveText(move));
    position = engine.apply(position, moveText(move));
    for (const card of cards ?? []) {
      const due = nextCard(engine, position, chance, dealt++);
      if (card !== '+?' && card !== due) throw new EngineError(`${card} was dealt, but ${due} follows from the secret`);
      moves.push(due);
      position = engine.apply(position, due);
    }
  }
  compare(Infinity);
  return moves;
}

/** Whether a position is as it was shown; a hand that was hidden says its size only. */
function agrees(shown: PositionJson, found: PositionJson): boolean {
  const parts = ({ islands, pirates, row, stock, discard, sloop }: PositionJson) =>
    sorted({ islands, pirates, row, stock, discard, sloop });
  if (parts(shown) !== parts(found)) return false;
  return shown.hands.every(({ size, cards }, index) => {
    const own = found.hands[index];
    return own?.size === size && (cards === null || cards === undefined || sorted(cards) === sorted(own.cards));
  });
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each instanceof Object && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each,
  );

const VERDICTS = {
  proved: 'kept',
  consistent: 'unseen',
  older: 'older',
  late: 'late',
  absent: 'absent',
  failed: 'broken',
  none: 'open',
} as const;

/** The last verdict, with what it follows from. */
let judgement: { readonly content: string; readonly found: Promise<Verdict> } | undefined;

/** Judge the deal of a table that this page looks at. It is proved once: talk, and who comes and goes, change nothing of it. */
export async function verdict(told: Told, update: Update, setup: Setup): Promise<Verdict> {
  const content = contentOf(told, update, setup);
  if (judgement?.content !== content) judgement = { content, found: judged(told, update, setup) };
  const { found } = judgement;
  const result = await found;
  if (result === 'engine' && judgement?.found === found) judgement = undefined; // the engine may come later
  return result;
}

/** All that a verdict follows from. */
function contentOf({ events, shown }: Told, update: Update, setup: Setup): string {
  const { table, stage, position, fair, you } = update;
  const played = events.flatMap(({ seq, type, move, cards, undone }) =>
    type === 'move' || type === 'undo' ? [{ seq, type, move, cards, undone }] : [],
  );
  const about = [table, stage, position?.rules, fair, you.seats.length > 0, computersAt(update), setup];
  return JSON.stringify([about, keptPromise(table), played, shown]);
}

async function judged(told: Told, update: Update, setup: Setup): Promise<Verdict> {
  if (update.stage !== 'over' || !update.position) return 'open';
  if (update.you.seats.length === 0) return 'watched';
  if (!update.fair.secret) return 'broken';
  const computers = keptPromise(update.table)?.computers;
  if (computers && computers.join() !== computersAt(update).join()) return 'broken';
  const engine = (await loaded().catch(() => undefined))?.engine;
  const own = setup.variant ? await knowVariant(JSON.stringify(setup.variant)).catch(() => undefined) : '';
  if (!engine || own === undefined) return 'engine';
  try {
    return VERDICTS[proofOf(engine, recomputed(engine, told, update, setup, own), setup.promise).state];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return 'broken';
  }
}
