/** The proof of a deal: what `find` of `game/fair_deal.py` finds in a record, in the same words. */
import { commitment, firstCommitment, type Terms } from './commitment.ts';
import { contentHash } from './content.ts';
import { Chance, drawLots, nextCard, openingOf } from './deal.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import type { Position } from './notation.ts';
import type { GameRecord } from './records.ts';

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
  const { Secret: secret = '', Commitment: told = '' } = tags;
  if (promised !== undefined && promised !== told) {
    fail('the commitment of the record is not the one that you saw before the deal');
  }
  const setup = termsOf(engine, tags, opening);
  const form = formOf(secret, told, setup);
  const added = Array.from({ length: opening.seats }, (_, chair) => tags[`Salt${chair + 1}`] ?? '');
  checkSalts(added, salts, chairs);
  checkComputers(tags, added, kept.computers ?? undefined, form > 2);
  const chance = Chance.of(secret, added);
  if (tags['Lots'] !== undefined && tags['Lots'] !== drawLots(chance, opening.seats).join(' ')) {
    fail('the lots for the seats do not follow from the secret');
  }
  if (
    engine.format(openingOf(engine, { ...setup, rules: dealt(opening, setup.rules), style: tags['Style'] }, chance)) !==
    engine.format(opening)
  ) {
    fail('the opening position does not follow from the secret');
  }
  checkDraws(engine, record, chance);
  return form;
}

/** The name of the rules that were dealt by, as the engine knows them. */
const dealt = ({ rules }: Position, named: string): string => (rules.edition.variant ? rules.name : named);

/** The terms that the tags of a record name, in the third form. */
function termsOf(engine: Engine, tags: Readonly<Record<string, string>>, opening: Position): Terms {
  const sizeOf = (tag: string): number | null => (/^[0-9]{1,9}$/.test(tags[tag] ?? '') ? Number(tags[tag]) : null);
  const setup = {
    rules: tags['Rules'] ?? '',
    style: tags['Style'] ?? 'printed',
    pirates: sizeOf('Pirates'),
    pieces: sizeOf('Pieces'),
    deal: sizeOf('Deal'),
  };
  const content = contentHash(engine.program.data, {
    ...setup,
    rules: dealt(opening, setup.rules),
    style: tags['Style'],
  });
  const bound = { content, computers: chairsOf(tags['Computers']) };
  return { ...setup, ...bound, seats: opening.seats, table: tags['Table'] ?? '', lots: tags['Lots'] !== undefined };
}

const chairsOf = (text = ''): number[] =>
  text.split(/\s+/).flatMap((word) => (/^[0-9]{1,9}$/.test(word) ? [Number(word)] : []));

/** The form of a commitment. */
function formOf(secret: string, told: string, terms: Terms): number {
  if (told === commitment(secret, terms)) return 3;
  if (told === commitment(secret, { ...terms, content: undefined })) return 2;
  if (told === firstCommitment(secret)) return 1;
  return fail('the secret, or the set-up, is not the one that was promised before the deal');
}

/** Check that the salts of a person are part of the deal, each at its chair where that is known. */
function checkSalts(added: readonly string[], salts: readonly string[], chairs: readonly number[]): void {
  salts.forEach((salt, number) => {
    const chair = chairs[number];
    if (!salt || !added.includes(salt)) {
      fail(`the randomness '${salt.slice(0, 64)}' that you added is not part of the deal`);
    }
    if (chair && added[chair - 1] !== salt) {
      fail(`the randomness '${salt.slice(0, 64)}' that you added does not count at your chair ${chair}`);
    }
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
  if (seen && (named.size !== new Set(seen).size || seen.some((chair) => !named.has(chair)))) {
    fail("the record names other chairs as computers' than you saw at the deal");
  }
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
