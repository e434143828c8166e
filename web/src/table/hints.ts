/** A hint in words: the move, how good it is, and why. */
import { has, t } from '../i18n/i18n.svelte.ts';
import { levelName } from '../i18n/names.ts';
import { fits, type Hint, type MoveJson } from '../net/wire.ts';
import type { TableModel } from './model.svelte.ts';
import { optionWords } from './words.ts';

export function hintWords(model: TableModel, hint: Hint): string {
  const answer = hint.answer as { move: MoveJson; value?: number[]; why?: string[] };
  const option = model.options.legal.find((item) => fits(item.move, answer.move));
  const family = model.position?.family ?? 'tunnel';
  const move = option ? optionWords(family, option) : '';
  const chance = answer.value?.[model.viewer - 1];
  const why = (answer.why ?? []).map((code) => (has(`why.${code}`) ? t(`why.${code}` as never) : code));
  return [
    t('hint.move', { level: levelName(hint.level), move }),
    why.length ? t('hint.why', { why: why.join(', ') }) : '',
    chance === undefined ? '' : t('hint.chance', { percent: Math.round(chance * 100) }),
  ]
    .filter(Boolean)
    .join(' ');
}
