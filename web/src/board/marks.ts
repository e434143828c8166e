/** What the board is told to show and what it tells back. It knows no rule. */
import type { Place } from '../game/position.ts';

export interface Mark {
  readonly place: Place;
  /** source: somebody here can be picked; target: somebody can go here; chosen: picked now; ask: tells why not; last, hint: look. */
  readonly kind: 'source' | 'target' | 'chosen' | 'ask' | 'last' | 'hint';
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
}
