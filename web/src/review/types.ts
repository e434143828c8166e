/** A review as plain data, in the form that `cartagena review --json` writes. Win chances are from 0 to 1. */
import type { Schemas } from '../net/wire.ts';

/** One choice of a seat, as the judge sees it from that seat's view. */
export type Decision = Schemas['ReviewDecision'];
export type Kind = Decision['kind'];
/** One dealt card, and what it changed against the mean of all cards that could have come. */
export type Draw = Schemas['ReviewDraw'];
/** The game of one seat: opening + luck + decisions + ending = result - an equal share for each seat. */
export type SeatReview = Schemas['ReviewSeat'];
/** What follows from the cards and moves of a game, without the judge. */
export type SeatSplit = Omit<SeatReview, 'name' | 'accuracy' | 'lost' | 'kinds'>;

/** A number for each seat. */
export type Values = readonly number[];

/** A record as a sum for each seat. */
export interface Split {
  readonly seats: readonly SeatSplit[];
  readonly draws: readonly Draw[];
  /** What each decision changed, by the number of its move. */
  readonly choices: Readonly<Record<number, Values>>;
  /** The value of every position of the record. */
  readonly course: readonly Values[];
}
