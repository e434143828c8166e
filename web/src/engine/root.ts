/** What trees know of the moves from a view, added up as `Root` of `players/ismcts.py` does. */

/** A move as one tree knows it. */
export interface KnownMove {
  readonly action: number;
  readonly move: string;
  readonly count: number;
  readonly gain: number;
  /** The seat, from 1, that wins for certain after this move, or 0. */
  readonly sure: number;
}

/** What one tree knows of a view; without moves where it has not seen it. */
export interface Known {
  readonly moves: readonly KnownMove[];
  /** What the view brought each seat. */
  readonly total: readonly number[];
  readonly visits: number;
}

/** What the trees know after some moves of the turn; undefined where the turn is over by then. */
export interface After {
  /** The position after the moves. */
  readonly end: string;
  readonly trees: readonly (Known & { readonly number: number })[] | undefined;
}

/** Win chances from what iterations brought each seat; equal ones where that is nothing. */
export function proportion(sums: readonly number[]): number[] {
  const whole = sums.reduce((sum, each) => sum + each, 0);
  return sums.map((each) => (whole > 0 ? each / whole : 1 / sums.length));
}

/** The moves from one view with what all trees know of them, best first. The trees are added up in their order. */
export class Root {
  readonly moves: readonly KnownMove[];
  /** The win chance of each seat. */
  readonly value: readonly number[];

  /** The seat that chooses counts from 0. */
  constructor(
    private readonly seat: number,
    seats: number,
    trees: readonly Known[],
  ) {
    const found = new Map<number, KnownMove>();
    for (const { action, move, count, gain, sure } of trees.flatMap((tree) => tree.moves)) {
      const sum = found.get(action) ?? { count: 0, gain: 0, sure: 0 };
      found.set(action, { action, move, count: sum.count + count, gain: sum.gain + gain, sure: sum.sure || sure });
    }
    this.moves = [...found.values()].sort(
      (a, b) =>
        this.certain(b) - this.certain(a) || b.count - a.count || this.mean(b) - this.mean(a) || a.action - b.action,
    );
    const total = Array.from({ length: seats }, (_, at) => trees.reduce((sum, tree) => sum + (tree.total[at] ?? 0), 0));
    this.value = proportion(total);
  }

  /** The mean value of a move to the seat that chooses. */
  mean({ count, gain, sure }: KnownMove): number {
    return sure ? Number(sure === this.seat + 1) : count ? gain / count : 0;
  }

  /** The win chances after a move: its mean value for its own seat, the rest shared as at the root. */
  after(move: KnownMove): number[] {
    const own = this.mean(move);
    const rest = this.value.reduce((sum, each) => sum + each, 0) - (this.value[this.seat] ?? 0);
    const scale = rest > 0 ? (1 - own) / rest : 0;
    return this.value.map((share, seat) => (seat === this.seat ? own : share * scale));
  }

  /** 1 for a certain win of the seat that chooses, -1 for another's. */
  private certain({ sure }: KnownMove): number {
    return sure ? (sure === this.seat + 1 ? 1 : -1) : 0;
  }
}
