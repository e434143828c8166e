import { en, type Catalogue } from '../en/index.ts';
export const nl: Catalogue = en;
