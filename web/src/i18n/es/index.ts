/** Spanish. */
import type { Catalogue } from '../en/index.ts';
import { common } from './common.ts';
import { offline } from './offline.ts';
import { people } from './people.ts';
import { replay } from './replay.ts';
import { table } from './table.ts';

export const es: Catalogue = { ...common, ...table, ...replay, ...people, ...offline };
