/** A review as plain data, in the form that `cartagena review --json` writes. Win chances are from 0 to 1. */
export type Kind = 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';

/** A number for each seat. */
export type Values = readonly number[];

/** A whole turn up to the first dealt card, with the win chances after it. */
export interface Turn {
  readonly moves: string;
  readonly value: Values;
  readonly visits: number;
}

/** One choice of a seat, as the judge sees it from that seat's view. */
export interface Decision {
  /** The number of the move in the record, from 1. */
  readonly number: number;
  readonly seat: number;
  readonly move: string;
  readonly best: string;
  readonly before: Values;
  readonly after: Values;
  /** The win chance that the mover lost against the best move. */
  readonly cost: number;
  readonly kind: Kind;
  readonly turns: readonly Turn[];
  readonly why: readonly string[];
  readonly forced: boolean;
}

/** One dealt card, and what it changed against the mean of all cards that could have come. */
export interface Draw {
  readonly number: number;
  readonly seat: number;
  readonly move: string;
  readonly luck: Values;
}

/** A record as a sum: opening + all draws + all choices + ending = result - an equal share for each seat. */
export interface Split {
  readonly opening: Values;
  readonly draws: readonly Draw[];
  /** What each decision changed, by the number of its move. */
  readonly choices: Readonly<Record<number, Values>>;
  readonly ending: Values;
  /** The value of every position of the record. */
  readonly course: readonly Values[];
  readonly result: Values;
}

export interface SeatReview {
  readonly seat: number;
  readonly name: string;
  readonly accuracy: number;
  readonly lost: number;
  readonly kinds: Readonly<Record<Kind, number>>;
  readonly opening: number;
  readonly luck: number;
  readonly decisions: number;
  readonly ending: number;
  readonly result: number;
  readonly turning_point: { readonly number: number; readonly change: number } | null;
}
