/** A position taken apart into what a person can change, and put together again. Whether it is possible the kernel says. */
import { writeCards } from '../engine/notation.ts';

export type Counts = Readonly<Record<string, number>>;

export interface Draft {
  readonly rules: string;
  readonly board: string;
  readonly pirates: readonly (readonly string[])[];
  /** The cards of each seat; undefined where a hand is hidden. */
  readonly hands: readonly (Counts | string)[];
  readonly row: string;
  readonly stock: Counts | string;
  readonly discard: Counts;
  readonly sloop: string;
  /** The turn as it is written, or its parts where it is an ordinary one. */
  readonly turn: string;
}

/** A multiset of cards, or the text of a hidden one. */
function readSet(text: string): Counts | string {
  if (text.startsWith('?')) return text;
  return Object.fromEntries(
    [...text.matchAll(/([A-Z]!?)([0-9]*)/g)].map(([, card = '', number]) => [card, Number(number || 1)]),
  );
}

/** A multiset in writing order: letters in alphabetical order, plain before freebooter. */
function writeSet(cards: Counts | string): string {
  if (typeof cards === 'string') return cards;
  const kinds = Object.entries(cards)
    .filter(([, number]) => number > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return writeCards(Object.fromEntries(kinds));
}

/** The parts of a position in notation; undefined where the text is not nine words. */
export function draftOf(text: string): Draft | undefined {
  const words = text.trim().split(/\s+/);
  if (words.length !== 9) return undefined;
  const [rules = '', board = '', pirates = '', hands = '', row = '', stock = '', discard = '', sloop = '', turn = ''] =
    words;
  const thrown = readSet(discard);
  return {
    rules,
    board,
    pirates: pirates.split('/').map((places) => places.split(',')),
    hands: hands.split('/').map(readSet),
    row: row === '-' ? '' : row,
    stock: readSet(stock),
    discard: typeof thrown === 'string' ? {} : thrown,
    sloop,
    turn,
  };
}

/** The position in notation. `track` has all places in their order. */
export function textOf(draft: Draft, track: readonly string[]): string {
  const inOrder = (places: readonly string[]): string[] =>
    [...places].sort((a, b) => track.indexOf(a) - track.indexOf(b));
  return [
    draft.rules,
    draft.board,
    draft.pirates.map((places) => inOrder(places).join(',')).join('/'),
    draft.hands.map(writeSet).join('/'),
    draft.row || '-',
    writeSet(draft.stock),
    writeSet(draft.discard),
    draft.sloop,
    draft.turn,
  ].join(' ');
}

export interface TurnParts {
  readonly seat: number;
  readonly used: number;
  readonly captain: boolean;
}

/** The parts of an ordinary turn; the first seat's where a card is due or the game is over. */
export function turnParts(turn: string): TurnParts {
  const [, seat = '1', used = '0', captain] = /^([1-5])\.([0-9]+)(c)?/.exec(turn) ?? [];
  return { seat: Number(seat), used: Number(used), captain: captain !== undefined };
}

export const turnText = ({ seat, used, captain }: TurnParts): string => `${seat}.${used}${captain ? 'c' : ''}`;

/** What is left of a deck after the cards that lie elsewhere; none where too many do. */
export function rest(deck: Counts, draft: Draft): Counts {
  const away = [...draft.hands, draft.discard, ...[...draft.row].map((card) => ({ [card]: 1 }))];
  const used = (card: string): number =>
    away.reduce((sum, cards) => sum + (typeof cards === 'string' ? 0 : (cards[card] ?? 0)), 0);
  return Object.fromEntries(Object.entries(deck).map(([card, number]) => [card, Math.max(0, number - used(card))]));
}

/** The draft with a pirate put elsewhere. */
export function moved(draft: Draft, seat: number, from: string, to: string): Draft {
  const places = draft.pirates[seat - 1] ?? [];
  const at = places.indexOf(from);
  return at < 0 ? draft : { ...draft, pirates: draft.pirates.with(seat - 1, places.with(at, to)) };
}
