/**
 * Positions and moves as text. What is possible is decided by the kernel, in WebAssembly; whether a text is written as
 * it must be is found by writing it again.
 */
import type { Edition } from './data.ts';
import { numberOf } from './data.ts';
import { fail } from './errors.ts';
import { compose, describe, EMPTY, type Facts, type Pile, type ToldTurn, type Turn } from './facts.ts';
import type { Program } from './module.ts';
import { ruleSet, ruleTable, type RuleSet } from './rulesets.ts';

export interface Position {
  readonly rules: RuleSet;
  readonly board: string;
  readonly seats: number;
  readonly table: BigInt64Array;
  readonly words: BigInt64Array;
}

type Setting = Pick<Position, 'rules' | 'board' | 'table'>;

const MAX_TEXT = 2000;
const NAMES = ['rule set', 'board', 'pirates', 'hands', 'row', 'stock', 'discard pile', 'sloop', 'turn'] as const;
const TURN =
  /^([0-9]{1,3})\.([0-9]{1,3})(c)?(?:p([1-9][0-9]?))?(?:r([1-9][0-9]?))?(?:\+([1-9][0-9]?))?(?:!([1-9][0-9]?))?$/;
const OVER = /^=([0-9]{1,3})$/;
/** A move on any board; `+?` is a card that a view hides. */
export const MOVE =
  /^(?:(?:s|b|n|[1-9][0-9]?):[A-Z]!?|(?:s|b|n|[1-9][0-9]?)<|[1-9]@(?:s|b|n|[1-9][0-9]?)|drop:[A-Z]!?|\+(?:[A-Z]!?|\?)|sail|end)$/;

/** The turn word of a position. An unreadable word gives seat 0, so that its text differs from the one given. */
function readTurn(text: string, sloop: number): Turn {
  const over = OVER.exec(text);
  const [, seat = 0, used, captain, passes, rowDue, owed, dropper] = (over ? null : TURN.exec(text)) ?? [];
  return {
    active: Number(seat),
    winner: over ? Number(over[1]) : -1,
    used: Number(used ?? 0),
    captain: captain ? 1 : 0,
    passes: Number(passes ?? 0),
    row_due: Number(rowDue ?? 0),
    owed: Number(owed ?? 0),
    dropper: Number(dropper ?? 0),
    sloop,
  };
}

/** The turn of a game that goes on, as it is written. */
export function writeTurn(turn: Omit<Turn, 'winner' | 'sloop'>): string {
  const { active, used, captain, passes, row_due, owed, dropper } = turn;
  const due = Object.entries({ p: passes, r: row_due, '+': owed, '!': dropper });
  return `${active}.${used}${captain ? 'c' : ''}${due.map(([mark, number]) => (number ? mark + number : '')).join('')}`;
}

/** Open cards, in the order they are given. */
export const writeCards = (cards: Readonly<Record<string, number>>): string =>
  Object.entries(cards)
    .map(([text, number]) => text + (number > 1 ? number : ''))
    .join('') || '-';

export class Notation {
  /** The texts of all actions on the boards that were met. */
  private readonly texts = new Map<string, readonly string[]>();

  constructor(private readonly program: Program) {}

  private at(name: string): number {
    return numberOf(this.program.data.layout, name);
  }

  /** The cards of a pile that are not hidden, in writing order, and how many of each. */
  counts(edition: Edition, { cards }: Pile): Record<string, number> {
    const found = edition.faces.map(([text, card]) => [text, cards[card] ?? 0] as const);
    return Object.fromEntries(found.filter(([, number]) => number > 0));
  }

  private writePile(edition: Edition, pile: Pile): string {
    return pile.hidden ? `?${pile.hidden}` : writeCards(this.counts(edition, pile));
  }

  private readPile(edition: Edition, text: string): Pile {
    if (text.startsWith('?')) return { hidden: Number(text.slice(1)), cards: [] };
    const known = new Map(edition.faces);
    const cards = Array<number>(this.at('CARDS')).fill(0);
    for (const [, name = '', digits] of text.matchAll(/([A-Z]!?)([0-9]*)/g))
      cards[known.get(name) ?? -1] = Number(digits || 1);
    return { hidden: 0, cards };
  }

  /** The text of all places along the track. */
  places(table: BigInt64Array): string[] {
    const [boat, goal] = [Number(table[this.at('T_BOAT')]), Number(table[this.at('T_GOAL')])];
    const spots: Readonly<Record<number, string>> = { [goal]: 'n', [boat]: 'b', 0: 's' };
    return Array.from({ length: goal + 1 }, (_, place) => spots[place] ?? String(place < boat ? place : place - 1));
  }

  /** What the engine knows of a position. */
  facts({ table, words }: Position): Facts<ToldTurn> {
    return describe(this.program, table, words);
  }

