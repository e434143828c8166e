/** English: the catalogue that the others are compared with. */
import type { Given } from '../message.ts';
import type { words as coach } from './coach.ts';
import { common } from './common.ts';
import type { words as learn } from './learn.ts';
import { offline } from './offline.ts';
import { people } from './people.ts';
import type { words as post } from './post.ts';
import type { words as puzzles } from './puzzles.ts';
import { replay } from './replay.ts';
import type { words as review } from './review.ts';
import { table } from './table.ts';
import type { words as variant } from './variant.ts';

export const en = { ...common, ...table, ...replay, ...people, ...offline };
export type Catalogue = Readonly<Record<keyof typeof en, string>>;

/** Words that are fetched with the screens that need them, by file. */
export const parts = import.meta.glob<Readonly<Record<string, string>>>(
  './{coach,learn,post,puzzles,review,variant}.ts',
  {
    import: 'words',
  },
);

interface Parts {
  readonly coach: typeof coach;
  readonly learn: typeof learn;
  readonly post: typeof post;
  readonly puzzles: typeof puzzles;
  readonly review: typeof review;
  readonly variant: typeof variant;
}
export type Part = keyof Parts;
export type Words<P extends Part> = Readonly<Record<keyof Parts[P], string>>;
/** The English message of each key; its places are the parameters of the key. */
export type Texts = typeof en &
  Parts['coach'] &
  Parts['learn'] &
  Parts['post'] &
  Parts['puzzles'] &
  Parts['review'] &
  Parts['variant'];
export type Key = keyof typeof en | { [P in Part]: keyof Parts[P] }[Part];
/** The keys of a group: `level.captain` is one of `level`. */
export type KeyIn<Group extends string> = Extract<Key, `${Group}.${string}`>;
/** The keys of messages without places. */
export type PlainKey = { [K in Key]: Given<Texts[K]> extends [] ? K : never }[Key];
