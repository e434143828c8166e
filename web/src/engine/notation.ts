/**
 * Positions and moves as text, and the words of the kernel. How words are laid out is in `kernel/layout.py` and
 * `kernel/cards.py`; whether a position is possible is decided by the kernel, in WebAssembly.
 */
import type { Edition, EngineData } from './data.ts';
import { numberOf } from './data.ts';
import { NotationError } from './errors.ts';
import type { Program } from './module.ts';
import { ruleSet, ruleTable, type RuleSet } from './rulesets.ts';

export interface Position {
  readonly rules: RuleSet;
  readonly board: string;
  readonly seats: number;
  readonly table: BigInt64Array;
  readonly words: BigInt64Array;
}

const MAX_TEXT = 2000;
const PLACE = /^(?:s|b|n|[1-9][0-9]{0,3})$/;
const HIDDEN = /^\?(0|[1-9][0-9]{0,2})$/;
const TURN =
  /^([0-9]{1,3})\.([0-9]{1,3})(c)?(?:p([1-9][0-9]?))?(?:r([1-9][0-9]?))?(?:\+([1-9][0-9]?))?(?:!([1-9][0-9]?))?$/;
const OVER = /^=([0-9]{1,3})$/;
const DUE = [
  ['p', 'PASSES'],
  ['r', 'ROW_DUE'],
  ['+', 'OWED'],
  ['!', 'DROPPER'],
] as const;
const FREEBOOTER_BIT = 53;

const counted = (number: number, thing: string): string => (number === 1 ? `1 ${thing}` : `${number} ${thing}s`);

const fail = (text: string, fault?: string): never => {
  throw new NotationError(text, fault);
};
const wordAt = (words: BigInt64Array, place: number): bigint => words[place] ?? 0n;

export class Notation {
  constructor(
    private readonly program: Program,
    private readonly data: EngineData = program.data,
  ) {}

  private at(name: string): number {
    return numberOf(this.data.layout, name);
  }

  // --- cards

  /** The text of all cards in writing order, with their numbers. */
  cards({ letters, freebooters }: Edition): (readonly [string, number])[] {
    const first = this.at('FREEBOOTER');
    return [...letters].flatMap((letter, sign) =>
      freebooters
        ? ([
            [letter, sign],
            [`${letter}!`, first + sign],
          ] as const)
        : ([[letter, sign]] as const),
    );
  }

  private lane(card: number): { foot: bigint; full: bigint } {
    const first = this.at('FREEBOOTER');
    return card < first
      ? { foot: BigInt(card * 8), full: 31n }
      : { foot: BigInt(FREEBOOTER_BIT + card - first), full: 1n };
  }

  count(word: bigint, card: number): number {
    const { foot, full } = this.lane(card);
    return Number((word >> foot) & full);
  }

  private writeCards(edition: Edition, word: bigint): string {
    const groups = this.cards(edition).map(([text, card]) => [text, this.count(word, card)] as const);
    return groups.map(([text, number]) => (number ? text + (number > 1 ? number : '') : '')).join('') || '-';
  }

  private readCards(edition: Edition, text: string, where: string): bigint {
    if (text === '-') return 0n;
    const cards = this.cards(edition);
    let [word, last, end] = [0n, -1, 0];
    for (const [whole, name = '', digits = ''] of text.matchAll(/([A-Z]!?)([1-9][0-9]?)?/g)) {
      const rank = cards.findIndex(([card]) => card === name);
      if (rank < 0 || digits === '1' || !text.startsWith(whole, end)) break;
      if (rank <= last)
        fail(`${where}: cards are written in the order ${cards.map(([card]) => card).join(' ')}, each once`);
      const { foot, full } = this.lane(cards[rank]?.[1] ?? 0);
      const number = BigInt(digits || 1);
      if (number > full) fail(`${where}: there are not ${number} cards ${name} in the deck`);
      word += number << foot;
      [end, last] = [end + whole.length, rank];
    }
    if (end === 0 || end < text.length)
      fail(`${where}: ${text.slice(end, end + 12) || 'nothing'} is not a set of cards`);
    return word;
  }

