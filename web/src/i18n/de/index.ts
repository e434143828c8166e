/** German. */
import type { Catalogue } from '../en/index.ts';
import { common } from './common.ts';
import { offline } from './offline.ts';
import { people } from './people.ts';
import { replay } from './replay.ts';
import { table } from './table.ts';

export const catalogue: Catalogue = { ...common, ...table, ...replay, ...people, ...offline };

/** Words that are fetched with the screens that need them, by file. */
export const parts = import.meta.glob<Readonly<Record<string, string>>>(
  './{coach,learn,post,puzzles,review,variant}.ts',
  {
    import: 'words',
  },
);
