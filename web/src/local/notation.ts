/** Moves and positions of the wire in notation. */
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
  const set = (cards: Readonly<Record<string, number>>): string =>
    Object.entries(cards)
      .map(([card, number]) => card + (number > 1 ? number : ''))
      .join('') || '-';
  const { seat, used, captain, passes, row_due: row, owed, dropper } = shown.turn;
  const due = [
    ['p', passes],
    ['r', row],
    ['+', owed],
    ['!', dropper],
  ].map(([mark, number]) => (number ? `${mark}${number}` : ''));
  return [
    shown.rules,
    shown.islands.map((island) => island.join('/')).join('|'),
    shown.pirates.map((places) => places.join(',')).join('/'),
    shown.hands.map(({ size, cards }) => (cards === null ? `?${size}` : set(cards))).join('/'),
    shown.row?.join('') || '-',
    shown.stock ? `?${shown.stock}` : '-',
    set(shown.discard.cards ?? {}),
    shown.sloop ?? '-',
    `${seat}.${used}${captain ? 'c' : ''}${due.join('')}`,
  ].join(' ');
}
