/**
 * The fair deal: all chance of a game follows from a secret and the salts of the chairs, as in `game/rng.py`,
 * `game/fair_deal.py` and `game/setup.py`. The kernel deals; what is drawn is decided here.
 */
import type { DealSetup } from './commitment.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import { numberOf } from './data.ts';
import { describe } from './facts.ts';
import type { Position } from './notation.ts';
import { ruleSet, ruleTable, type RuleSet } from './rulesets.ts';
import { hmac } from './sha256.ts';

const DRAWS = 1n << 64n;
const TO_ROW = -1;
const MOST_PIECES: Readonly<Record<string, number>> = { printed: 6, random: 8 };

/** Draws from a key: unbiased, each with its own label and number. */
export class Chance {
  constructor(private readonly key: Uint8Array) {}

  /** The chance of a game, keyed by the secret and the salts in the order of the chairs. */
  static of(secret: string, salts: readonly string[]): Chance {
    return new Chance(hmac(new TextEncoder().encode(secret), salts.join('/')));
  }

  /** A uniform whole number from 0 to `limit` - 1, by rejection. */
  below(limit: number, label: string, number: number): number {
    const most = DRAWS - (DRAWS % BigInt(limit));
    for (let attempt = 0; ; attempt++) {
      const value = new DataView(hmac(this.key, `${label}:${number}:${attempt}`).buffer).getBigUint64(0);
      if (value < most) return Number(value % BigInt(limit));
    }
  }

  /** The items, shuffled. */
  shuffled<T>(items: readonly T[], label: string): T[] {
    const found = [...items];
    for (let last = found.length - 1; last > 0; last--) {
      const other = this.below(last + 1, label, last);
      [found[last], found[other]] = [found[other] as T, found[last] as T];
    }
    return found;
  }

  /** One of the cards, drawn in proportion to its weight. */
  card(weights: Readonly<Record<string, number>>, label: string, number: number): string {
    const cards = Object.entries(weights).flatMap(([card, weight]) => Array<string>(weight).fill(card));
    return cards[this.below(cards.length, label, number)] ?? '';
  }
}

/** The chairs, from 1, in the order of the seats they get. */
export function drawLots(chance: Chance, chairs: number): number[] {
  return chance.shuffled(
    Array.from({ length: chairs }, (_, chair) => chair + 1),
    'lots',
  );
}

/** The next card as a move, after `number` cards have been dealt since the opening. */
export function nextCard(engine: Engine, position: Position, chance: Chance, number: number): string {
  return `+${chance.card(engine.chances(position), 'draw', number)}`;
}

interface Sizes {
  readonly rules: RuleSet;
  readonly style: string;
  readonly pirates: number;
  readonly islands: readonly number[];
  readonly deal: number;
}

/** How many cards there are. */
const deckSize = ({ edition, options }: RuleSet): number =>
  edition.variant?.counts.reduce((sum, number) => sum + number, 0) ?? options.cards * edition.letters.length;

/** The cards that the first seats are dealt beyond the others. */
const extraCards = ({ edition }: RuleSet, seats: number): number =>
  (edition.variant?.extra ?? []).slice(0, seats).reduce((sum, number) => sum + number, 0);

/** The sizes of a deal. Throws EngineError for sizes that do not fit. */
function sizesOf(engine: Engine, setup: DealSetup): Sizes {
  const rules = ruleSet(engine.program.data, setup.rules);
  const { edition } = rules;
  const within = (key: string, value: number, low: number, high: number): number => {
    if (Number.isInteger(value) && value >= low && value <= high) return value;
    throw new EngineError(`${rules.name}: ${key} must be a whole number from ${low} to ${high}, not ${value}.`);
  };
  const seats = within('seats', setup.seats, 2, engine.number('MAX_SEATS'));
  const deck = deckSize(rules);
  if (edition.variant) {
    const { pirates, islands, deal, style } = edition;
    within('deal', deal, 0, Math.floor((deck - extraCards(rules, seats)) / seats));
    return { rules, style, pirates, islands, deal };
  }
  const style = setup.style ?? edition.style;
  const most = MOST_PIECES[style];
  if (most === undefined) throw new EngineError(`${rules.name}: style must be printed or random.`);
  const [least, greatest] = edition.nest ? [edition.pieces, edition.pieces] : [1, most];
  const pieces = within('pieces', setup.pieces ?? edition.pieces, least, greatest);
  const islands = edition.nest ? edition.islands : [pieces];
  return {
    rules,
    style,
    pirates: within('pirates', setup.pirates ?? edition.pirates, 1, engine.number('MAX_PIRATES')),
    islands,
    deal: within('deal', setup.deal ?? edition.deal, 0, Math.min(12, Math.floor(deck / seats))),
  };
}

/** Lay a board: printed pieces in any order and direction, or pieces with shuffled signs. */
function layBoard({ rules, style, islands }: Sizes, chance: Chance): string {
  const { letters, printed, variant } = rules.edition;
  if (variant?.board) return variant.board;
  const number = islands.reduce((sum, size) => sum + size, 0);
  const pieces =
    style === 'random'
      ? Array.from({ length: number }, (_, at) => chance.shuffled([...letters], `piece${at}`).join(''))
      : chance
          .shuffled(printed, 'pieces')
          .map((piece, at) => (chance.below(2, 'turn', at) ? [...piece].reverse().join('') : piece));
  let end = 0;
  return islands.map((size) => pieces.slice(end, (end += size)).join('/')).join('|');
}

/** Deal the opening position of a game. Throws EngineError for sizes that do not fit. */
export function openingOf(engine: Engine, setup: DealSetup, chance: Chance): Position {
  const sizes = sizesOf(engine, setup);
  const { rules, pirates, deal } = sizes;
  const { edition } = rules;
  const { program, notation } = engine;
  const board = layBoard(sizes, chance);
  const pieces = board.split(/[|/]/).length;
  const table = ruleTable(rules, setup.seats, pieces, pirates);
  const targets = [
    ...Array.from({ length: setup.seats }, (_, seat) =>
      Array<number>(deal + (edition.variant?.extra[seat] ?? 0)).fill(seat),
    ).flat(),
    ...Array<number>(edition.row).fill(TO_ROW),
  ].slice(0, deckSize(rules));
  const words = program.within(() => {
    const state = laid(engine, table, notation.boardWords(edition, board, table));
    const read = (): BigInt64Array => program.words(state, engine.number('WORDS'));
    targets.forEach((target, number) => {
      const { stock } = describe(program, table, read().slice());
      const drawn = chance.card(notation.counts(edition, stock), 'deal', number);
      program.call.deal_first(state, target, edition.faces.find(([text]) => text === drawn)?.[1] ?? 0);
    });
    return read().slice();
  });
  return { rules, board, seats: setup.seats, table, words };
}

/** The address of the position before the first card is dealt. */
function laid({ program }: Pick<Engine, 'program'>, table: BigInt64Array, board: BigInt64Array): number {
  const state = program.room(board.length);
  program.call.lay(program.put(table), program.put(board), state);
  return state;
}

/** All cards of a deck, in writing order, and how many of each. */
export function deckOf({ program, notation }: Engine, rules: RuleSet, table: BigInt64Array): Record<string, number> {
  const words = program.within(() => {
    const none = new BigInt64Array(numberOf(program.data.layout, 'WORDS'));
    return program.words(laid({ program }, table, none), none.length).slice();
  });
  return notation.counts(rules.edition, describe(program, table, words).stock);
}
