/** What the others just did: their moves since the viewer's last one, as trails, and the position before them. */
import type { Trail } from '../board/marks.ts';
import type { Hand, Position } from '../game/position.ts';
import type { TableEvent } from '../net/wire.ts';
import type { Flight, Pile } from './flights.ts';

export const movesOf = (log: readonly TableEvent[]): TableEvent[] =>
  log.filter((event) => event.type === 'move' && event.move);

/** The moves since the viewer's last one; for a spectator those of the last turn. */
export function recentMoves(log: readonly TableEvent[], viewer: number): TableEvent[] {
  const all = movesOf(log);
  if (viewer === 0) return lastTurnOf(all);
  return all.slice(all.findLastIndex((event) => event.seat === viewer) + 1);
}

/**
 * The moves since a person's last visit, of whom `own` are the seats and `seen` is the last event that was shown here. A move of
 * their own proves a later visit on another device, unless the computer may have played it for them.
 */
export function movesSince(log: readonly TableEvent[], own: readonly number[], seen: number): TableEvent[] {
  const replaced = new Set<number | null | undefined>();
  let last = seen;
  for (const { type, seq, seat, move } of log) {
    if (type === 'left' || type === 'resigned') replaced.add(seat);
    else if (type === 'back') replaced.delete(seat);
    else if (move && move.kind !== 'end' && move.kind !== 'drop' && own.includes(seat ?? 0) && !replaced.has(seat))
      last = Math.max(last, seq);
  }
  return last ? movesOf(log).filter(({ seq }) => seq > last) : [];
}

/** Of several turns the last one, or the last one of a seat. */
export function lastTurnOf(events: readonly TableEvent[], seat?: number): TableEvent[] {
  const last = events.findLast((event) => seat === undefined || event.seat === seat);
  return events.filter((event) => event.turn === last?.turn && last !== undefined);
}

/** Where the last round begins among events: at most one turn of each seat is shown to a person who comes back. */
export function roundOf(events: readonly TableEvent[], seats: number): number {
  const turns = [...new Set(movesOf(events).map(({ turn }) => turn))];
  return turns.length > seats ? events.findIndex(({ turn }) => turn === turns.at(-seats)) : 0;
}

/** The cards that a move brought, as far as they may be seen: those of an open row are known to all. */
export function drawnCards(event: Pick<TableEvent, 'drawn' | 'draws' | 'cards'>, row: boolean): string[] {
  const told = event.drawn ?? (row ? [] : dealtCards(event));
  return Array.from({ length: event.draws ?? 0 }, (_, index) => told[index] ?? '?');
}

/** A dealt card that may not be seen. */
const HIDDEN = '+?';

/**
 * A log as the viewer of these hands may know it: at a shared device the person before was told the cards of their own hand.
 * While the hands are `covered`, nobody's are known.
 */
export function asSeen(log: readonly TableEvent[], hands: readonly Hand[], covered: boolean): readonly TableEvent[] {
  const hides = ({ seat, cards, drawn }: TableEvent): boolean =>
    !drawn && (cards ?? []).some((card) => card !== HIDDEN) && (covered || hands[(seat ?? 0) - 1]?.hidden !== false);
  const seen = (event: TableEvent): TableEvent =>
    hides(event) ? { ...event, cards: (event.cards ?? []).map(() => HIDDEN) } : event;
  return log.some(hides) ? log.map(seen) : log;
}

const dealtCards = ({ cards }: Pick<TableEvent, 'cards'>): string[] =>
  (cards ?? []).map((card) => card.replace('+', ''));

export function trailOf(event: TableEvent, row: boolean): Trail | undefined {
  const { move, to } = event;
  if (!move?.from || !to) return undefined;
  return {
    from: move.from,
    to,
    kind: 'last',
    crew: move.seat ?? event.seat ?? undefined,
    seat: event.seat ?? undefined,
    played: move.card ?? undefined,
    drawn: drawnCards(event, row),
  };
}

type MaybePlace = string | null | undefined;

/** The position with the sloop or the pirate of a move carried from one place to the other; the rest is as it was. */
function carried(position: Position, { move, seat }: TableEvent, from: MaybePlace, to: MaybePlace): Position {
  if (move?.kind === 'sail') return { ...position, sloop: position.sloop === 1 ? 2 : 1 };
  if (!from || !to) return position;
  const pirates = position.pirates.map((places, index) => {
    const at = index + 1 === (move?.seat ?? seat) ? places.indexOf(from) : -1;
    return at < 0 ? places : places.with(at, to);
  });
  return { ...position, pirates };
}

/** The look of the table between two moves of one update: a pirate or the sloop has moved. The real position follows. */
export const applyShown = (position: Position, event: TableEvent): Position =>
  carried(position, event, event.move?.from, event.to);

/** The position before these moves: pirates, sloop, hands and the open row. The piles stay as they are. */
export function rewound(position: Position, events: readonly TableEvent[]): Position {
  return events.reduceRight(
    (found, event) => ({
      ...carried(found, event, event.to, event.move?.from),
      hands: found.hands.map((hand, index) => (index + 1 === event.seat ? handBefore(hand, event) : hand)),
      row: rowBefore(found.row, event),
    }),
    position,
  );
}

function handBefore(hand: Hand, event: TableEvent): Hand {
  const { move, draws, drawn } = event;
  const played = move?.card ? [move.card] : [];
  const size = hand.size + played.length - (draws ?? 0);
  if (hand.hidden) return { ...hand, size };
  const left = [...hand.cards];
  for (const card of drawn ?? dealtCards(event)) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return { ...hand, size, cards: [...left, ...played].sort() };
}

/** What was drawn lies in front again, and what was laid out since is gone. */
function rowBefore(row: readonly string[], { drawn, cards }: TableEvent): readonly string[] {
  if (!drawn) return row;
  const all = [...drawn, ...row];
  return all.slice(0, all.length - (cards ?? []).length);
}

/** The cards that fly while a move is shown again. */
export function flightsOf(event: TableEvent, row: boolean): Flight[] {
  const hand: Pile = `hand-${event.seat ?? 1}`;
  const played: Flight[] = event.move?.card ? [{ card: event.move.card, from: hand, to: 'discard' }] : [];
  const drawn = drawnCards(event, row).map((card): Flight => ({
    card: card === '?' ? undefined : card,
    from: row ? 'row' : 'stock',
    to: hand,
  }));
  return [...played, ...drawn];
}

/**
 * The log after one more event. An undo removes the move that it names, which may have gone unseen, and is not listed; what
 * players have deleted loses its text.
 */
export function logged(log: readonly TableEvent[], event: TableEvent): TableEvent[] {
  if (event.type === 'forgotten')
    return [
      ...log.map((item) =>
        event.seats?.includes(item.seat ?? 0) && item.type === 'talk' ? { ...item, text: '' } : item,
      ),
      event,
    ];
  return event.type === 'undo' ? log.filter((item) => item.seq !== event.undone) : [...log, event];
}

/** Events from before the deal, with the seats that the lots gave to their chairs: `lots` names the chair of each seat. */
export function afterLots(events: readonly TableEvent[], lots: readonly number[]): TableEvent[] {
  const seatOf = (chair: number): number => lots.indexOf(chair) + 1;
  return events.map((event) => ({
    ...event,
    ...(event.seat ? { seat: seatOf(event.seat) } : {}),
    ...(event.seats ? { seats: event.seats.map(seatOf) } : {}),
  }));
}
