/** The rules, as objects: positions in our notation in and out. Every rule is asked of the kernel in WebAssembly. */
import { numberOf, type EngineData } from './data.ts';
import { EngineError, IllegalMove } from './errors.ts';
import { Program } from './module.ts';
import { Networks } from './networks.ts';
import { Notation, type Position } from './notation.ts';

/** A legal move, and the place where its pirate ends (or an empty text). */
export interface Option {
  readonly move: string;
  readonly to: string;
}

/** Words of a deal plan. All of them are 0 for a game that starts from a position. */
const PLAN = 3;

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

  /** The legal moves in the kernel's order. Where a card is due, these are the cards that can come. */
  legal(position: Position): string[] {
    return this.actions(position).map((action) => this.notation.move(position, action));
  }

  /** The legal moves with the places where their pirates end. */
  options(position: Position): Option[] {
    return this.actions(position).map((action) => ({
      move: this.notation.move(position, action),
      to: this.target(position, action),
    }));
  }

  /** The place where the pirate of a move ends, also for a card that the position hides; an empty text for no pirate. */
  landing(position: Position, move: string): string {
    return this.target(position, this.notation.action(position, move));
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
    if (code !== 'legal') throw new IllegalMove(`${move.slice(0, 20)} is not legal: ${code}`, code);
    return this.stepped(position, this.notation.action(position, move));
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
    const cards = this.notation.cards(position.rules.edition);
    const weigh = (table: number, state: number): [string, number][] =>
      cards.map(([text, card]) => [text, this.program.call.weight(table, state, card)]);
    return Object.fromEntries(this.ask(position, weigh).filter(([, number]) => number > 0));
  }

  /** The position after a card that may be dealt. The hand that it goes to may be hidden. */
  dealt(position: Position, card: string): Position {
    return this.stepped(position, this.notation.action(position, `+${card}`));
  }

  /** How many cards of a seat's hand, from 1, the position hides. */
  hidden({ words }: Position, seat: number): number {
    return Number(((words[this.number('HIDDEN')] ?? 0n) >> BigInt((seat - 1) * this.number('HIDDEN_BITS'))) & 0xffn);
  }

  /** Complete a view: positions with the hidden cards dealt, the same ones as `Position.deals` in Python with seed 0. */
  deals(view: Position, number: number): Position[] {
    const { program } = this;
    const size = view.words.length;
    return Array.from({ length: number }, (_, game) => {
      const words = this.ask(view, (table, state) => {
        const [plan, out, key] = [program.room(PLAN), program.room(size), program.room(1)];
        program.call.opening(table, plan, state, out, 0, game, key);
        return program.words(out, size).slice();
      });
      return { ...view, words };
    });
  }

  /** The number of move sequences of a length. */
  perft(position: Position, depth: number): number {
    if (depth < 1) return 1;
    const level = position.words.length + this.number('MAX_LEGAL') + 2;
    const { program } = this;
    return program.within(() => {
      const [table, stack] = [program.put(position.table), program.room(depth * level)];
      program.words(stack, position.words.length).set(position.words);
      return program.call.perft(table, stack, depth);
    });
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

  private stepped(position: Position, action: number): Position {
    return this.changed(position, 'step', action);
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

  /** The place where one more pirate of a seat stands after a move. */
  private target(position: Position, action: number): string {
    if (action >= this.number('SAIL')) return '';
    const after = this.stepped(position, action);
    const places = this.notation.places(position.table);
    for (let seat = 0; seat < position.seats; seat++) {
      const before = this.notation.pirates(position, seat);
      const found = this.notation.pirates(after, seat).findIndex((number, place) => number > (before[place] ?? 0));
      if (found >= 0) return places[found] ?? '';
    }
    return '';
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
