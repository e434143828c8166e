/** Moves and positions of the wire in notation. */
import { writeCards, writeTurn } from '../engine/notation.ts';
import type { MoveJson, PositionJson } from '../net/wire.ts';

/** The fields of a choice in notation; those that a kind does not have are left out. */
export function moveFields(move: string): MoveJson {
  if (move === 'sail' || move === 'end') return { kind: move };
  if (move.startsWith('drop:')) return { kind: 'drop', card: move.slice(5) };
  const [, seat, from = '', card] = /^(?:([1-9])@)?([a-z0-9]+)(?::(.+)|<)?$/.exec(move) ?? [];
  if (seat) return { kind: 'push', from, seat: Number(seat) };
  return card ? { kind: 'advance', from, card } : { kind: 'retreat', from };
}

/** A choice in notation; it may still be no move at all. */
export function moveText({ kind, from, card, seat }: MoveJson): string {
  if (kind === 'advance') return `${from ?? ''}:${card ?? ''}`;
  if (kind === 'retreat') return `${from ?? ''}<`;
  if (kind === 'push') return `${seat ?? 0}@${from ?? ''}`;
  return kind === 'drop' ? `drop:${card ?? ''}` : kind;
}

/** A position as it is shown, in notation. */
export function viewText(shown: PositionJson): string {
  const { seat, captain, passes, row_due, owed, dropper, ...turn } = shown.turn;
  const due = { passes: passes ?? 0, row_due: row_due ?? 0, owed: owed ?? 0, dropper: dropper ?? 0 };
  return [
    shown.rules,
    shown.islands.map((island) => island.join('/')).join('|'),
    shown.pirates.map((places) => places.join(',')).join('/'),
    shown.hands.map(({ size, cards }) => (cards === null ? `?${size}` : writeCards(cards))).join('/'),
    shown.row?.join('') || '-',
    shown.stock ? `?${shown.stock}` : '-',
    writeCards(shown.discard.cards ?? {}),
    shown.sloop ?? '-',
    writeTurn({ ...turn, ...due, active: seat, captain: Number(captain) }),
  ].join(' ');
}
