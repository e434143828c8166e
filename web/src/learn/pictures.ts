/** Small pictures for the rules: short boards on which one thing happens. */
import type { Mark, Trail } from '../board/marks.ts';

interface Picture {
  readonly position: string;
  readonly marks: readonly Pick<Mark, 'place' | 'kind' | 'badge' | 'cards'>[];
  readonly trails: readonly Trail[];
}

const NEST = 'STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM';

export const PICTURES: Readonly<Record<'forward' | 'back' | 'push' | 'nestForward', Picture>> = {
  forward: {
    position: 'jamaica-en BPHSDK/DBKPHS s,2/1 B/- - - - - 1.0',
    marks: [
      { place: '2', kind: 'chosen' },
      { place: '8', kind: 'target', cards: ['B'] },
    ],
    trails: [{ from: '2', to: '8', kind: 'preview' }],
  },
  back: {
    position: 'jamaica-en BPHSDK/DBKPHS 10,3/7,7,7/5,5 -/-/- - - - - 1.0',
    marks: [
      { place: '10', kind: 'chosen' },
      { place: '5', kind: 'target', badge: '+2' },
    ],
    trails: [{ from: '10', to: '5', kind: 'preview' }],
  },
  push: {
    position: `nest-nl ${NEST} 6,5/3,s -/- - - - 1 1.0`,
    marks: [
      { place: '3', kind: 'chosen' },
      { place: '5', kind: 'target', badge: '+1' },
    ],
    trails: [{ from: '3', to: '5', kind: 'preview' }],
  },
  nestForward: {
    position: `nest-nl ${NEST} 12,2/4,9 D/- - - - 1 1.0`,
    marks: [
      { place: '12', kind: 'chosen' },
      { place: 'b', kind: 'target', cards: ['D'] },
    ],
    trails: [{ from: '12', to: 'b', kind: 'preview' }],
  },
};
