/** The meaning of a pick. Moves, their targets and reasons all come from the server. */
import type { Place } from '../game/position.ts';
import type { NearMiss, Option } from '../net/wire.ts';

export type Selection =
  | { readonly kind: 'none' }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'card'; readonly card: string };

export const NOTHING: Selection = { kind: 'none' };

export interface Picked {
  readonly selection: Selection;
  /** The only possible move. */
  readonly play?: Option;
  /** Several moves are possible: the person chooses. */
  readonly among?: readonly Option[];
  /** No move is possible there, and why. */
  readonly refused?: Obstacle;
}

/** Why a pick does nothing: a reason of the rules, a taken field, or nothing of what is picked leads there. */
export type Obstacle =
  | { readonly kind: 'miss'; readonly miss: NearMiss }
  | { readonly kind: 'place'; readonly reason: string; readonly place: Place }
  | { readonly kind: 'passed'; readonly option: Option; readonly place: Place }
  | { readonly kind: 'unreached'; readonly by: 'place' | 'card' };

export interface Choices {
  readonly legal: readonly Option[];
  readonly illegal: readonly NearMiss[];
  readonly elsewhere?: readonly { readonly reason: string; readonly places: readonly Place[] }[];
}

function resolve(hits: readonly Option[], selection: Selection): Picked {
  const [only] = hits;
  if (hits.length === 1 && only) return { selection: NOTHING, play: only };
  return { selection, among: hits };
}

function missed(misses: readonly NearMiss[]): Obstacle | undefined {
  const [miss] = misses;
  return miss && { kind: 'miss', miss };
}

/** Why what is picked does not go there. */
function unreached(selection: Selection, place: Place, choices: Choices): Obstacle {
  const option = openMoves(selection, choices.legal).find((item) => item.passed?.includes(place));
  if (option) return { kind: 'passed', option, place };
  const stuck = missed(
    choices.illegal.filter(
      (miss) => miss.move.from === place && (selection.kind !== 'card' || miss.move.card === selection.card),
    ),
  );
  return stuck ?? { kind: 'unreached', by: selection.kind === 'card' ? 'card' : 'place' };
}

export function pickPlace(selection: Selection, place: Place, choices: Choices): Picked {
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
    const stuck = missed(illegal.filter((miss) => miss.move.from === place && miss.move.card === selection.card));
    if (stuck) return { selection, refused: stuck };
  }
  if (legal.some((option) => option.move.from === place)) return { selection: { kind: 'place', place } };
  if (selection.kind !== 'none') return { selection, refused: unreached(selection, place, choices) };
  const stuck = missed(illegal.filter((miss) => miss.move.from === place));
  if (stuck) return { selection: NOTHING, refused: stuck };
  const leading = legal.filter((option) => option.to === place && option.move.from);
  if (leading.length > 0) return { selection: NOTHING, among: leading };
  const reason = choices.elsewhere?.find((item) => item.places.includes(place))?.reason;
  return reason ? { selection: NOTHING, refused: { kind: 'place', reason, place } } : { selection: NOTHING };
}

export function pickCard(selection: Selection, card: string, choices: Choices): Picked {
  const { legal, illegal } = choices;
  if (selection.kind === 'place') {
    const hit = legal.find((option) => option.move.from === selection.place && option.move.card === card);
    if (hit) return { selection: NOTHING, play: hit };
    const refused = missed(illegal.filter((miss) => miss.move.from === selection.place && miss.move.card === card));
    if (refused) return { selection, refused };
  }
  if (selection.kind === 'card' && selection.card === card) return { selection: NOTHING };
  if (legal.some((option) => option.move.card === card)) return { selection: { kind: 'card', card } };
  const refused = missed(illegal.filter((miss) => miss.move.card === card));
  return refused ? { selection: NOTHING, refused } : { selection: NOTHING };
}

/** Which one of several was meant: the moves with this pirate or this card; the rest of a pick is unchanged. */
export function narrow(
  among: readonly Option[],
  by: { readonly place?: Place; readonly card?: string; readonly crew?: number | undefined },
  mover = 1,
): readonly Option[] {
  return among.filter(
    (option) =>
      (by.place === undefined || option.move.from === by.place) &&
      (by.crew === undefined || (option.move.seat ?? mover) === by.crew) &&
      (by.card === undefined || option.move.card === by.card),
  );
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
