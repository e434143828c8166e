/** A search by the players' level: several trees that know nothing of one another, as in `players/ismcts.py`. */
import { named, numberOf, type Style } from './data.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import { sleep } from './messages.ts';
import type { Position } from './notation.ts';
import { lower32, resultOf, seedOf, type Found, type Limits, type Result } from './result.ts';
import type { After, Known, KnownMove } from './root.ts';

/** Milliseconds between two looks at waiting messages, and between two reports of progress. */
const SLICE = 20;
const PROGRESS = 250;

interface Tree {
  readonly number: number;
  readonly at: number;
  left: number;
}

export class Search {
  private readonly style: Style;
  private readonly trees: readonly Tree[];
  private readonly table: number;
  private readonly root: number;
  private readonly weights: number;
  private readonly settings: number;
  private readonly deadline: number;
  private readonly counted: boolean;
  private readonly seed: bigint;
  private turns = 0;

  /** The seat counts from 0. `trees` are the numbers of the level's trees that are searched here, by default all. */
  constructor(
    private readonly engine: Engine,
    readonly view: Position,
    readonly seat: number,
    level: string,
    limits: Limits,
    trees?: readonly number[],
  ) {
    const { program } = engine;
    const style = named(program.data.styles, level);
    if (!style) throw new EngineError(`There is no searching level ${level.slice(0, 20)}.`);
    this.style = style;
    const { nodes, time } = checked(limits, style);
    this.seed = seedOf(limits);
    this.deadline = time === undefined ? Infinity : performance.now() + time * 1000;
    this.counted = nodes !== undefined;
    this.table = program.put(view.table);
    this.root = program.put(view.words);
    this.weights = program.putWeights(engine.networks.weightsOf(view, style.weights));
    this.settings = program.putNumbers(this.settingsFor(view));
    const room = this.roomFor(nodes, time);
    const left = Math.ceil((nodes ?? 0) / style.trees);
    const numbers = trees ?? Array.from({ length: style.trees }, (_, number) => number);
    this.trees = numbers.map((number) => {
      const at = program.room(program.call.tree_size(room));
      program.call.empty_tree(at, room);
      return { number, at, left };
    });
  }

  /**
   * Begin a search by a level that searches, from the view of the observer in the limits, by default that of the seat that
   * must choose. `trees` are the numbers of the trees that are searched, by default all of the level.
   */
  static from(
    engine: Engine,
    position: Position,
    level: string,
    limits: Limits = {},
    trees?: readonly number[],
  ): Search {
    const seat = limits.observer ?? engine.mover(position);
    return new Search(engine, engine.view(position, seat), seat - 1, level, limits, trees);
  }

  /** Iterations made so far. */
  get nodes(): number {
    return this.trees.reduce((sum, { at }) => sum + this.engine.program.call.iterations(at), 0);
  }

  /** Search a little further in every tree. Returns false when the search is over. */
  step(): boolean {
    this.turns++;
    for (const tree of this.trees) this.grow(tree);
    const isDone = this.trees.every(({ left }) => (this.counted ? left <= 0 : left === -1));
    return !isDone && performance.now() < this.deadline;
  }

  /** Search to the end, with a pause for waiting messages now and then. Yields when it may be told how far the search is. */
  async *slices(isWanted: () => boolean): AsyncGenerator<void> {
    let [slice, told] = [performance.now(), performance.now()];
    while (isWanted() && this.step()) {
      if (performance.now() - slice < SLICE) continue;
      await sleep();
      slice = performance.now();
      if (slice - told < PROGRESS || !isWanted()) continue;
      yield;
      told = performance.now();
    }
  }

  /** What every tree knows of the view. Where the seat is not to choose, no reasons are given. */
  found(): Found {
    const { engine, view } = this;
    const chooser = engine.chooser(view) - 1;
    const seat = chooser < 0 ? this.seat : chooser;
    const own = chooser === this.seat;
    const trees = this.trees.map(({ number, at }) => {
      const iterations = engine.program.call.iterations(at);
      const brought = own ? {} : { total: this.brought(at), visits: iterations };
      return { ...this.known(at, this.root), ...brought, number, iterations };
    });
    const moves = own ? engine.legal(view) : [];
    const why = moves.map((move) => [move, moves.length === 1 ? ['only-move'] : engine.why(view, move)] as const);
    return { seat, seats: view.seats, trees, why: Object.fromEntries(why) };
  }

  /** What all trees know together. */
  result(): Result {
    return resultOf(this.found());
  }

  /** What all iterations brought each seat, whatever was to happen at the root. */
  sums(): number[] {
    const each = this.trees.map(({ at }) => this.brought(at));
    return Array.from({ length: this.view.seats }, (_, seat) => each.reduce((sum, tree) => sum + (tree[seat] ?? 0), 0));
  }

