/** Names of levels, games and editions, also for ones that are newer than this client. */
import { EDITIONS } from '../game/editions.ts';
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

/** The games, in the order in which they are offered. */
export const GAMES = [...new Set(Object.values(EDITIONS).map(({ game }) => game))];

/** The editions of a game that this version knows. */
export const editionsOf = (game: string): string[] =>
  Object.values(EDITIONS).flatMap((each) => (each.game === game ? [each.edition] : []));

/** The edition of a game to begin with: the reader's own where there is one. */
export function editionFor(game: string): string {
  const known = editionsOf(game);
  return known.find((edition) => edition === speech.code) ?? known[0] ?? 'en';
}

export function partsOf(rules: string): { game: string; edition: string; options: string } {
  const [, game = rules, edition = '', options = ''] = /^([a-z]+)-([a-z]+)(?:~[0-9a-f]*)?(.*)$/.exec(rules) ?? [];
  return { game, edition, options };
}

/** The name of the edition where there are several to choose from, else nothing. */
export function editionOf(rules: string): string {
  const { game, edition } = partsOf(rules);
  return edition && editionsOf(game).length !== 1 ? editionName(edition) : '';
}

/** `tortuga-en+pass` for people. */
export function rulesName(rules: string): string {
  const { game, options } = partsOf(rules);
  const edition = editionOf(rules);
  const name = edition ? t('rules.name', { game: gameName(game), edition }) : gameName(game);
  return options ? t('rules.varied', { rules: name, options }) : name;
}
