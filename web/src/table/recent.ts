/** What the others just did: their moves since the viewer's last one, as trails, and the position before them. */
import type { Trail } from '../board/marks.ts';
import type { Position } from '../game/position.ts';
import type { TableEvent } from '../net/wire.ts';
import type { Flight, Pile } from './flights.ts';

const moves = (log: readonly TableEvent[]): TableEvent[] => log.filter((event) => event.type === 'move' && event.move);

/** The moves since the viewer's last one; for a spectator those of the last turn. */
export function recentMoves(log: readonly TableEvent[], viewer: number): TableEvent[] {
  const all = moves(log);
  if (viewer === 0) return lastTurn(log);
  return all.slice(all.findLastIndex((event) => event.seat === viewer) + 1);
}

export function lastTurn(log: readonly TableEvent[]): TableEvent[] {
  const all = moves(log);
  const turn = all.at(-1)?.turn;
  return all.filter((event) => event.turn === turn);
}

/** The cards that a move brought, as far as they may be seen. */
export function drawnCards(event: TableEvent, row: boolean): string[] {
  const told = row ? [] : (event.cards ?? []).map((card) => card.replace('+', ''));
  return Array.from({ length: event.draws ?? 0 }, (_, index) => told[index] ?? '?');
}

export function trailOf(event: TableEvent, row: boolean): Trail | undefined {
  const { move, to } = event;
  if (!move?.from || !to) return undefined;
  return { from: move.from, to, kind: 'last', seat: event.seat ?? undefined, played: move.card ?? undefined, drawn: drawnCards(event, row) };
}

/** The position before these moves, as far as pirates and sloop go. */
export function rewound(position: Position, events: readonly TableEvent[]): Position {
  return events.reduceRight((found, { move, to, seat }) => {
    if (move?.kind === 'sail') return { ...found, sloop: found.sloop === 1 ? 2 : 1 };
    const from = move?.from;
    if (!from || !to) return found;
    const owner = move.seat ?? seat;
    const pirates = found.pirates.map((places, index) => {
      const at = index + 1 === owner ? places.indexOf(to) : -1;
      return at < 0 ? places : [...places.slice(0, at), from, ...places.slice(at + 1)];
    });
    return { ...found, pirates };
  }, position);
}

/** The cards that fly while a move is shown again. */
export function flightsOf(event: TableEvent, row: boolean): Flight[] {
  const hand: Pile = `hand-${event.seat ?? 1}`;
  const played: Flight[] = event.move?.card ? [{ card: event.move.card, from: hand, to: 'discard' }] : [];
  const drawn = drawnCards(event, row).map((card): Flight => ({ card: card === '?' ? undefined : card, from: row ? 'row' : 'stock', to: hand }));
  return [...played, ...drawn];
}
