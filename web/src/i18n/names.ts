/** Names of levels, games and editions, also for ones that are newer than this client. */
import { speech, t, wordsFor } from './i18n.svelte.ts';

export function levelName(level: string): string {
  return wordsFor('level', level) ?? level;
}

export function gameName(game: string): string {
  return wordsFor('game', game) ?? game;
}

export function editionName(edition: string): string {
  return wordsFor('edition', edition) ?? edition;
}

/** The only edition of a game that has one. */
const ONLY: Readonly<Record<string, string>> = { nest: 'nl' };

/** The edition of a game to begin with: the reader's own where there is one. */
export function editionFor(game: string): string {
  return ONLY[game] ?? (wordsFor('edition', speech.code) ? speech.code : 'en');
}

export function partsOf(rules: string): { game: string; edition: string; options: string } {
  const [, game = rules, edition = '', options = ''] = /^([a-z]+)-([a-z]+)(.*)$/.exec(rules) ?? [];
  return { game, edition, options };
}

/** The name of the edition where there are several to choose from, else nothing. */
export function editionOf(rules: string): string {
  const { game, edition } = partsOf(rules);
  return edition && !ONLY[game] ? editionName(edition) : '';
}

/** `tortuga-en+pass` for people. */
export function rulesName(rules: string): string {
  const { game, options } = partsOf(rules);
  const edition = editionOf(rules);
  const name = edition ? t('rules.name', { game: gameName(game), edition }) : gameName(game);
  return options ? t('rules.varied', { rules: name, options }) : name;
}
