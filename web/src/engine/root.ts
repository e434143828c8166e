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
      const before = found.get(action);
      found.set(action, {
        action,
        move,
        count: (before?.count ?? 0) + count,
        gain: (before?.gain ?? 0) + gain,
        sure: before?.sure ? before.sure : sure,
      });
    }
    const ranks = new Map([...found.values()].map((each) => [each, this.rank(each)]));
    this.moves = [...ranks.keys()].sort((a, b) => compare(ranks.get(b) ?? [], ranks.get(a) ?? []));
    const total = Array.from({ length: seats }, (_, at) => trees.reduce((sum, tree) => sum + (tree.total[at] ?? 0), 0));
    const whole = total.reduce((sum, each) => sum + each, 0);
    // Nothing at all without visits, or where nothing but deadlocks is left, in which no seat wins.
    this.value = total.map((each) => (whole > 0 ? each / whole : 1 / seats));
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

  private rank(move: KnownMove): number[] {
    const certain = move.sure ? (move.sure === this.seat + 1 ? 1 : -1) : 0;
    return [certain, move.count, this.mean(move), -move.action];
  }
}

/** Compare lists of numbers by their first difference. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, number) => each !== b[number]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
