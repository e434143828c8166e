import { expect, test, vi } from 'vitest';
import { de } from '../src/i18n/de/index.ts';
import { en } from '../src/i18n/en/index.ts';
import { nl } from '../src/i18n/nl/index.ts';
import { speech, t } from '../src/i18n/i18n.svelte.ts';
import { mangle } from '../src/i18n/pseudo.ts';
import { sv } from '../src/i18n/sv/index.ts';

const OTHERS: Record<string, Record<string, string>> = { de, nl, sv };
const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map((match) => match[0]).sort();

test.each(Object.keys(OTHERS))('%s has every key, nothing more, and no hole of its own', (language) => {
  const other = OTHERS[language] ?? {};
  expect(Object.keys(other).sort()).toEqual(Object.keys(en).sort());
  for (const [key, text] of Object.entries(en)) {
    const theirs = holes(other[key] ?? '');
    expect(theirs.every((hole) => holes(text).includes(hole) || hole === '{owner}' || hole === '{mover}'), key).toBe(true);
    expect(other[key], key).not.toBe('');
  }
});

test.each(Object.keys(OTHERS))('%s is translated, not copied', (language) => {
  const other = OTHERS[language] ?? {};
  const same = Object.entries(en).filter(([key, text]) => other[key] === text && text.split(' ').length > 3);
  expect(same).toEqual([]);
});

test('the pseudo-language marks text and keeps its holes', () => {
  expect(mangle('Draws {cards}.')).toBe('⟦Dráws {cards}.⟧');
});

test('of two languages chosen quickly the later one is spoken, whichever comes first', async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await Promise.all([speech.choose('de'), speech.choose('en')]);
  expect([speech.code, t('again')]).toEqual(['en', en.again]);
  await Promise.all([speech.choose('en'), speech.choose('sv')]);
  expect([speech.code, t('again')]).toEqual(['sv', sv.again]);
});
