/** The look of the table between two moves of one update: a pirate or the sloop has moved. The real position follows. */
import type { Position } from '../game/position.ts';
import type { TableEvent } from '../net/wire.ts';

export function applyShown(position: Position, event: TableEvent): Position {
  const { move, to } = event;
  if (move?.kind === 'sail') return { ...position, sloop: position.sloop === 1 ? 2 : 1 };
  const from = move?.from;
  if (!from || !to) return position;
  const seat = move.seat ?? event.seat;
  const pirates = position.pirates.map((places, index) => {
    if (index + 1 !== seat) return places;
    const at = places.indexOf(from);
    return at < 0 ? places : [...places.slice(0, at), to, ...places.slice(at + 1)];
  });
  return { ...position, pirates };
}
