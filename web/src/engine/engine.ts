/** The rules, as objects: positions in our notation in and out. Every rule is asked of the kernel in WebAssembly. */
import { numberOf, type EngineData } from './data.ts';
import { EngineError, IllegalMove } from './errors.ts';
import { Program } from './module.ts';
import { Networks } from './networks.ts';
import { Notation, type Position } from './notation.ts';
import { sentence } from './sentences.ts';

/** A legal move. */
export interface Option {
  readonly move: string;
  /** The place where its pirate ends, or an empty text. */
  readonly to: string;
  /** How many cards it brings, cards still to be dealt included. */
  readonly cards: number;
  /** The fields that show the sign of the played card and are leapt over. */
  readonly passed: string[];
}

/** A move, or a place to move from, that is not legal, and the code of the reason. */
export interface Refusal {
  readonly move: string;
  readonly reason: string;
}

/** All that a board shows of the choices in a position. */
export interface Choices {
  readonly legal: readonly Option[];
  /** Illegal moves that a person is likely to try. */
  readonly illegal: readonly Refusal[];
  /** The other places, in the order of the track, by the reason why no move starts there. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
}

export class Engine {
  readonly notation: Notation;
  /** The networks of the strongest level; one must be added before it is asked for. */
  readonly networks: Networks;

  private constructor(readonly program: Program) {
    this.notation = new Notation(program);
    this.networks = new Networks(program.data);
  }

  static async load(code: BufferSource | WebAssembly.Module, data: EngineData): Promise<Engine> {
    return new Engine(await Program.load(code, data));
  }

  parse(text: string): Position {
    return this.notation.parse(text);
  }

  format(position: Position): string {
    return this.notation.format(position);
  }

  /** The seat that must choose, from 1; 0 where a card is to be dealt or the game is over. */
  chooser(position: Position): number {
    return this.ask(position, (_, state) => this.program.call.chooser(state)) + 1;
  }

  /** The seat that has won, 0 after a deadlock, or undefined while the game goes on. */
  winner(position: Position): number | undefined {
    const { winner } = this.notation.facts(position).turn;
    return winner < 0 ? undefined : winner;
  }

  /** The legal moves in the kernel's order. Where a card is due, these are the cards that can come. */
  legal(position: Position): string[] {
    return this.actions(position).map((action) => this.notation.move(position, action));
  }

  /** The choices of the seat that must choose. */
  choices(position: Position): Choices {
    const { notation, program } = this;
    const size = program.data.facts.choices;
    const found = this.ask(position, (table, state) => {
      const out = program.room(size);
      program.call.options(table, state, out);
      return program.words(out, size).slice();
    });
    const places = notation.places(position.table);
    const at = (index: number): number => Number(found[index] ?? 0n);
    const many = <T>(number: number, make: (index: number) => T): T[] =>
      Array.from({ length: number }, (_, each) => make(each));
    const [legal, misses] = [at(0), at(1)];
    const [illegal, rest] = [2 + 4 * legal, 2 + 4 * legal + 2 * misses];
    const move = (index: number): string => notation.move(position, at(index));
    const reason = (index: number): string => program.data.reasons[at(index)] ?? '';
    const elsewhere = new Map<string, string[]>();
    places.forEach((place, index) => {
      if (at(rest + index))
        elsewhere.set(reason(rest + index), [...(elsewhere.get(reason(rest + index)) ?? []), place]);
    });
    return {
      legal: many(legal, (each) => ({
        move: move(2 + 4 * each),
        to: places[at(3 + 4 * each)] ?? '',
        cards: at(4 + 4 * each),
        passed: places.filter((_, place) => ((found[5 + 4 * each] ?? 0n) >> BigInt(place)) & 1n),
      })),
      illegal: many(misses, (each) => ({ move: move(illegal + each), reason: reason(illegal + misses + each) })),
      elsewhere,
    };
  }

  /** The legal moves with what a board shows of them. */
  options(position: Position): readonly Option[] {
    return this.choices(position).legal;
  }

  /** The place where the pirate of a move ends, also for a card that the position hides; an empty text for no pirate. */
  landing(position: Position, move: string): string {
    const action = this.notation.action(position, move);
    const place = this.ask(position, (table, state) => this.program.call.destination(table, state, action));
    return this.notation.places(position.table)[place] ?? '';
  }

