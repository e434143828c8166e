/** The title of each page, as tabs, bookmarks and screen readers tell it. */
import type { Route } from '../app/router.svelte.ts';
import { keyFor, speech, t } from '../i18n/i18n.svelte.ts';
import { gameName, partsOf } from '../i18n/names.ts';
import { keptSeat } from '../net/seats.ts';

type Parts = readonly string[];

/** The words of some screens are fetched with them; until then a page has the title of its kind. */
const puzzleTitle = (game: string): string =>
  speech.message('puzzle.title') && game !== 'own' ? t('puzzle.title', { game: gameName(game) }) : t('home.puzzles');

function lessonTitle([course = '', number = '1']: Parts): string {
  if (!speech.message('learn.lead')) return t('learn.title');
  const key = keyFor('lesson', `${course === 'nest' ? 'nest' : 'tunnel'}.${number}.title`);
  return key ? t(key) : t('error.page.title');
}

function tableTitle(table: string): string {
  const { rules = '', title } = keptSeat(table) ?? {};
  const { game } = partsOf(rules);
  return game ? t('page.table', { game: title ?? gameName(game) }) : t('page.watch');
}

export const TITLES = {
  new: () => t('new.title'),
  table: ([table = '']: Parts) => tableTitle(table),
  join: () => t('join.title'),
  replay: () => t('replay.title'),
  review: () => t('review.title'),
  analysis: () => t('analysis.title'),
  position: () => t('position.title'),
  learn: () => t('learn.title'),
  lesson: lessonTitle,
  rules: ([rules = '']: Parts) => t('rules.heading', { game: gameName(partsOf(rules || 'jamaica').game) }),
  puzzles: () => t('home.puzzles'),
  puzzle: ([game = '']: Parts) => puzzleTitle(game),
} as const;

/** The name of a page that is fetched when it is needed. */
export type ScreenName = keyof typeof TITLES;

export function titleOf({ screen, parts }: Route): string {
  if (screen === 'home') return t('app.title');
  const page = Object.hasOwn(TITLES, screen) ? TITLES[screen as ScreenName](parts) : t('error.page.title');
  return t('page.title', { page });
}
