/** What one move of several looks like: a figure that moved, a sloop that crossed. Only for the eye; the truth follows. */
import type { Position } from '../game/position.ts';
import type { TableEvent } from '../net/wire.ts';
import { movedFrom } from './words.ts';

export function applyShown(position: Position, event: TableEvent): Position {
  const move = event.move ?? '';
  if (move === 'sail') return { ...position, sloop: position.sloop === 1 ? 2 : 1 };
  const from = movedFrom(move);
  const to = event.to;
  if (from === undefined || !to) return position;
  const seat = /^(\d)@/.exec(move)?.[1] ?? event.seat;
  const pirates = position.pirates.map((places, index) => {
    if (index + 1 !== Number(seat)) return places;
    const at = places.indexOf(from);
    return at < 0 ? places : [...places.slice(0, at), to, ...places.slice(at + 1)];
  });
  return { ...position, pirates };
}
