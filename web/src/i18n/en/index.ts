/** English: the catalogue that the others are compared with. */
import type { words as coach } from './coach.ts';
import { common } from './common.ts';
import { learn } from './learn.ts';
import { offline } from './offline.ts';
import { people } from './people.ts';
import type { words as puzzles } from './puzzles.ts';
import { replay } from './replay.ts';
import type { words as review } from './review.ts';
import { table } from './table.ts';

export const en = { ...common, ...table, ...replay, ...learn, ...people, ...offline };
export type Catalogue = Readonly<Record<keyof typeof en, string>>;

/** Words that are fetched with the screens that need them. */
interface Parts {
  readonly coach: typeof coach;
  readonly puzzles: typeof puzzles;
  readonly review: typeof review;
}
export type Part = keyof Parts;
export type Words<P extends Part> = Readonly<Record<keyof Parts[P], string>>;
export type Key = keyof typeof en | { [P in Part]: keyof Parts[P] }[Part];
