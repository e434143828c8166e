/** Rule sets by name, and their rule tables, which the data has for every edition, option and size. */
import { named, type Edition, type EngineData, type OptionWord } from './data.ts';
import { NotationError } from './errors.ts';
import { sha256 } from './sha256.ts';

const NAME = /^([a-z]+-[a-z]+(?:~[0-9a-f]{16})?)((?:[+-][a-z]+[0-9]*)*)$/;
const OPTION = /[+-][a-z]+[0-9]*/g;

export interface RuleSet {
  /** The edition and the options that differ from it, in their fixed order. */
  readonly name: string;
  readonly edition: Edition;
  readonly options: Readonly<Record<OptionWord, number>>;
}

/**
 * The name of rules of one's own inside this page, where a position is a text that stands alone: the edition and a hash of
 * the tag `Variant`. Records and links for others have the name of the base.
 */
export const variantName = (rules: string, tag: string): string =>
  `${/^[a-z]+-[a-z]+/.exec(rules)?.[0] ?? ''}~${sha256(tag).slice(0, 16)}`;

/** Let an engine with this data know rules of one's own. Returns their name. */
export function addVariant(data: EngineData, text: string, edition: Edition): string {
  const { variant } = edition;
  if (!variant) throw new NotationError('these rules are an edition, not a variant');
  const name = variantName(variant.rules, text);
  data.editions[name] = { ...edition, variant: { ...variant, text } };
  return name;
}

/** Rules of one's own that were added to the data since the last call, for a worker that has a copy of it. */
export function newVariants(data: EngineData): () => Record<string, Edition> | undefined {
  const told = new Set(Object.keys(data.editions));
  return () => {
    const found = Object.entries(data.editions).filter(([name]) => !told.has(name));
    for (const [name] of found) told.add(name);
    return found.length ? Object.fromEntries(found) : undefined;
  };
}

/** The name of a rule set for others: that of the base where the rules are one's own. */
export const plainName = ({ name, edition }: RuleSet): string => edition.variant?.rules ?? name;

/** The rule set of a name such as `jamaica-en+pass`. */
export function ruleSet(data: EngineData, text: string): RuleSet {
  const match = NAME.exec(text);
  const first = match?.[1] ?? '';
  const edition = named(data.editions, first);
  if (!edition) throw new NotationError(`rule set: ${text.slice(0, 60) || 'an empty name'} is not a rule set`);
  const { pass, return: back, crew, actions, cards } = edition;
  const options = { pass, return: back, crew, actions, cards };
  const seen = new Set<string>();
  for (const [whole] of (match?.[2] ?? '').matchAll(OPTION)) {
    const [word, value] = named(edition.options, whole) ?? [];
    if (!word || seen.has(word)) {
      throw new NotationError(`rule set: ${text.slice(0, 60)}: ${whole.slice(0, 20)} is not an option, or given twice`);
    }
    seen.add(word);
    options[word] = value ?? 0;
  }
  const differ = Object.entries(edition.options).filter(
    ([, [word, value]]) => value === options[word] && value !== edition[word],
  );
  return { name: [first, ...differ.map(([option]) => option)].join(''), edition, options };
}

/** The rule table for a number of seats, board pieces and pirates. */
export function ruleTable(rules: RuleSet, seats: number, pieces: number, pirates: number): BigInt64Array {
  const { edition, options } = rules;
  const table = BigInt64Array.from(edition.table, BigInt);
  if (edition.variant && (pieces !== edition.pieces || pirates !== edition.pirates))
    throw new NotationError(`${rules.name} has ${edition.pieces} pieces and ${edition.pirates} pirates`);
  const track = edition.nest ? [['crew', options.crew]] : [[`pieces-${options.return}`, pieces]];
  const chosen = [
    ['seats', seats],
    ['pirates', pirates],
    ['actions', options.actions],
    ['cards', options.cards],
    ['pass', options.pass],
    ...track,
  ] as const;
  for (const [word, value] of edition.variant ? chosen.slice(0, 1) : chosen) {
    const change = edition.changes[String(word)]?.[String(value)];
    if (!change) throw new NotationError(`${rules.name} has no ${String(word)} ${String(value)}`);
    for (const [place, number] of Object.entries(change)) table[Number(place)] = BigInt(number);
  }
  return table;
}
