/** What a position shows and what a seat can choose from, as the server tells it. Every rule is asked of the engine. */
import type { Engine, Position } from '../engine/index.ts';
import type { NearMiss, Option, Options, PositionJson } from '../net/wire.ts';
import { moveFields } from './moves.ts';
import { sentence } from './sentences.ts';

type Counts = Record<string, number>;

/** A reader of one position's words. */
export class Facts {
  private written: readonly string[] | undefined;

  constructor(
    private readonly engine: Engine,
    readonly position: Position,
  ) {}

  /** The words of the position in notation. */
  private get text(): readonly string[] {
    this.written ??= this.engine.format(this.position).split(' ');
    return this.written;
  }

  number(name: string): number {
    return Number(this.word(this.engine.number(name)));
  }

  private word(place: number): bigint {
    return this.position.words[place] ?? 0n;
  }

  private fixed(name: string): number {
    return Number(this.position.table[this.engine.number(name)] ?? 0n);
  }

  get isOver(): boolean {
    return this.number('OVER') !== 0;
  }

  /** The seat that must choose, from 1; 0 where none must. */
  get chooser(): number {
    return this.engine.chooser(this.position);
  }

  get isChance(): boolean {
    return !this.isOver && this.chooser === 0;
  }

  /** The seat whose turn it is; 0 when the game is over. */
  get active(): number {
    return this.isOver ? 0 : this.number('TURN') + 1;
  }

  /** The seat that has won; 0 after a deadlock. */
  get winner(): number {
    const over = this.number('OVER');
    return over > this.position.seats ? 0 : over;
  }

  get pirates(): string[][] {
    return (this.text[2] ?? '').split('/').map((places) => places.split(','));
  }

  private counts(place: number): Counts {
    const word = this.word(place);
    const { notation } = this.engine;
    const found = notation
      .cards(this.position.rules.edition)
      .map(([text, card]) => [text, notation.count(word, card)] as const);
    return Object.fromEntries(found.filter(([, number]) => number > 0));
  }

  private hidden(bit: number): number {
    return Number((this.word(this.engine.number('HIDDEN')) >> BigInt(bit)) & 0xffn);
  }

  hand(seat: number): { size: number; cards: Counts | null } {
    const cards = this.counts(
      this.engine.number('SEAT') + (seat - 1) * this.engine.number('SEAT_WORDS') + this.engine.number('HAND'),
    );
    const hidden = this.hidden((seat - 1) * this.engine.number('HIDDEN_BITS'));
    return { size: sum(cards) + hidden, cards: hidden ? null : cards };
  }

  get stock(): number {
    return sum(this.counts(this.engine.number('STOCK'))) + this.hidden(this.engine.number('HIDDEN_STOCK'));
  }

  get discard(): Counts {
    return this.counts(this.engine.number('DISCARD'));
  }

  /** The open row, the next card first; null in games without one. */
  get row(): string[] | null {
    return this.position.rules.edition.row ? [...(this.text[4] ?? '')].filter((letter) => letter !== '-') : null;
  }

  json(): PositionJson {
    const { position } = this;
    const { rules, seats, board } = position;
    return {
      rules: rules.name,
      game: rules.edition.game,
      islands: board.split('|').map((island) => island.split('/')),
      pirates: this.pirates,
      hands: Array.from({ length: seats }, (_, seat) => this.hand(seat + 1)),
      row: this.row,
      stock: this.stock,
      discard: { size: sum(this.discard), cards: this.discard },
      sloop: this.number('SLOOP') || null,
      turn: {
        seat: this.active,
        chooser: this.chooser,
        used: this.number('USED'),
        actions: this.fixed('T_ACTIONS'),
        captain: this.number('CAPTAIN') !== 0,
        passes: this.number('PASSES'),
        row_due: this.number('ROW_DUE'),
        owed: this.number('OWED'),
        dropper: this.number('DROPPER') || null,
        limit: this.fixed('T_LIMIT') || null,
      },
    };
  }

  // --- options

  options(): Options {
    return { legal: this.legal(), illegal: this.refusals(), elsewhere: this.elsewhere() };
  }

  private legal(): Option[] {
    return this.engine.options(this.position).map(({ move, to }) => ({
      move: moveFields(move),
      to: to || null,
      cards: this.cardsOf(move),
      passed: this.passed(move, to),
    }));
  }

  /** How many cards a move brings to the mover, cards still to be dealt included. */
  private cardsOf(move: string): number {
    const { kind } = moveFields(move);
    if (kind !== 'retreat' && kind !== 'push') return 0;
    const after = new Facts(this.engine, this.engine.apply(this.position, move));
    const mover = this.number('TURN') + 1;
    return (
      after.hand(mover).size - this.hand(mover).size + Math.min(after.number('OWED'), after.stock + sum(after.discard))
    );
  }

  /** The fields between a pirate and its target that show the card's sign. */
  private passed(move: string, to: string): string[] {
    const { kind, from, card } = moveFields(move);
    if (kind !== 'advance' || !from || !card) return [];
    const places = this.engine.notation.places(this.position.table);
    const sign = this.word(this.engine.number('SIGN') + this.position.rules.edition.letters.indexOf(card.charAt(0)));
    return places
      .slice(places.indexOf(from) + 1, places.indexOf(to))
      .filter((place) => (sign >> BigInt(places.indexOf(place))) & 1n);
  }

  /** Illegal moves that a person is likely to try; empty where one reason forbids all moves. */
  private refusals(): NearMiss[] {
    if (this.isOver || this.isChance || this.number('DROPPER')) return [];
    return this.attempts().flatMap((move) => {
      const reason = this.engine.reason(this.position, move);
      if (reason === 'legal') return [];
      return [{ move: moveFields(move), reason, message: sentence(this.engine, this.position, move, reason) }];
    });
  }

  /** Every card on every pirate of the mover, every retreat or push, `sail` and `end`. */
  private attempts(): string[] {
    const { nest } = this.position.rules.edition;
    const mover = this.number('TURN');
    const cards = Object.keys(this.hand(mover + 1).cards ?? {});
    const places = (seat: number): string[] => [...new Set(this.pirates[seat] ?? [])];
    const own = places(mover).flatMap((place) => [
      ...cards.map((card) => `${place}:${card}`),
      ...(nest ? [] : [`${place}<`]),
    ]);
    const others = this.pirates.flatMap((_, seat) =>
      seat === mover ? [] : places(seat).map((place) => `${seat + 1}@${place}`),
    );
    return [...own, ...(nest ? [...others, 'sail'] : []), 'end'];
  }

  /** Places that no option or refusal starts from, in the order of the track, by the reason. */
  private elsewhere(): NonNullable<Options['elsewhere']> {
    if (this.isOver || this.isChance) return [];
    const listed = this.starts();
    const found = new Map<string, string[]>();
    const [first = ''] = this.position.rules.edition.letters;
    for (const place of this.engine.notation.places(this.position.table)) {
      if (listed.has(place)) continue;
      const reason = this.engine.reason(this.position, `${place}:${first}`);
      found.set(reason, [...(found.get(reason) ?? []), place]);
    }
    return [...found].map(([reason, places]) => ({ reason, places }));
  }

  private starts(): Set<string> {
    if (this.number('DROPPER')) return new Set();
    const { nest } = this.position.rules.edition;
    const mover = this.number('TURN');
    const idle = nest && this.hand(mover + 1).size === 0;
    return new Set(this.pirates.filter((_, seat) => (seat === mover ? !idle : nest)).flat());
  }
}

const sum = (counts: Counts): number => Object.values(counts).reduce((all, number) => all + number, 0);
