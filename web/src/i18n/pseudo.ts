/** A made-up language that marks every translated text, so that untranslated text can be seen. */
import type { Catalogue } from './en/index.ts';

const LETTERS: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ø', u: 'û', A: 'Å', E: 'É', O: 'Ö', U: 'Û' };

export function mangle(text: string): string {
  const parts = text.split(/(\{\w+\})/);
  return `⟦${parts.map((part) => (part.startsWith('{') ? part : part.replace(/[aeiouAEOU]/g, (c) => LETTERS[c] ?? c))).join('')}⟧`;
}

export function pseudo(catalogue: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, mangle(text)])) as Catalogue;
}
