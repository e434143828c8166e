/** Events: the stored truth about a table in this browser. Their order and fields are those of the server's events. */
import type { Edition } from '../engine/index.ts';
import type { Snapshot } from '../net/wire.ts';

export type Setup = Snapshot['setup'];

type Acted = { readonly seat: number; readonly ms: number };

export type LocalEvent = { readonly at: number } & (
  | { readonly kind: 'salt'; readonly chairs: readonly number[]; readonly salt: string }
  | { readonly kind: 'deal'; readonly opening: string; readonly order: readonly number[] }
  | ({ readonly kind: 'move'; readonly move: string; readonly cards: readonly string[] } & Acted)
  | ({ readonly kind: 'undo' } & Acted)
  | ({ readonly kind: 'away'; readonly why: 'left' | 'time'; readonly level: string } & Acted)
  | ({ readonly kind: 'back' } & Acted)
  | ({ readonly kind: 'resign'; readonly level: string | null } & Acted)
  | { readonly kind: 'talk'; readonly seat: number; readonly text: string }
  | { readonly kind: 'standin'; readonly seat: number; readonly level: string }
  | { readonly kind: 'next'; readonly table: string }
);

/** The chairs of a kind, from 1. */
export const chairsOf = (
  chairs: readonly { readonly kind: string }[],
  kind: 'person' | 'here' | 'computer',
): number[] => chairs.flatMap((chair, index) => (chair.kind === kind ? [index + 1] : []));

/** An event without its time. */
export type Happening = LocalEvent extends infer Each ? (Each extends LocalEvent ? Omit<Each, 'at'> : never) : never;

/** The names of the kinds on the wire. */
export const SHOWN_AS = {
  salt: 'salt',
  deal: 'deal',
  move: 'move',
  undo: 'undo',
  away: 'left',
  back: 'back',
  resign: 'resigned',
  talk: 'talk',
  standin: 'standin',
  next: 'next',
} as const;

/** The kinds after which the game is another one, so that a move that did not see the event is stale. */
export const CHANGES_GAME: readonly LocalEvent['kind'][] = ['deal', 'move', 'undo', 'resign'];

/** The kinds that a seat causes by choosing or leaving, which only a game under way has. */
export const ACTED: readonly LocalEvent['kind'][] = ['move', 'undo', 'away', 'back', 'resign'];

/** Rules of one's own, as a server has checked them. */
export interface OwnRules {
  readonly text: string;
  readonly edition: Edition;
}

/** A table as it is stored. */
export interface StoredTable {
  /** The form of this object. */
  readonly form: 1;
  readonly id: string;
  readonly created: number;
  readonly setup: Setup;
  readonly secret: string;
  /** For a variant: the tag of its record, and its rules as numbers. */
  readonly variant?: OwnRules;
  readonly events: readonly LocalEvent[];
  /** For lists, so that they need not replay the game. */
  readonly changed: number;
  readonly over: boolean;
}
