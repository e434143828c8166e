/** A search by the players' level: several trees, whose visits are added up as `players/ismcts.py` does. */
import { numberOf, type Style } from './data.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import type { Position } from './notation.ts';

/** The first limit that is reached ends a search; where none is given the level's own limits hold. */
export interface Limits {
  readonly nodes?: number;
  /** Seconds. */
  readonly time?: number;
  readonly seed?: number;
}

export interface Choice {
  readonly move: string;
  readonly visits: number;
  /** The mean value for the seat that chooses, 0 to 1. */
  readonly value: number;
  /** The seat, from 1, that wins for certain after this move, or 0. */
  readonly winner: number;
}

export interface Result {
  readonly move: string;
  /** The win chance of each seat. */
  readonly value: readonly number[];
  readonly nodes: number;
  /** The moves, best first. */
  readonly moves: readonly Choice[];
}

interface Entry {
  count: number;
  gain: number;
  sure: number;
}

export class Search {
  private readonly style: Style;
  private readonly trees: number[];
  private readonly left: number[];
  private readonly table: number;
  private readonly root: number;
  private readonly weights: number;
  private readonly settings: number;
  private readonly deadline: number;
  private readonly counted: boolean;
  private turns = 0;

  constructor(
    private readonly engine: Engine,
    readonly view: Position,
    private readonly seat: number,
    level: string,
    private readonly limits: Limits,
  ) {
    const { program } = engine;
    const style = Object.hasOwn(program.data.styles, level) ? program.data.styles[level] : undefined;
    if (!style) throw new EngineError(`There is no level ${level.slice(0, 20)}.`);
    this.style = style;
    const own = limits.nodes === undefined && limits.time === undefined;
    const nodes = own ? style.nodes : limits.nodes;
    const time = own ? style.time : limits.time;
    for (const each of [nodes, time]) {
      if (each !== undefined && !(each > 0 && Number.isFinite(each))) throw new EngineError('A limit is a number above 0.');
    }
    this.deadline = time === undefined ? Infinity : performance.now() + time * 1000;
    this.counted = nodes !== undefined;
    this.left = Array.from({ length: style.trees }, () => Math.ceil((nodes ?? 0) / style.trees));
    this.table = program.put(view.table);
    this.root = program.put(view.words);
    this.weights = program.putNumbers(this.weightsOf(style.weights));
    this.settings = program.putNumbers(view.seats === 2 ? style.settings['2'] : style.settings.many);
    const room = this.roomFor(nodes, time);
    this.trees = this.left.map(() => {
      const tree = program.room(program.call.tree_size(room));
      program.call.empty_tree(tree, room);
      return tree;
    });
  }

  /** Iterations made so far. */
  get nodes(): number {
    return this.trees.reduce((sum, tree) => sum + this.engine.program.call.iterations(tree), 0);
  }

  /** Search a little further in every tree. Returns false when the search is over. */
  step(): boolean {
    const chunk = this.constant('CHUNK');
    this.turns++;
    this.trees.forEach((tree, number) => {
      const left = this.left[number] ?? 0;
      const size = this.counted ? Math.min(chunk, left) : chunk;
      if (size <= 0 || (number > 0 && performance.now() >= this.deadline)) return;
      const seed = (this.limits.seed ?? 0) * 64 + number;
      this.engine.program.call.search(
        this.table, this.weights, this.settings, tree, this.root, this.seat, seed, size,
      );
      this.left[number] = left - size;
      if (this.turns % this.constant('SETTLED') === 0 && this.isSettled(tree)) this.left[number] = -1;
    });
    const isDone = this.counted ? this.left.every((left) => left <= 0) : this.left.every((left) => left === -1);
    return !isDone && performance.now() < this.deadline;
  }

  /** What all trees know together. */
  result(): Result {
    const found = new Map<number, Entry>();
    const total = Array<number>(this.view.seats).fill(0);
    for (const tree of this.trees) this.add(tree, found, total);
    const rank = ([action, { count, gain, sure }]: [number, Entry]): number[] => [
      sure ? (sure === this.seat + 1 ? 1 : -1) : 0, count, this.mean(count, gain, sure), -action,
    ];
    const ranked = [...found].sort((a, b) => compare(rank(b), rank(a)));
    const moves = ranked.map(([action, { count, gain, sure }]) => ({
      move: this.engine.notation.move(this.view, action),
      visits: count,
      value: this.mean(count, gain, sure),
      winner: sure,
    }));
    const whole = total.reduce((sum, each) => sum + each, 0) || 1;
    return { move: moves[0]?.move ?? '', value: total.map((each) => each / whole), nodes: this.nodes, moves };
  }

  private mean(count: number, gain: number, sure: number): number {
    return sure ? Number(sure === this.seat + 1) : count ? gain / count : 0;
  }

  private add(tree: number, found: Map<number, Entry>, total: number[]): void {
    const { program } = this.engine;
    const most = this.engine.number('MAX_LEGAL');
    program.within(() => {
      const [out, sums] = [program.room(4 * most), program.room(8)];
      const size = program.call.known(this.table, tree, this.root, this.seat, out, sums);
      const [words, gains] = [program.words(out, 4 * most), program.numbers(out + 16 * most, most)];
      for (let number = 0; number < size; number++) {
        const action = Number(words[number]);
        const entry = found.get(action) ?? { count: 0, gain: 0, sure: 0 };
        entry.count += Number(words[most + number]);
        entry.gain += gains[number] ?? 0;
        entry.sure ||= Number(words[3 * most + number]);
        found.set(action, entry);
      }
      if (size >= 0) program.numbers(sums, total.length).forEach((each, seat) => (total[seat] = (total[seat] ?? 0) + each));
    });
  }

  private isSettled(tree: number): boolean {
    const { program } = this.engine;
    return program.within(() => {
      const [out, sums] = [program.room(4 * this.engine.number('MAX_LEGAL')), program.room(8)];
      const size = program.call.known(this.table, tree, this.root, this.seat, out, sums);
      return size >= 0 && (program.numbers(sums, 8)[this.engine.number('MAX_SEATS') + 1] ?? 0) > 0;
    });
  }

  private constant(name: string): number {
    return numberOf(this.engine.program.data.search, name);
  }

  private weightsOf(kind: string): readonly number[] {
    const { weights } = this.engine.program.data;
    const { game } = this.view.rules.edition;
    const found = kind === 'hand' ? weights.hand[game] : weights.tuned[`${game}-${this.view.seats === 2 ? '2' : 'many'}`];
    if (!found) throw new EngineError(`There are no weights for ${game}.`);
    return found;
  }

  private roomFor(nodes: number | undefined, time: number | undefined): number {
    const wanted = nodes ?? Math.floor((time ?? 1) * this.constant('NODES_A_SECOND'));
    const room = Math.floor((this.constant('ROOM_FACTOR') * wanted) / this.style.trees);
    return Math.min(this.constant('MOST_NODES'), Math.max(this.constant('LEAST_NODES'), room));
  }
}

/** Compare lists of numbers by their first difference. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, number) => each !== b[number]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
