/** Moves as text and as the fields of `MoveJson`. */
import type { MoveJson } from '../net/wire.ts';

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