  /** What every tree knows of the position after some moves of the turn. */
  after(moves: readonly string[]): After {
    const { engine, seat } = this;
    const position = moves.reduce((now, move) => engine.apply(now, move), this.view);
    const goesOn = moves.at(-1) !== 'end' && engine.chooser(position) === seat + 1;
    const trees = engine.program.within(() => {
      const words = engine.program.put(position.words);
      return goesOn ? this.trees.map(({ number, at }) => ({ ...this.known(at, words), number })) : undefined;
    });
    return { end: engine.format(position), trees };
  }

  private grow(tree: Tree): void {
    const chunk = this.constant('CHUNK');
    const size = this.counted ? Math.min(chunk, tree.left) : chunk;
    const isLate = tree.number > 0 && performance.now() >= this.deadline;
    if (size <= 0 || tree.left === -1 || isLate) return;
    const seed = lower32(this.seed * 64n + BigInt(tree.number));
    this.engine.program.call.search(this.table, this.weights, this.settings, tree.at, this.root, this.seat, seed, size);
    tree.left -= this.counted ? size : 0;
    if (this.turns % this.constant('SETTLED') === 0 && this.isSettled(tree)) tree.left = -1;
  }

  /** Ask a tree about a view. Read are the number of moves, or -1 for an unknown view, their address, and the sums. */
  private look<T>(tree: number, words: number, read: (size: number, out: number, sums: Float64Array) => T): T {
    const { program } = this.engine;
    const seats = this.engine.number('MAX_SEATS');
    return program.within(() => {
      const [out, sums] = [program.room(4 * this.engine.number('MAX_LEGAL')), program.room(seats + 2)];
      const size = program.call.known(this.table, tree, words, this.seat, out, sums);
      return read(size, out, program.numbers(sums, seats + 2));
    });
  }

  private known(tree: number, words: number): Known {
    const { program } = this.engine;
    const [most, seats] = [this.engine.number('MAX_LEGAL'), this.engine.number('MAX_SEATS')];
    return this.look(tree, words, (size, out, sums) => {
      const [found, gains] = [program.words(out, 4 * most), program.numbers(out + 16 * most, most)];
      const moves = Array.from({ length: Math.max(0, size) }, (_, at): KnownMove => {
        const action = Number(found[at]);
        const move = this.engine.notation.move(this.view, action);
        return {
          action,
          move,
          count: Number(found[most + at]),
          gain: gains[at] ?? 0,
          sure: Number(found[3 * most + at]),
        };
      });
      const total = size < 0 ? [] : [...sums];
      return { moves, total: total.slice(0, this.view.seats), visits: total[seats] ?? 0 };
    });
  }

  /** What all iterations of a tree brought each seat, also where a card is due at its root. */
  private brought(tree: number): number[] {
    const { program } = this.engine;
    return program.within(() => {
      const out = program.room(this.engine.number('MAX_SEATS'));
      program.call.sums(tree, out);
      return [...program.numbers(out, this.view.seats)];
    });
  }

  private isSettled({ at }: Tree): boolean {
    return this.look(at, this.root, (size, _, sums) => size >= 0 && (sums.at(-1) ?? 0) > 0);
  }

  private constant(name: string): number {
    return numberOf(this.engine.program.data.search, name);
  }

  /** The settings of the level, or the captain's where it has no network for the view. */
  private settingsFor(view: Position): readonly number[] {
    const { program, networks } = this.engine;
    const isWithout = this.style.weights === 'network' && !networks.fileFor(view);
    const { open, hidden, many } = ((isWithout && named(program.data.styles, 'captain')) || this.style).settings;
    if (view.seats > 2) return many;
    return view.rules.edition.hidden ? hidden : open;
  }

  private roomFor(nodes: number | undefined, time: number | undefined): number {
    const wanted = nodes ?? Math.floor((time ?? 1) * this.constant('NODES_A_SECOND'));
    const room = Math.floor((this.constant('ROOM_FACTOR') * wanted) / this.style.trees);
    const most = Math.floor(this.constant('MOST_NODES') / this.style.trees);
    return Math.min(most, Math.max(this.constant('LEAST_NODES'), room));
  }
}

/** The limits that hold: those given, or the level's own where neither is. */
function checked(limits: Limits, style: Style): { nodes: number | undefined; time: number | undefined } {
  const own = limits.nodes === undefined && limits.time === undefined;
  const [nodes, time] = own ? [style.nodes, style.time] : [limits.nodes, limits.time];
  for (const each of [nodes, time]) {
    if (each !== undefined && !(each > 0 && Number.isFinite(each)))
      throw new EngineError('A limit is a number above 0.');
  }
  return { nodes, time };
}
