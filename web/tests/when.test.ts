import { afterEach, expect, test, vi } from 'vitest';
import { format, parse } from '../src/i18n/message.ts';
import { ago, calendarDay, dayCount, leftWords } from '../src/i18n/when.ts';

const POST = import.meta.glob<Record<string, string>>('../src/i18n/*/post.ts', { import: 'words', eager: true });
const LANGUAGES = Object.entries(POST).map(([path, words]) => [path.split('/').at(-2) ?? '', words] as const);

test.each(LANGUAGES)('in %s the days that are left have the word of the days that are chosen', (language, words) => {
  for (const n of [1, 2, 14])
    expect(dayCount(n, language).replace('\u00a0', ' ')).toBe(format(parse(words['time.n'] ?? ''), { n }, language));
});

test('a game is told by the days, hours or minutes since it was played, or now', () => {
  const told = [0, 59_000, 120_000, 7_200_000, 172_800_000].map((passed) => ago(1e12 - passed, 'en', 1e12));
  expect(told).toEqual(['now', 'now', '2 minutes ago', '2 hours ago', '2 days ago']);
});

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['en-GB', '16 November', '09/09/2001'],
  ['en-US', 'November 16', '9/9/2001'],
])('a reader whose browser speaks %s reads dates as they are written there', (tag, day, long) => {
  vi.stubGlobal('navigator', { languages: ['fr', tag] });
  expect([calendarDay('2026-11-16', 'en'), ago(1e12, 'en', 2e12)]).toEqual([day, long]);
  expect(calendarDay('2026-11-16', 'de')).toBe('16. November'); // a language of no country that is named
});

test('time that is left is told to the nearest day, then to the nearest hour, then counted down', () => {
  const hours = [71.99, 60, 59.9, 47.9, 47.4, 23.99, 1.6, 1, 0.999, 0];
  expect(hours.map((n) => leftWords(n * 3_600_000, 'en'))).toEqual(
    ['3 days', '3 days', '2 days', '2 days', '47 hours', '24 hours', '2 hours', '1 hour', '59:57', '0:00'], // prettier-ignore
  );
});
