/** Why a pick, a button or a key does nothing, in words, and where on the page to say it. */
import type { Family } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { Obstacle } from './choices.ts';
import { capital, cardName, missWords, placeReason } from './words.ts';

/** What was picked: a place of the board, a card of the hand, or a button; nothing where the whole table is meant. */
export interface Anchor {
  readonly kind: 'place' | 'card' | 'action' | 'table';
  readonly name: string;
}

export interface Answer {
  readonly words: string;
  readonly at: Anchor;
}

export const WHOLE: Anchor = { kind: 'table', name: '' };

/** The node that an anchor stands for. */
export function nodeOf({ kind, name }: Anchor, root: ParentNode): Element | null {
  const quoted = CSS.escape(name);
  if (kind === 'place') return root.querySelector(`[data-spot='${quoted}']`);
  return kind === 'table' ? null : root.querySelector(`[data-${kind}='${quoted}']`);
}

export function refusedWords(family: Family, refused: Obstacle, mover: number): string {
  switch (refused.kind) {
    case 'miss':
      return capital(missWords(family, refused.miss, mover));
    case 'place':
      return capital(placeWords(refused.reason, refused.place));
    case 'passed': {
      const { move, to } = refused.option;
      const end = to === 'b' ? 'sloop' : to === 'n' ? 'nest' : 'field';
      return capital(
        t(`answer.passed.${end}`, {
          place: refused.place,
          card: cardName(family, move.card ?? ''),
          to: to ?? '',
        }),
      );
    }
    case 'unreached':
      return t(`answer.unreached.${refused.by}`);
  }
}

function placeWords(reason: string, place: string): string {
  return reason === 'card-not-held' ? t('answer.no-cards') : placeReason(reason, place);
}
