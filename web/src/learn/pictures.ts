/** Small pictures for the rules: short boards on which one thing happens. */
import type { Mark, Trail } from '../board/marks.ts';
import { drawing, type Place, type Position } from '../game/position.ts';
import { NEST } from './lessons.ts';

interface Picture {
  readonly position: Position;
  readonly marks: readonly Mark[];
  readonly trails: readonly Trail[];
}

/** A pirate goes from a place to another one, by a card or for the cards that this brings. */
function picture(position: Position, from: Place, to: Place, by: Pick<Mark, 'cards' | 'badge'>): Picture {
  return {
    position,
    marks: [
      { place: from, kind: 'chosen', label: '' },
      { place: to, kind: 'target', label: '', ...by },
    ],
    trails: [{ from, to, kind: 'preview' }],
  };
}

const tunnel = (pirates: string): Position => drawing('jamaica', 'BPHSDK/DBKPHS', pirates);

/** Parts of a picture's width that it is high. */
export const heightOf = ({ position }: Picture): number => (position.family === 'nest' ? 0.45 : 0.25);

export const PICTURES = {
  forward: picture(tunnel('s,2/1'), '2', '8', { cards: ['B'] }),
  aboard: picture(tunnel('9,s/11,12,b'), '9', 'b', { cards: ['K'] }),
  back: picture(tunnel('10,3/7,7,7/5,5'), '10', '5', { badge: '+2' }),
  push: picture(drawing('nest', NEST, '6,5/3,s'), '3', '5', { badge: '+1' }),
  nestForward: picture(drawing('nest', NEST, '12,2/4,9'), '12', 'b', { cards: ['D'] }),
  nestHome: picture(drawing('nest', NEST, '31,b/4,18', 2), '31', 'n', { cards: ['G'] }),
};
