/** The proof of a deal: what `find` of `game/fair_deal.py` finds in a record, in the same words. */
import { commitment, firstCommitment, type DealSetup } from './commitment.ts';
import { contentHash } from './content.ts';
import { Chance, drawLots, nextCard, openingOf } from './deal.ts';
import type { Engine } from './engine.ts';
import { EngineError, OlderPromise } from './errors.ts';
import type { GameRecord } from './records.ts';
import { plainName } from './rulesets.ts';

/** What a person kept from before the deal. */
export interface KeptProof {
  /** The commitment that was seen. */
  readonly promised?: string | undefined;
  /** The randomness that was added, and the chair where each was. */
  readonly salts?: readonly string[] | undefined;
  readonly chairs?: readonly number[] | undefined;
  /** The chairs that computers had at the deal. */
  readonly computers?: readonly number[] | null | undefined;
}

const fail = (why: string): never => {
  throw new EngineError(why);
};

/**
 * Prove the deal of a record from the secret in its tags. Throws EngineError with what is wrong, OlderPromise for a
 * commitment of an older form. Returns how many cards were dealt after the opening.
 */
export function findDeal(engine: Engine, record: GameRecord, kept: KeptProof = {}): number {
  const { tags, opening } = record;
  const { salts = [], chairs = [], promised } = kept;
  for (const tag of ['Commitment', 'Secret']) {
    if (!(tag in tags)) fail(`the record has no tag ${tag}, so its deal cannot be proved`);
  }
  if (promised !== undefined && promised !== tags['Commitment'])
    fail('the commitment of the record is not the one that you saw before the deal');
  const setup = setupOf(record);
  checkCommitment(engine, record, setup);
  const added = Array.from({ length: opening.seats }, (_, chair) => tags[`Salt${chair + 1}`] ?? '');
  checkSalts(added, salts, chairs);
  checkComputers(tags, added, kept.computers ?? undefined);
  const chance = Chance.of(tags['Secret'] ?? '', added);
  if (tags['Lots'] !== undefined && tags['Lots'] !== drawLots(chance, opening.seats).join(' '))
    fail('the lots for the seats do not follow from the secret');
  if (engine.format(openingOf(engine, setup, chance)) !== engine.format(opening))
    fail('the opening position does not follow from the secret');
  return checkDraws(engine, record, chance);
}

/** The set-up that the tags of a record name. */
function setupOf({ tags, opening: { rules, seats } }: GameRecord): DealSetup {
  const sizeOf = (tag: string): number | null => (/^[0-9]{1,9}$/.test(tags[tag] ?? '') ? Number(tags[tag]) : null);
  const sizes = { pirates: sizeOf('Pirates'), pieces: sizeOf('Pieces'), deal: sizeOf('Deal') };
  return { rules: rules.name, seats, style: tags['Style'], ...sizes };
}

const chairsOf = (text = ''): number[] =>
  text.split(/\s+/).flatMap((word) => (/^[0-9]{1,9}$/.test(word) ? [Number(word)] : []));

/** Check that the tags of a record are what its commitment binds. */
function checkCommitment(engine: Engine, { tags, opening }: GameRecord, setup: DealSetup): void {
  const { Secret: secret = '', Table: table = '', Lots: lots } = tags;
  const second = { ...setup, rules: plainName(opening.rules), table, lots: lots !== undefined };
  const content = contentHash(engine.program.data, setup);
  const bound = { ...second, content, computers: chairsOf(tags['Computers']) };
  if (!/^[0-9a-f]+$/.test(secret)) fail('the secret is not written in hexadecimal digits, so the deal is not proved');
  if (commitment(secret, bound) === tags['Commitment']) return;
  if ([firstCommitment(secret), commitment(secret, second)].includes(tags['Commitment'] ?? '')) {
    const reason = 'with which a server that knows your randomness can still choose the deal';
    throw new OlderPromise(`not proved: the commitment has an older form, ${reason}`);
  }
  fail('the secret, or the set-up, is not the one that was promised before the deal');
}

/** Check that the salts of a person are part of the deal, each at its chair where that is known. */
function checkSalts(added: readonly string[], salts: readonly string[], chairs: readonly number[]): void {
  salts.forEach((salt, number) => {
    const chair = chairs[number];
    const told = `the randomness '${salt.slice(0, 64)}' that you added`;
    if (!salt || !added.includes(salt)) fail(`${told} is not part of the deal`);
    if (chair && added[chair - 1] !== salt) fail(`${told} does not count at your chair ${chair}`);
  });
}

/** Check that no salt was chosen for a computer. */
function checkComputers(
  tags: Readonly<Record<string, string>>,
  added: readonly string[],
  seen: readonly number[] | undefined,
): void {
  const named = new Set([...chairsOf(tags['Computers']), ...chairsOf(tags['ComputersLater'])]);
  if (seen && (named.size !== new Set(seen).size || seen.some((chair) => !named.has(chair))))
    fail("the record names other chairs as computers' than you saw at the deal");
  for (const chair of [...named].sort((one, other) => one - other)) {
    if (added[chair - 1])
      fail(`chair ${chair} was a computer's and adds no randomness, but the record has some for it`);
  }
}

/** Check every dealt card against chance. Returns how many there are. */
function checkDraws(engine: Engine, { moves, positions }: GameRecord, chance: Chance): number {
  let dealt = 0;
  moves.forEach(({ move }, index) => {
    const position = positions[index];
    if (!move.startsWith('+') || !position) return;
    const expected = nextCard(engine, position, chance, dealt++);
    if (move !== expected) fail(`move ${index + 1}: ${move} was dealt, but ${expected} follows from the secret`);
  });
  return dealt;
}
