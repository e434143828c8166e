/** The proof of a deal: what `find` of `game/fair_deal.py` finds in a record, in the same words. */
import { commitment, firstCommitment, type DealSetup } from './commitment.ts';
import { contentHash } from './content.ts';
import { Chance, drawLots, nextCard, openingOf } from './deal.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
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
 * Prove the deal of a record from the secret in its tags. Throws EngineError with what is wrong. Returns the form of the
 * commitment: 1 binds the secret, 2 also the set-up, 3 also the rules' content and the computers.
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
  const form = formOf(engine, record, setup);
  const added = Array.from({ length: opening.seats }, (_, chair) => tags[`Salt${chair + 1}`] ?? '');
  checkSalts(added, salts, chairs);
  checkComputers(tags, added, kept.computers ?? undefined, form > 2);
  const chance = Chance.of(tags['Secret'] ?? '', added);
  if (tags['Lots'] !== undefined && tags['Lots'] !== drawLots(chance, opening.seats).join(' '))
    fail('the lots for the seats do not follow from the secret');
  if (engine.format(openingOf(engine, setup, chance)) !== engine.format(opening))
    fail('the opening position does not follow from the secret');
  checkDraws(engine, record, chance);
  return form;
}

/** The set-up that the tags of a record name. */
function setupOf({ tags, opening: { rules, seats } }: GameRecord): DealSetup {
  const sizeOf = (tag: string): number | null => (/^[0-9]{1,9}$/.test(tags[tag] ?? '') ? Number(tags[tag]) : null);
  const sizes = { pirates: sizeOf('Pirates'), pieces: sizeOf('Pieces'), deal: sizeOf('Deal') };
  return { rules: rules.name, seats, style: tags['Style'], ...sizes };
}

const chairsOf = (text = ''): number[] =>
  text.split(/\s+/).flatMap((word) => (/^[0-9]{1,9}$/.test(word) ? [Number(word)] : []));

/** The form of a record's commitment. */
function formOf(engine: Engine, { tags, opening }: GameRecord, setup: DealSetup): number {
  const { Secret: secret = '', Table: table = '', Lots: lots } = tags;
  const second = { ...setup, rules: plainName(opening.rules), table, lots: lots !== undefined };
  const content = contentHash(engine.program.data, setup);
  const third = { ...second, content, computers: chairsOf(tags['Computers']) };
  const forms = [firstCommitment(secret), commitment(secret, second), commitment(secret, third)];
  const form = forms.indexOf(tags['Commitment'] ?? '') + 1;
  return form || fail('the secret, or the set-up, is not the one that was promised before the deal');
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

/** Check that no salt was chosen for a computer. `names`: the record names the computers' chairs. */
function checkComputers(
  tags: Readonly<Record<string, string>>,
  added: readonly string[],
  seen: readonly number[] | undefined,
  names: boolean,
): void {
  const listed = [...chairsOf(tags['Computers']), ...chairsOf(tags['ComputersLater'])];
  const named = new Set(names ? listed : seen);
  if (seen && (named.size !== new Set(seen).size || seen.some((chair) => !named.has(chair))))
    fail("the record names other chairs as computers' than you saw at the deal");
  for (const chair of [...named].sort((one, other) => one - other)) {
    if (added[chair - 1])
      fail(`chair ${chair} was a computer's and adds no randomness, but the record has some for it`);
  }
}

/** Check every dealt card against chance. */
function checkDraws(engine: Engine, { moves, positions }: GameRecord, chance: Chance): void {
  let dealt = 0;
  moves.forEach(({ move }, index) => {
    const position = positions[index];
    if (!move.startsWith('+') || !position) return;
    const expected = nextCard(engine, position, chance, dealt++);
    if (move !== expected) fail(`move ${index + 1}: ${move} was dealt, but ${expected} follows from the secret`);
  });
}
