/** How the classes of decisions look: told apart by their sign, not only by colour. */
import type { Key } from '../i18n/en/index.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { Decision, Kind } from './types.ts';

export const SIGNS: Readonly<Record<Kind, string>> = { best: '★', good: '✓', inaccuracy: '?!', mistake: '?', blunder: '??' };

export const kindName = ({ kind, forced }: Pick<Decision, 'kind' | 'forced'>): string => t(`review.kind.${forced ? 'forced' : kind}` as Key);

/** A share as whole percent. */
export const percent = (value: number): number => Math.round(100 * value);

/** A change in points of win chance, with its sign. */
export function points(value: number): string {
  const rounded = (100 * value).toFixed(1);
  return value > 0 && rounded !== '0.0' ? `+${rounded}` : rounded.replace('-0.0', '0.0').replace('-', '−');
}

/** A size in points of win chance, without a sign. */
export const size = (value: number): string => (100 * Math.abs(value)).toFixed(1);
