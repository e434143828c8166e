/** What a position shows and what a seat can choose from, as the server tells it. All of it is told by the engine. */
import type { Engine, Position } from '../engine/index.ts';
import type { Facts as Told, Pile, ToldTurn } from '../engine/facts.ts';
import type { Option, Options, PositionJson } from '../net/wire.ts';
import { sentence } from '../engine/sentences.ts';
import { moveFields, moveText } from './notation.ts';

type Counts = Record<string, number>;

export class Facts {
  private told: Told<ToldTurn> | undefined;

  constructor(
    private readonly engine: Engine,
    readonly position: Position,
  ) {}

  private get facts(): Told<ToldTurn> {
    this.told ??= this.engine.notation.facts(this.position);
    return this.told;
  }

  get turn(): ToldTurn {
    return this.facts.turn;
  }

  get isOver(): boolean {
    return this.turn.winner >= 0;
  }

  /** The seat that must choose, from 1; 0 where none must. */
  get chooser(): number {
    return this.turn.chooser;
  }

  get isChance(): boolean {
    return !this.isOver && this.chooser === 0;
  }

  /** The seat whose turn it is; 0 when the game is over. */
  get active(): number {
    return this.turn.active;
  }

  /** The seat that has won; 0 after a deadlock. */
  get winner(): number {
    return Math.max(0, this.turn.winner);
  }

  private counts(pile: Pile): Counts {
    return this.engine.notation.counts(this.position.rules.edition, pile);
  }

  private hands(): { size: number; cards: Counts | null }[] {
    return this.facts.hands.map((pile) => ({ size: sizeOf(pile), cards: pile.hidden ? null : this.counts(pile) }));
  }

  hand(seat: number): { size: number; cards: Counts | null } {
    return this.hands()[seat - 1] ?? { size: 0, cards: {} };
  }

  /** The open row, the next card first; null in games without one. */
  get row(): string[] | null {
    const { row, letters } = this.position.rules.edition;
    return row ? this.facts.row.map((card) => letters.charAt(card)) : null;
  }

  json(): PositionJson {
    const { position, facts } = this;
    const { rules, board } = position;
    const { active: seat, winner: _winner, captain, dropper, limit, sloop, ...turn } = this.turn;
    const places = this.engine.notation.places(position.table);
    return {
      rules: rules.name,
      game: rules.edition.game,
      islands: board.split('|').map((island) => island.split('/')),
      pirates: facts.pirates.map((seat) => seat.map((place) => places[place] ?? '')),
      hands: this.hands(),
      row: this.row,
      stock: sizeOf(facts.stock),
      discard: { size: sizeOf(facts.discard), cards: this.counts(facts.discard) },
      sloop: sloop || null,
      turn: { seat, ...turn, captain: captain !== 0, dropper: dropper || null, limit: limit || null },
    };
  }

  /** The legal move with this text. */
  option(move: string): Option | undefined {
    return this.options().legal.find((each) => moveText(each.move) === move);
  }

  options(): Options {
    const { legal, illegal, elsewhere } = this.engine.choices(this.position);
    return {
      legal: legal.map((each) => ({ ...each, move: moveFields(each.move), to: each.to || null })),
      illegal: illegal.map(({ move, reason }) => ({
        move: moveFields(move),
        reason,
        message: sentence(this.engine.program, this.position, move, reason),
      })),
      elsewhere: [...elsewhere].map(([reason, places]) => ({ reason, places: [...places] })),
    };
  }
}

/** Reasons that say little about a whole turn. */
const EMPTY = ['best-value', 'only-move', 'saves-actions'];

/** A turn as it is shown: its moves, codes of the reasons for them (the first of each), and the position it leads to. */
export interface ShownTurn {
  readonly options: readonly Option[];
  readonly why: readonly string[];
  readonly end: string;
}

export function turnOf(engine: Engine, view: string, moves: readonly string[]): ShownTurn {
  let position = engine.parse(view);
  const options: Option[] = [];
  const codes = new Set<string>();
  for (const move of moves) {
    const option = new Facts(engine, position).option(move);
    if (option) options.push(option);
    codes.add(engine.why(position, move)[0] ?? '');
    position = engine.apply(position, move);
  }
  return { options, why: [...codes].filter((code) => !EMPTY.includes(code)), end: engine.format(position) };
}

/** A move with the cards dealt after it, and the positions before and after them. */
export interface Step {
  readonly before: Position;
  readonly move: string;
  readonly cards: readonly string[];
  readonly after: Position;
}

/** Where a move led, how many cards its seat drew with the cards dealt after it, and in games with an open row which. */
export interface Gain {
  readonly to: string;
  readonly draws: number;
  readonly drawn: string[] | null;
}

export function gainOf(engine: Engine, { before, move, cards, after }: Step): Gain {
  const first = new Facts(engine, before);
  const size = (facts: Facts): number => facts.hand(first.chooser).size;
  const draws = Math.max(0, size(new Facts(engine, after)) - size(first));
  // An empty row is laid out anew, so the cards dealt follow those that lay there.
  const drawn = first.row && [...first.row, ...cards].slice(0, draws);
  return { to: engine.landing(before, move), draws, drawn };
}

/** A move as it is told, with the cards dealt after it as they are seen: `?` is hidden. */
export const toldMove = (
  { seat, move, to, draws, drawn, turn }: Gain & { seat: number; turn: number; move: string },
  seen: readonly string[],
) => {
  const cards = seen.map((card) => `+${card}`);
  return { seat, move: moveFields(move), to: to || null, cards, draws, ...(drawn && { drawn: [...drawn] }), turn };
};

const sizeOf = ({ hidden, cards }: Pile): number => cards.reduce((sum, number) => sum + number, hidden);
