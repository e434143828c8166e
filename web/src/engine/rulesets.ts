/** Rule sets by name, and their rule tables, which the data has for every edition, option and size. */
import type { Edition, EngineData } from './data.ts';
import { NotationError } from './errors.ts';

const NAME = /^([a-z]+-[a-z]+)((?:[+-][a-z]+[0-9]*)*)$/;
const OPTION = /([+-])([a-z]+)([0-9]*)/g;
const SWITCHES = ['pass', 'return', 'crew'] as const;
const COUNTS = ['actions', 'cards'] as const;
type Switch = (typeof SWITCHES)[number];
type Count = (typeof COUNTS)[number];

export interface RuleSet {
  /** The edition and the options that differ from it, in their fixed order. */
  readonly name: string;
  readonly edition: Edition;
  readonly options: Readonly<Record<Switch | Count, number>>;
}

/** The value that an option of a name sets. */
function optionValue(edition: Edition, sign: string, word: string, digits: string): number | undefined {
  if (SWITCHES.includes(word as Switch) && digits === '') {
    const known = word === 'pass' || (word === 'crew') === edition.nest;
    return sign === '-' ? 0 : known ? 1 : undefined;
  }
  const listed = COUNTS.includes(word as Count) && sign === '+' && edition.changes[word]?.[digits];
  return listed ? Number(digits) : undefined;
}

/** The rule set of a name such as `jamaica-en+pass`. */
export function ruleSet(data: EngineData, text: string): RuleSet {
  const match = NAME.exec(text);
  const first = match?.[1] ?? '';
  const edition = Object.hasOwn(data.editions, first) ? data.editions[first] : undefined;
  if (!edition) throw new NotationError(`rule set: ${text.slice(0, 60) || 'an empty name'} is not a rule set`);
  const { pass, return: back, crew, actions, cards } = edition;
  const options = { pass, return: back, crew, actions, cards };
  const seen = new Set<string>();
  for (const [whole, sign = '', word = '', digits = ''] of (match?.[2] ?? '').matchAll(OPTION)) {
    const value = optionValue(edition, sign, word, digits);
    if (value === undefined || seen.has(word)) {
      throw new NotationError(`rule set: ${text.slice(0, 60)}: ${whole.slice(0, 20)} is not an option, or given twice`);
    }
    seen.add(word);
    options[word as Switch | Count] = value;
  }
  const switched = SWITCHES.filter((word) => options[word] !== edition[word]).map(
    (word) => (options[word] ? '+' : '-') + word,
  );
  const counted = COUNTS.filter((word) => options[word] !== edition[word]).map((word) => `+${word}${options[word]}`);
  return { name: [first, ...switched, ...counted].join(''), edition, options };
}

/** The rule table for a number of seats, board pieces and pirates. */
export function ruleTable(rules: RuleSet, seats: number, pieces: number, pirates: number): BigInt64Array {
  const { edition, options } = rules;
  const table = BigInt64Array.from(edition.table, BigInt);
  const track = edition.nest ? [['crew', options.crew]] : [[`pieces-${options.return}`, pieces]];
  const chosen = [
    ['seats', seats],
    ['pirates', pirates],
    ['actions', options.actions],
    ['cards', options.cards],
    ['pass', options.pass],
    ...track,
  ] as const;
  for (const [word, value] of chosen) {
    const change = edition.changes[String(word)]?.[String(value)];
    if (!change) throw new NotationError(`${rules.name} has no ${String(word)} ${String(value)}`);
    for (const [place, number] of Object.entries(change)) table[Number(place)] = BigInt(number);
  }
  return table;
}
