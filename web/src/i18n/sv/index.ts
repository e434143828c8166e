import { en, type Catalogue } from '../en/index.ts';
export const sv: Catalogue = en;
