/** Marks and trails that the board shows. It knows no rule. */
import type { Place } from '../game/position.ts';

export interface Mark {
  readonly place: Place;
  /**
   * source: can be picked; target: can be reached; chosen: picked now; choice: one of several pirates that could be meant;
   * ask: says why not; last, hint: highlighted.
   */
  readonly kind: 'source' | 'target' | 'chosen' | 'choice' | 'ask' | 'last' | 'hint';
  /** The seats whose pirates there are meant; nothing: the place itself. */
  readonly crews?: readonly number[] | undefined;
  /** Read to a screen reader and shown as a tooltip. */
  readonly label: string;
  /** A short badge: `+2` for cards that a move brings. */
  readonly badge?: string | undefined;
  /** Sign letters of the cards that lead here. */
  readonly cards?: readonly string[] | undefined;
}

export interface Trail {
  readonly from: Place;
  readonly to: Place;
  readonly kind: 'preview' | 'last' | 'hint';
  /** The seat whose pirate goes this way. */
  readonly crew?: number | undefined;
  /** With a move that was made: the seat that made it. */
  readonly seat?: number | undefined;
  /** The card that was played. */
  readonly played?: string | undefined;
  /** The cards that were drawn; `?` where they are hidden. */
  readonly drawn?: readonly string[] | undefined;
}
