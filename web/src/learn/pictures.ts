/** Small pictures for the rules: short boards on which one thing happens. */
import type { Mark, Trail } from '../board/marks.ts';
import { drawing, type Position } from '../game/position.ts';
import { NEST } from './lessons.ts';

interface Picture {
  readonly position: Position;
  readonly marks: readonly Pick<Mark, 'place' | 'kind' | 'badge' | 'cards'>[];
  readonly trails: readonly Trail[];
}

type Name = 'forward' | 'aboard' | 'back' | 'push' | 'nestForward' | 'nestHome';

/** Parts of a picture's width that it is high. */
export const heightOf = ({ position }: Picture): number => (position.family === 'nest' ? 0.45 : 0.25);

export const PICTURES: Readonly<Record<Name, Picture>> = {
  forward: {
    position: drawing('jamaica', 'BPHSDK/DBKPHS', 's,2/1'),
    marks: [
      { place: '2', kind: 'chosen' },
      { place: '8', kind: 'target', cards: ['B'] },
    ],
    trails: [{ from: '2', to: '8', kind: 'preview' }],
  },
  aboard: {
    position: drawing('jamaica', 'BPHSDK/DBKPHS', '9,s/11,12,b'),
    marks: [
      { place: '9', kind: 'chosen' },
      { place: 'b', kind: 'target', cards: ['K'] },
    ],
    trails: [{ from: '9', to: 'b', kind: 'preview' }],
  },
  back: {
    position: drawing('jamaica', 'BPHSDK/DBKPHS', '10,3/7,7,7/5,5'),
    marks: [
      { place: '10', kind: 'chosen' },
      { place: '5', kind: 'target', badge: '+2' },
    ],
    trails: [{ from: '10', to: '5', kind: 'preview' }],
  },
  push: {
    position: drawing('nest', NEST, '6,5/3,s'),
    marks: [
      { place: '3', kind: 'chosen' },
      { place: '5', kind: 'target', badge: '+1' },
    ],
    trails: [{ from: '3', to: '5', kind: 'preview' }],
  },
  nestForward: {
    position: drawing('nest', NEST, '12,2/4,9'),
    marks: [
      { place: '12', kind: 'chosen' },
      { place: 'b', kind: 'target', cards: ['D'] },
    ],
    trails: [{ from: '12', to: 'b', kind: 'preview' }],
  },
  nestHome: {
    position: { ...drawing('nest', NEST, '31,b/4,18'), sloop: 2 },
    marks: [
      { place: '31', kind: 'chosen' },
      { place: 'n', kind: 'target', cards: ['G'] },
    ],
    trails: [{ from: '31', to: 'n', kind: 'preview' }],
  },
};
