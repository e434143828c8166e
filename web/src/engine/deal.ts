/**
 * The fair deal: all chance of a game follows from a secret and the salts of the chairs, as in `game/rng.py`,
 * `game/fair_deal.py` and `game/setup.py`. The kernel deals; what is drawn is decided here.
 */
import type { DealSetup } from './commitment.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import { sizesOf } from './content.ts';
import { numberOf } from './data.ts';
import { describe } from './facts.ts';
import type { Position } from './notation.ts';
import { ruleSet, ruleTable, type RuleSet } from './rulesets.ts';
import { hmac } from './sha256.ts';

const DRAWS = 1n << 64n;
const TO_ROW = -1;
/** The most cards that a hand begins with. */
const MOST_DEALT = 12;

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

/** How many cards there are. */
const deckSize = ({ edition, options }: RuleSet): number =>
  edition.variant?.counts.reduce((sum, number) => sum + number, 0) ?? options.cards * edition.letters.length;

/** The seats, from 0, in the order in which the first cards are dealt, then the row. Throws EngineError for too many cards. */
function dealOrder(rules: RuleSet, seats: number, deal: number): number[] {
  const { row, variant } = rules.edition;
  const sizes = Array.from({ length: seats }, (_, seat) => deal + (variant?.extra[seat] ?? 0));
  const [deck, dealt] = [deckSize(rules), sizes.reduce((sum, size) => sum + size, 0)];
  if (!Number.isInteger(deal) || deal < 0 || deal > MOST_DEALT || dealt > deck)
    throw new EngineError(`${rules.name}: hands of ${deal} cards cannot be dealt to ${seats} seats.`);
  const hands = sizes.flatMap((size, seat) => Array<number>(size).fill(seat));
  return [...hands, ...Array<number>(row).fill(TO_ROW)].slice(0, deck);
}

/** Lay a board: printed pieces in any order and direction, or pieces with shuffled signs. Throws EngineError where there are none. */
function layBoard({ name, edition }: RuleSet, style: string, number: number, chance: Chance): string {
  const { letters, printed, nest, variant } = edition;
  if (variant?.board) return variant.board;
  const islands = nest || variant ? edition.islands : [number];
  const total = islands.reduce((sum, size) => sum + size, 0);
  const pieces =
    style === 'random'
      ? Array.from({ length: total }, (_, at) => chance.shuffled([...letters], `piece${at}`).join(''))
      : chance
          .shuffled(style === 'printed' ? printed : [], 'pieces')
          .map((piece, at) => (chance.below(2, 'turn', at) ? [...piece].reverse().join('') : piece));
  if (total !== number || total > pieces.length)
    throw new EngineError(`${name}: there is no board of ${number} pieces in the style ${style}.`);
  let end = 0;
  return islands.map((size) => pieces.slice(end, (end += size)).join('/')).join('|');
}

/** Deal the opening position of a game. Throws EngineError for sizes that do not fit. */
export function openingOf(engine: Engine, setup: DealSetup, chance: Chance): Position {
  const { program, notation } = engine;
  const { seats } = setup;
  const rules = ruleSet(program.data, setup.rules);
  const { edition } = rules;
  const { style, pirates, pieces, deal } = sizesOf(rules, setup);
  const table = ruleTable(rules, seats, pieces, pirates);
  const board = layBoard(rules, style, pieces, chance);
  const words = program.within(() => {
    const state = laid(engine, table, notation.boardWords(edition, board, table));
    const read = (): BigInt64Array => program.words(state, engine.number('WORDS'));
    dealOrder(rules, seats, deal).forEach((target, number) => {
      const { stock } = describe(program, table, read().slice());
      const drawn = chance.card(notation.counts(edition, stock), 'deal', number);
      program.call.deal_first(state, target, edition.faces.find(([text]) => text === drawn)?.[1] ?? 0);
    });
    return read().slice();
  });
  return { rules, board, seats, table, words };
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
