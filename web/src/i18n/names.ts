/** Names of levels, games and editions, also for ones that are newer than this client. */
import type { Key } from './en/index.ts';
import { has, t } from './i18n.svelte.ts';

const known = (key: string, fallback: string): string => (has(key) ? t(key as Key) : fallback);

export function levelName(level: string): string {
  return known(`level.${level}`, level);
}

export function gameName(game: string): string {
  return known(`game.${game}`, game);
}

export function editionName(edition: string): string {
  return known(`edition.${edition}`, edition);
}

/** `tortuga-en+pass` for people. */
export function rulesName(rules: string): string {
  const [, game = rules, edition = '', options = ''] = /^([a-z]+)-([a-z]+)(.*)$/.exec(rules) ?? [];
  return `${gameName(game)}${edition ? ` · ${editionName(edition)}` : ''}${options ? ` ${options}` : ''}`;
}