  parse(text: string): Position {
    if (text.length > MAX_TEXT) fail(`a position is a text of at most ${MAX_TEXT} characters`);
    const split = text.trim().split(' ');
    if (split.length !== NAMES.length)
      fail(`a position has nine words with one space between them, this has ${split.length}`);
    const [name = '', board = '', pirates = ''] = split;
    const rules = ruleSet(this.program.data, name);
    const islands = this.readBoard(rules.edition, board);
    const seats = pirates.split('/').map((seat) => seat.split(','));
    if (new Set(seats.map((seat) => seat.length)).size > 1)
      fail('pirates: each seat has the same number of pirates, 1 to 8');
    const table = ruleTable(rules, seats.length, islands.flat().length, seats[0]?.length ?? 0);
    const setting = { rules, board, table };
    const facts = this.read(setting, islands, seats, split);
    const written = this.write(setting, facts).split(' ');
    const wrong = split.findIndex((word, at) => at > 0 && word.replace(/\?0(?=\/|$)/g, '-') !== written[at]);
    if (wrong > 0)
      fail(`${NAMES[wrong]}: ${split[wrong]?.slice(0, 40) || 'an empty word'} is not written like that here`);
    const { active, winner } = facts.turn;
    if (winner < 0 ? active < 1 || active > seats.length : winner > seats.length)
      fail(`turn: there is no seat ${winner < 0 ? active : winner}`);
    const [words, fault] = compose(this.program, table, facts);
    const said = this.program.data.faults[fault] ?? String(fault);
    if (fault) fail(`this position cannot be: ${said}`, said);
    return { ...setting, seats: seats.length, words };
  }

  private read({ rules, table }: Setting, islands: string[][], seats: string[][], split: readonly string[]): Facts {
    const { edition } = rules;
    const [, , , hands = '', row = '', stock = '', discard = '', sloop = '', turn = ''] = split;
    const places = this.places(table);
    const inOrder = (texts: readonly string[]): number[] =>
      texts.map((text) => places.indexOf(text)).sort((a, b) => a - b);
    return {
      turn: readTurn(turn, edition.nest === /^[12]$/.test(sloop) ? Number(sloop) || 0 : -1),
      row: [...row]
        .slice(0, edition.row)
        .flatMap((letter) => (letter === '-' ? [] : [edition.letters.indexOf(letter)])),
      stock: this.readPile(edition, stock),
      discard: this.readPile(edition, discard),
      hands: hands
        .split('/')
        .slice(0, seats.length)
        .map((hand) => this.readPile(edition, hand)),
      pirates: seats.map(inOrder),
      signs: this.signs(edition, islands),
    };
  }

  private readBoard({ letters, nest, islands: own, variant }: Edition, text: string): string[][] {
    const islands = text.split('|').map((island) => island.split('/'));
    const signs = [...letters].sort().join('');
    for (const piece of islands.flat()) {
      if ([...piece].sort().join('') !== signs) fail(`board: the piece ${piece.slice(0, 20)} must show each sign once`);
    }
    const sizes = islands.map((island) => island.length).join(' and ');
    const fixed = nest || variant ? own.join(' and ') : '';
    if (fixed ? sizes !== fixed : !/^[1-8]$/.test(sizes))
      fail(`board: these rules have islands of ${fixed || '1 to 8'} pieces, not ${sizes}`);
    return islands;
  }

  private signs({ letters }: Edition, islands: readonly string[][]): number[] {
    // The sloop's place comes after an island.
    return [
      0,
      ...islands.flatMap((island) => [...[...island.join('')].map((letter) => letters.indexOf(letter) + 1), 0]),
    ];
  }

  /** A state with nothing but a board. */
  boardWords(edition: Edition, board: string, table: BigInt64Array): BigInt64Array {
    const signs = this.signs(edition, this.readBoard(edition, board));
    const facts = { turn: readTurn('1.0', 0), row: [], stock: EMPTY, discard: EMPTY, hands: [], pirates: [], signs };
    return compose(this.program, table, facts)[0];
  }

  format(position: Position): string {
    return this.write(position, this.facts(position));
  }

  private write({ rules, board, table }: Setting, facts: Facts): string {
    const { edition } = rules;
    const places = this.places(table);
    return [
      rules.name,
      board,
      facts.pirates.map((seat) => seat.map((place) => places[place] ?? '').join(',')).join('/'),
      facts.hands.map((hand) => this.writePile(edition, hand)).join('/'),
      facts.row.map((card) => edition.letters.charAt(card)).join('') || '-',
      this.writePile(edition, facts.stock),
      this.writePile(edition, facts.discard),
      String(facts.turn.sloop || '-'),
      facts.turn.winner < 0 ? writeTurn(facts.turn) : `=${facts.turn.winner}`,
    ].join(' ');
  }

  // --- moves

  /** The text of an action of the kernel. */
  move({ rules, table }: Position, action: number): string {
    const place = (index: number): string => this.places(table)[index] ?? '';
    const card = (number: number): string => rules.edition.faces.find(([, each]) => each === number)?.[0] ?? '';
    const slots = this.at('CARD_SLOTS');
    if (action < this.at('RETREAT')) return `${place(Math.floor(action / slots))}:${card(action % slots)}`;
    if (action < this.at('PUSH')) return `${place(action - this.at('RETREAT'))}<`;
    if (action < this.at('SAIL')) {
      const [pushed, room] = [action - this.at('PUSH'), this.at('SEAT_SLOTS')];
      return `${Math.floor(pushed / room) + 1}@${place(pushed % room)}`;
    }
    if (action === this.at('SAIL')) return 'sail';
    if (action === this.at('END')) return 'end';
    return action < this.at('DEAL') ? `drop:${card(action - this.at('DROP'))}` : `+${card(action - this.at('DEAL'))}`;
  }

  /** The action of a text, or -1 where it means none on this board: the one that is written like that. */
  action(position: Position, move: string): number {
    const { rules, table } = position;
    const board = `${rules.edition.letters} ${rules.edition.faces.length} ${this.places(table).join()}`;
    const texts =
      this.texts.get(board) ?? Array.from({ length: this.at('ACTIONS') }, (_, action) => this.move(position, action));
    this.texts.set(board, texts);
    return MOVE.test(move) ? texts.indexOf(move) : -1;
  }
}
