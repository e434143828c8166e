import { en, type Catalogue } from '../en/index.ts';
export const de: Catalogue = en;