  /** Why a move with the cards dealt after it, and those before it, cannot be taken back; an empty text where it can. */
  undoWall(before: Position, move: string, after: Position, dealt: number): string {
    const { program } = this;
    const action = this.notation.action(before, move);
    const found = program.within(() =>
      program.call.undo_wall(program.put(before.words), program.put(after.words), action, dealt),
    );
    return program.data.walls[found] ?? '';
  }

  /** `legal`, or the code of the first reason that forbids the move. */
  reason(position: Position, move: string): string {
    const action = this.notation.action(position, move);
    const found = this.ask(position, (table, state) => this.program.call.reason(table, state, action));
    return this.program.data.reasons[found] ?? 'not-in-this-game';
  }

  /** The position after a legal move. */
  apply(position: Position, move: string): Position {
    const code = this.reason(position, move);
    if (code !== 'legal') throw new IllegalMove(sentence(this.program, position, move, code), code);
    return this.changed(position, 'step', this.notation.action(position, move));
  }

  /**
   * The position after a legal move that was not the last of its game. Games that are older than the ruling on becalmed
   * positions went on there; a new move is refused by `apply`.
   */
  applyOn(position: Position, move: string): Position {
    const after = this.apply(position, move);
    return move === 'end' && after.words[this.number('OVER')] ? this.changed(position, 'pass_turn') : after;
  }

  /** Whether in the nest nothing but sailing is left: no seat has a card, and no pirate could be pushed. */
  isBecalmed(position: Position): boolean {
    return this.ask(position, (table, state) => this.program.call.becalmed(table, state)) !== 0;
  }

  /** What a seat, from 1, may know; seat 0 is a spectator. */
  view(position: Position, seat: number): Position {
    const { program } = this;
    const words = this.ask(position, (table, state) => {
      program.call.view(table, state, seat - 1, state);
      return program.words(state, position.words.length).slice();
    });
    return { ...position, words };
  }

  /** How many of each card could be dealt now, in writing order. */
  chances(position: Position): Record<string, number> {
    const weigh = (table: number, state: number): [string, number][] =>
      position.rules.edition.faces.map(([text, card]) => [text, this.program.call.weight(table, state, card)]);
    return Object.fromEntries(this.ask(position, weigh).filter(([, number]) => number > 0));
  }

  /** Codes of the reasons for a legal move, the most important first. */
  why(position: Position, move: string): string[] {
    const { program } = this;
    const action = this.notation.action(position, move);
    const bits = this.ask(position, (table, state) => {
      const [after, numbers] = [
        program.room(position.words.length),
        program.room(numberOf(program.data.search, 'WHY_ROOM')),
      ];
      return program.call.why(table, state, action, after, numbers);
    });
    const found = program.data.why.filter((_, bit) => (bits >> bit) & 1);
    return found.length ? found : ['best-value'];
  }

  /** The number of the data's layout with that name. */
  number(name: string): number {
    return numberOf(this.program.data.layout, name);
  }

  actions(position: Position): number[] {
    const { program } = this;
    return this.ask(position, (table, state) => {
      const out = program.room(this.number('MAX_LEGAL'));
      const size = program.call.legal(table, state, out);
      return [...program.words(out, size)].map(Number);
    });
  }

  /** The position as a function of the kernel changes its words. */
  private changed(position: Position, name: 'step' | 'pass_turn', ...given: number[]): Position {
    const { program } = this;
    const words = this.ask(position, (table, state) => {
      program.call[name](table, state, ...given);
      return program.words(state, position.words.length).slice();
    });
    return { ...position, words };
  }

  /** The seat that must choose, from 1. Throws where there is none. */
  mover(position: Position): number {
    const seat = this.chooser(position);
    if (!seat) throw new EngineError('There is nothing to choose in this position.');
    return seat;
  }

  /** Ask the kernel about a position; the memory is free again afterwards. */
  ask<T>(position: Position, question: (table: number, state: number) => T): T {
    const { program } = this;
    return program.within(() => question(program.put(position.table), program.put(position.words)));
  }
}