  private readSet(edition: Edition, text: string, where: string): [word: bigint, hidden: bigint] {
    const hidden = HIDDEN.exec(text);
    if (!hidden) return [this.readCards(edition, text, where), 0n];
    const size = BigInt(hidden[1] ?? 0);
    if (size > 255n) fail(`${where}: ${size} cards are more than there are`);
    return [0n, size];
  }

  // --- places

  /** The text of all places along the track. */
  places(table: BigInt64Array): string[] {
    const [boat, goal] = [Number(wordAt(table, this.at('T_BOAT'))), Number(wordAt(table, this.at('T_GOAL')))];
    return Array.from({ length: goal + 1 }, (_, place) => {
      if (place === 0) return 's';
      if (place === boat) return 'b';
      if (place === goal) return 'n';
      return String(place < boat ? place : place - 1);
    });
  }

  /** How many pirates of a seat stand on each place. */
  pirates(position: Pick<Position, 'table' | 'words'>, seat: number): number[] {
    const first = this.at('SEAT') + seat * this.at('SEAT_WORDS');
    return this.places(position.table).map((_, place) =>
      [0, 1, 2, 3].reduce(
        (sum, plane) => sum + (Number((wordAt(position.words, first + plane) >> BigInt(place)) & 1n) << plane),
        0,
      ),
    );
  }

  // --- positions

  parse(text: string): Position {
    if (text.length > MAX_TEXT) fail(`a position is a text of at most ${MAX_TEXT} characters`);
    const split = text.trim().split(' ');
    if (split.length !== 9) fail(`a position has nine words with one space between them, this has ${split.length}`);
    const [name = '', board = '', pirates = '', hands = '', row = '', stock = '', discard = '', sloop = '', turn = ''] =
      split;
    const rules = ruleSet(this.data, name);
    const islands = this.readBoard(rules.edition, board);
    const seats = pirates.split('/').map((seat) => seat.split(','));
    this.checkSeats(seats);
    const table = ruleTable(rules, seats.length, islands.flat().length, seats[0]?.length ?? 0);
    const words = new BigInt64Array(this.at('WORDS'));
    this.setBoard(words, rules.edition, islands);
    const position = { rules, board, seats: seats.length, table, words };
    this.setHands(position, hands.split('/'));
    this.setPiles(position, row, stock, discard);
    this.setSloop(position, sloop);
    this.setTurn(position, turn);
    return { ...position, words: this.stood(position, seats) };
  }

  private readBoard({ letters, nest }: Edition, text: string): string[][] {
    const islands = text.split('|').map((island) => island.split('/'));
    const wanted = [...letters].sort().join('');
    for (const piece of islands.flat()) {
      if ([...piece].sort().join('') !== wanted)
        fail(`board: the piece ${piece.slice(0, 20)} must show each sign once`);
    }
    const sizes = islands.map((island) => island.length).join(' ');
    if (nest ? sizes !== '2 3' : !/^[1-8]$/.test(sizes)) {
      fail(
        nest
          ? 'board: the nest has an island of 2 pieces and one of 3'
          : 'board: the tunnel is one row of 1 to 8 pieces',
      );
    }
    return islands;
  }

  /** A state with nothing but a board. */
  boardWords(edition: Edition, board: string): BigInt64Array {
    const words = new BigInt64Array(this.at('WORDS'));
    this.setBoard(words, edition, this.readBoard(edition, board));
    return words;
  }

  private setBoard(words: BigInt64Array, { letters }: Edition, islands: string[][]): void {
    let place = 1n;
    for (const island of islands) {
      for (const letter of island.join('')) {
        const sign = this.at('SIGN') + letters.indexOf(letter);
        words[sign] = wordAt(words, sign) | (1n << place++);
      }
      place++; // the sloop's place comes after an island
    }
  }

  private checkSeats(seats: string[][]): void {
    const wrong = seats.flat().find((place) => !PLACE.test(place));
    if (wrong !== undefined) fail(`pirates: ${wrong.slice(0, 20) || 'an empty word'} is not a place`);
    if (seats.length < 2 || seats.length > this.at('MAX_SEATS'))
      fail(`pirates: ${counted(seats.length, 'seat')}; there are 2 to 5`);
    const sizes = new Set(seats.map((seat) => seat.length));
    if (sizes.size > 1 || (seats[0]?.length ?? 0) > this.at('MAX_PIRATES')) {
      fail('pirates: each seat has the same number of pirates, 1 to 8');
    }
  }

