/** The meaning of a pick. Moves, their targets and reasons all come from the server. */
import type { Place } from '../game/position.ts';
import type { NearMiss, Option } from '../net/wire.ts';

export type Selection =
  | { readonly kind: 'none' }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'card'; readonly card: string };

export const NOTHING: Selection = { kind: 'none' };

export interface Outcome {
  readonly selection: Selection;
  /** The only possible move. */
  readonly play?: Option;
  /** Several moves are possible: the person chooses. */
  readonly among?: readonly Option[];
  /** No move is possible there, and why. */
  readonly refused?: readonly NearMiss[];
}

export interface Choices {
  readonly legal: readonly Option[];
  readonly illegal: readonly NearMiss[];
}

function resolve(hits: readonly Option[], selection: Selection): Outcome {
  const [only] = hits;
  if (hits.length === 1 && only) return { selection: NOTHING, play: only };
  return { selection, among: hits };
}

export function pickPlace(selection: Selection, place: Place, choices: Choices): Outcome {
  const { legal, illegal } = choices;
  if (selection.kind === 'place') {
    if (place === selection.place) return { selection: NOTHING };
    const hits = legal.filter((option) => option.move.from === selection.place && option.to === place);
    if (hits.length > 0) return resolve(hits, selection);
  }
  if (selection.kind === 'card') {
    const held = legal.filter((option) => option.move.card === selection.card && option.move.kind === 'advance');
    const here = held.filter((option) => option.move.from === place);
    const hits = here.length > 0 ? here : held.filter((option) => option.to === place);
    if (hits.length > 0) return resolve(hits, selection);
    const refused = illegal.filter((miss) => miss.move.from === place && miss.move.card === selection.card);
    if (refused.length > 0) return { selection, refused };
  }
  if (legal.some((option) => option.move.from === place)) return { selection: { kind: 'place', place } };
  const leading = legal.filter((option) => option.to === place && option.move.from);
  if (leading.length > 0) return { selection: NOTHING, among: leading };
  return { selection: NOTHING, refused: illegal.filter((miss) => miss.move.from === place) };
}

export function pickCard(selection: Selection, card: string, choices: Choices): Outcome {
  const { legal, illegal } = choices;
  const drop = legal.find((option) => option.move.kind === 'drop' && option.move.card === card);
  if (drop) return { selection: NOTHING, play: drop };
  if (selection.kind === 'place') {
    const hit = legal.find((option) => option.move.from === selection.place && option.move.card === card);
    if (hit) return { selection: NOTHING, play: hit };
    const refused = illegal.filter((miss) => miss.move.from === selection.place && miss.move.card === card);
    if (refused.length > 0) return { selection, refused };
  }
  if (selection.kind === 'card' && selection.card === card) return { selection: NOTHING };
  if (legal.some((option) => option.move.card === card)) return { selection: { kind: 'card', card } };
  return { selection: NOTHING, refused: illegal.filter((miss) => miss.move.card === card) };
}

/** The moves that fit the selection. */
export function openMoves(selection: Selection, legal: readonly Option[]): Option[] {
  const moves = legal.filter((option) => option.move.from);
  if (selection.kind === 'place') return moves.filter((option) => option.move.from === selection.place);
  if (selection.kind === 'card') return moves.filter((option) => option.move.card === selection.card);
  return moves;
}

/** Cards of the hand that can be played (or dropped) now. */
export function playableCards(selection: Selection, legal: readonly Option[]): Set<string> {
  const open = selection.kind === 'place' ? openMoves(selection, legal) : legal;
  return new Set(open.map((option) => option.move.card).filter((card) => typeof card === 'string'));
}
