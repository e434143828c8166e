/** A hint in words: the move, why, and how good it is. */
import { t, wordsFor } from '../i18n/i18n.svelte.ts';
import { levelName } from '../i18n/names.ts';
import { fits, type Hint, type MoveJson } from '../net/wire.ts';
import type { TableModel } from './model.svelte.ts';
import { optionWords } from './words.ts';

/** The sentences of a hint. Reasons that are newer than this client are left out. */
export function hintWords(model: TableModel, hint: Hint): string[] {
  const answer = hint.answer as { move: MoveJson; value?: number[]; why?: string[] };
  const option = model.options.legal.find((item) => fits(item.move, answer.move));
  const family = model.position?.family ?? 'tunnel';
  const move = option ? optionWords(family, option) : '';
  const chance = answer.value?.[model.viewer - 1];
  return [
    t('hint.move', { level: levelName(hint.level), move }),
    ...(answer.why ?? []).flatMap((code) => wordsFor('why', code) ?? []),
    ...(chance === undefined ? [] : [t('hint.chance', { percent: Math.round(chance * 100) })]),
  ];
}