  /** The words with the pirates set down, after the kernel has found no fault in them. */
  private stood({ table, words }: Position, seats: string[][]): BigInt64Array {
    const { program } = this;
    const known = this.places(table);
    return program.within(() => {
      const [rules, state] = [program.put(table), program.put(words)];
      seats.forEach((places, seat) => {
        let last = 0;
        for (const text of places) {
          const place = known.indexOf(text);
          if (place < 0) fail(`pirates: this board has no place ${text}`);
          if (place < last) fail("pirates: a seat's places are written in track order");
          last = place;
          program.call.put(rules, state, seat, place);
        }
      });
      const found = program.call.gather(rules, state) || program.call.fault(rules, state);
      if (found) fail(`this position cannot be: ${this.data.faults[found] ?? found}`, this.data.faults[found]);
      return program.words(state, words.length).slice();
    });
  }

  private setHands({ rules, seats, words }: Position, hands: string[]): void {
    if (hands.length !== seats) fail(`hands: ${counted(hands.length, 'hand')} for ${seats} seats`);
    hands.forEach((text, seat) => {
      const [cards, hidden] = this.readSet(rules.edition, text, 'hands');
      words[this.at('SEAT') + seat * this.at('SEAT_WORDS') + this.at('HAND')] = cards;
      this.hide(words, hidden, seat * this.at('HIDDEN_BITS'));
    });
  }

  private hide(words: BigInt64Array, size: bigint, bit: number): void {
    words[this.at('HIDDEN')] = wordAt(words, this.at('HIDDEN')) | (size << BigInt(bit));
  }

  private setPiles({ rules, words }: Position, row: string, stock: string, discard: string): void {
    const { edition } = rules;
    if (row !== '-') {
      if (!edition.row) fail(`row: ${edition.game} has no open row`);
      if (row.length > edition.row) fail(`row: ${row.length} cards; the row has at most ${edition.row}`);
      [...row].forEach((letter, number) => {
        const card = edition.letters.indexOf(letter);
        if (card < 0) fail(`row: ${row.slice(0, 20)} is not a row of cards of ${edition.game}`);
        words[this.at('ROW')] = wordAt(words, this.at('ROW')) | (BigInt(card) << BigInt(number * this.at('ROW_BITS')));
      });
      words[this.at('ROW_LEN')] = BigInt(row.length);
    }
    const [cards, hidden] = this.readSet(edition, stock, 'stock');
    words[this.at('STOCK')] = cards;
    this.hide(words, hidden, this.at('HIDDEN_STOCK'));
    words[this.at('DISCARD')] = this.readCards(edition, discard, 'discard pile');
  }

  private setSloop({ rules, words }: Position, text: string): void {
    if (!['1', '2', '-'].includes(text)) fail(`sloop: ${text.slice(0, 20)} is not 1, 2 or -`);
    if ((text === '-') === rules.edition.nest)
      fail(`sloop: it is ${rules.edition.nest ? '1 or 2' : '-'} in ${rules.edition.game}`);
    words[this.at('SLOOP')] = text === '-' ? 0n : BigInt(text);
  }

  private setTurn({ seats, words }: Position, text: string): void {
    const over = OVER.exec(text);
    const turn = TURN.exec(text);
    if (over) {
      const winner = Number(over[1]);
      if (winner > seats) fail(`turn: there is no seat ${winner}`);
      words[this.at('OVER')] = BigInt(winner || this.at('DEADLOCK'));
      return;
    }
    if (!turn) return fail(`turn: ${text.slice(0, 20)} is not a turn like 1.0 or =2`);
    const [seat, dropper] = [Number(turn[1]), Number(turn[7] ?? 1)];
    for (const each of [seat, dropper]) if (each < 1 || each > seats) fail(`turn: there is no seat ${each}`);
    words[this.at('TURN')] = BigInt(seat - 1);
    words[this.at('USED')] = BigInt(turn[2] ?? 0);
    words[this.at('CAPTAIN')] = turn[3] ? 1n : 0n;
    DUE.forEach(([, name], number) => (words[this.at(name)] = BigInt(turn[4 + number] ?? 0)));
  }

  // --- writing

