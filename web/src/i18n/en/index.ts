/** English: the catalogue that the others are held against. */
import { common } from './common.ts';
import { learn } from './learn.ts';
import { offline } from './offline.ts';
import { people } from './people.ts';
import { replay } from './replay.ts';
import { table } from './table.ts';

export const en = { ...common, ...table, ...replay, ...learn, ...people, ...offline };
export type Key = keyof typeof en;
export type Catalogue = Readonly<Record<Key, string>>;
