/** Arrows on the board for the turn that the engine likes best. */
import type { Trail } from '../board/marks.ts';
import type { Live } from './tasks.ts';

export function advice(live: Live | undefined): Trail[] {
  return (live?.turns[0]?.ways ?? []).flatMap(({ move, to }): Trail[] =>
    move.from && to ? [{ from: move.from, to, kind: 'hint', seat: live?.seat, played: move.card ?? undefined }] : [],
  );
}