  format(position: Position): string {
    const { rules, board, seats, words } = position;
    const word = (name: string): bigint => wordAt(words, this.at(name));
    const every = Array.from({ length: seats }, (_, seat) => seat);
    const places = this.places(position.table);
    const hidden = (bit: number): bigint => (word('HIDDEN') >> BigInt(bit)) & 0xffn;
    const set = (cards: bigint, size: bigint): string => (size ? `?${size}` : this.writeCards(rules.edition, cards));
    const handAt = (seat: number): number => this.at('SEAT') + seat * this.at('SEAT_WORDS') + this.at('HAND');
    const row = Array.from({ length: Number(word('ROW_LEN')) }, (_, number) =>
      rules.edition.letters.charAt(Number((word('ROW') >> BigInt(number * this.at('ROW_BITS'))) & 7n)),
    );
    return [
      rules.name,
      board,
      every
        .map((seat) =>
          this.pirates(position, seat)
            .flatMap((n, place) => Array<string>(n).fill(places[place] ?? ''))
            .join(','),
        )
        .join('/'),
      every.map((seat) => set(wordAt(words, handAt(seat)), hidden(seat * this.at('HIDDEN_BITS')))).join('/'),
      row.join('') || '-',
      set(word('STOCK'), hidden(this.at('HIDDEN_STOCK'))),
      this.writeCards(rules.edition, word('DISCARD')),
      String(word('SLOOP') || '-'),
      this.writeTurn(word),
    ].join(' ');
  }

  private writeTurn(word: (name: string) => bigint): string {
    if (word('OVER')) return Number(word('OVER')) === this.at('DEADLOCK') ? '=0' : `=${word('OVER')}`;
    const due = DUE.map(([mark, name]) => (word(name) ? `${mark}${word(name)}` : ''));
    return `${word('TURN') + 1n}.${word('USED')}${word('CAPTAIN') ? 'c' : ''}${due.join('')}`;
  }

  // --- moves

  /** The text of an action of the kernel. */
  move({ rules, table }: Position, action: number): string {
    const place = (index: number): string => this.places(table)[index] ?? '';
    const card = (number: number): string => this.cards(rules.edition).find(([, each]) => each === number)?.[0] ?? '';
    const slots = this.at('CARD_SLOTS');
    if (action < this.at('RETREAT')) return `${place(Math.floor(action / slots))}:${card(action % slots)}`;
    if (action < this.at('PUSH')) return `${place(action - this.at('RETREAT'))}<`;
    if (action < this.at('SAIL')) {
      const [seat, from] = [
        Math.floor((action - this.at('PUSH')) / this.at('SEAT_SLOTS')),
        (action - this.at('PUSH')) % this.at('SEAT_SLOTS'),
      ];
      return `${seat + 1}@${place(from)}`;
    }
    if (action === this.at('SAIL')) return 'sail';
    if (action === this.at('END')) return 'end';
    return action < this.at('DEAL') ? `drop:${card(action - this.at('DROP'))}` : `+${card(action - this.at('DEAL'))}`;
  }

  /** The action of a text, or -1 where it means none on this board. */
  action({ rules, table }: Position, move: string): number {
    const place = (text = ''): number => this.places(table).indexOf(text);
    const card = (text = ''): number => this.cards(rules.edition).find(([each]) => each === text)?.[1] ?? NaN;
    const found = ((): number => {
      if (move === 'sail') return this.at('SAIL');
      if (move === 'end') return this.at('END');
      if (move.startsWith('drop:')) return this.at('DROP') + card(move.slice(5));
      if (move.startsWith('+')) return this.at('DEAL') + card(move.slice(1));
      const [, seat, from, kind, played] = /^(?:([1-5])@)?(s|b|n|[0-9]+)([:<]?)([A-Z]!?)?$/.exec(move) ?? [];
      if (from === undefined || place(from) < 0) return NaN;
      if (seat && !kind && !played) return this.at('PUSH') + (Number(seat) - 1) * this.at('SEAT_SLOTS') + place(from);
      if (kind === '<' && !seat && !played) return this.at('RETREAT') + place(from);
      return kind === ':' && !seat ? place(from) * this.at('CARD_SLOTS') + card(played) : NaN;
    })();
    return Number.isNaN(found) ? -1 : found;
  }
}
