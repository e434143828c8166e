/** How the classes of decisions look: told apart by their sign, not only by colour. */
import { speech, t } from '../i18n/i18n.svelte.ts';
import { numberText } from '../i18n/message.ts';
import type { Decision, Kind } from './types.ts';

/** The signs of decisions that are written; those of the others are icons. */
export const WRITTEN: Readonly<Partial<Record<Kind, string>>> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

export const kindName = ({ kind, forced }: Pick<Decision, 'kind' | 'forced'>): string =>
  t(`review.kind.${forced ? 'forced' : kind}`);

/** A share as whole percent. */
export const percent = (value: number): number => Math.round(100 * value);

/** A size in points of win chance, without a sign. */
export const size = (value: number): string => numberText(100 * Math.abs(value), speech.grammar, 1);

/** How a card has changed the chances of a player. */
export const luckWords = (name: string, luck: number): string =>
  t(luck > 0 ? 'review.luck.plus' : 'review.luck.minus', { name, points: size(luck) });

/** A change in points of win chance, with its sign. */
export function points(value: number): string {
  const sign = Math.abs(value) < 0.0005 ? '' : value > 0 ? '+' : '−';
  return sign + size(value);
}
