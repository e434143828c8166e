/** Moves, places, cards and refusals in words, in the language chosen. */
import { signOf } from '../board/signs.ts';
import { SPOTS, type Family, type Place, type Position } from '../game/position.ts';
import { keyFor, speech, t, wordsFor } from '../i18n/i18n.svelte.ts';
import { levelName } from '../i18n/names.ts';
import { dayWords } from '../i18n/when.ts';
import { NO_SERVER, OFFLINE, Refused } from '../net/api.ts';
import type { MoveJson, NearMiss, Option, SeatJson, TableEvent, Undo } from '../net/wire.ts';

const COLOURS = ['blue', 'red', 'yellow', 'green', 'brown'] as const;

export function colourName(seat: number): string {
  return t(`crew.${COLOURS[seat - 1] ?? 'blue'}`);
}

/** A colour as the name of its crew, in a sentence, too. */
export const crewName = (seat: number): string => capital(colourName(seat));

type Seated = Pick<SeatJson, 'name' | 'level'> & Partial<Pick<SeatJson, 'kind'>>;

/** Who sits at a seat: the name, else the level of a computer, else the colour, also while the computer plays for a person. */
export const seatName = (seat: number, person: Seated | undefined): string =>
  person?.name || (person?.level && person.kind !== 'person' ? levelName(person.level) : crewName(seat));

/** A place as the messages know it: `start`, `sloop`, `nest`, or the number of a field. */
function placeCode(place: Place): string {
  return Object.entries(SPOTS).find(([, spot]) => spot === place)?.[0] ?? place;
}

export function placeName(place: Place): string {
  return t('place', { place: placeCode(place) });
}

/** A place in few letters: a field by its number. */
export function shortPlace(place: Place): string {
  return t('place.short', { place: placeCode(place) });
}

const isFreebooter = (card: string): boolean => card.endsWith('!');

/** The sign of a field or a card, for lists. */
export function signName(family: Family, card: string): string {
  const sign = t(`sign.${signOf(family, card.slice(0, 1))}`);
  return isFreebooter(card) ? t('sign.freebooter', { sign }) : sign;
}

/** A card, for sentences. */
export function cardName(family: Family, card: string): string {
  const sign = signOf(family, card.slice(0, 1));
  return isFreebooter(card) ? t('card.freebooter', { sign: t(`sign.${sign}`) }) : t(`card.${sign}`);
}

/** The names of the islands that the sloop sails between. */
export const berthNames = ({ family }: Position): string[] =>
  family === 'nest' ? [1, 2].map((number) => t('board.island', { number })) : [];

/** A place with its sign and its pirates, for a screen reader. */
export function placeWithPeople(position: Position, place: Place): string {
  const letter = position.islands.flat().join('')[Number(place) - 1];
  const crews = position.pirates.flatMap((places, index) => {
    const count = places.filter((at) => at === place).length;
    return count ? [t('place.crew', { n: count, colour: colourName(index + 1) })] : [];
  });
  const name = letter
    ? t('place.sign', { place: placeName(place), sign: signName(position.family, letter) })
    : placeName(place);
  return crews.length ? t('place.crews', { place: name, crews: crews.join(', ') }) : name;
}

function partsOf(family: Family, move: MoveJson): { from: string; card: string; owner: string } {
  return {
    from: placeCode(move.from ?? ''),
    card: move.card ? cardName(family, move.card) : '',
    owner: move.seat ? colourName(move.seat) : '',
  };
}

export function optionWords(family: Family, option: Option): string {
  return t(`option.${option.move.kind}`, {
    ...partsOf(family, option.move),
    to: placeCode(option.to ?? ''),
    n: option.cards,
  });
}

/** Why a move is not possible; the server's sentence for a code that has no translation. */
export function missWords(family: Family, miss: NearMiss, mover: number): string {
  const key = keyFor('reason', miss.reason);
  if (!key) return miss.message;
  const { from, card, owner } = partsOf(family, miss.move);
  return t(key, { place: from, card, owner: miss.move.seat === mover ? OWN : owner || OWN });
}

/** The owner of a pirate in a reason, where it is the reader. */
const OWN = 'you';

/** Why no move begins or ends at a place. */
export function placeReason(reason: string, place: Place): string {
  const key = keyFor('reason', reason);
  return key ? t(key, { place: placeCode(place), card: '', owner: OWN }) : t('code.illegal');
}

/** Why something failed; what is no refusal of the server is our own fault. */
export function failureWords(error: unknown): string {
  return error instanceof Refused ? refusalWords(error) : t('code.failed');
}

export function refusalWords({ code, reason, message }: Refused): string {
  const exact = reason ? (wordsFor('undo', reason) ?? wordsFor('reason', reason)) : undefined;
  return exact ?? wordsFor('code', code === NO_SERVER ? OFFLINE : code) ?? message;
}

/** Why a move cannot be taken back. */
export function undoWords({ reason, message }: Undo): string {
  return wordsFor('undo', reason ?? 'nothing-to-undo') ?? message ?? '';
}

/** Whether there are words for an event: a newer server may tell of others. */
export const hasWords = ({ type }: TableEvent): boolean => keyFor('event', type) !== undefined;

/** One line of the log. */
export function eventWords(family: Family, event: TableEvent, who: (seat: number) => string): string {
  const name = event.seat ? who(event.seat) : '';
  if (event.type !== 'move' || !event.move) {
    const level = levelName(event.level ?? '');
    const late = { left: 'timeup', resigned: 'expired' } as const;
    const kind =
      event.why === 'time' && (event.type === 'left' || event.type === 'resigned') ? late[event.type] : event.type;
    const until = event.until ? dayWords(event.until, speech.grammar) : '';
    return capital(t(`event.${kind}`, { name, text: event.text ?? '', level, until }));
  }
  return capital(moveWords(family, event.move, event.to ?? '', name, event.draws ?? 0));
}

/** The text with its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function moveWords(family: Family, move: MoveJson, to: Place, name: string, draws: number): string {
  return t(`did.${move.kind}`, { name, ...partsOf(family, move), to: placeCode(to), n: draws });
}

interface Situation {
  readonly position: Position | undefined;
  readonly viewer: number;
  readonly actions: number;
  readonly outcome: { winner: number | null; how: string } | null;
  readonly nameOf: (seat: number) => string;
  /** The viewer can only end the turn. */
  readonly stuck?: boolean;
  /** What the viewer must do beside moving, in words. */
  readonly duty?: string | undefined;
}

/** Whose turn it is and how many actions are left. */
export function statusWords(model: Situation): string {
  return capital(situation(model));
}

function situation({ position, viewer, actions, outcome, nameOf, stuck, duty }: Situation): string {
  if (!position) return '';
  if (outcome) return resultWords(outcome, viewer, nameOf);
  const { turn } = position;
  const left = Math.max(0, actions - turn.used);
  if (turn.dropper) {
    const n = (position.hands[turn.dropper - 1]?.size ?? 0) - (turn.limit ?? 0);
    return turn.dropper === viewer
      ? (duty ?? t('status.drop', { n }))
      : t('status.drops', { n, name: nameOf(turn.dropper) });
  }
  if (turn.seat !== viewer) return t('status.turn', { n: left, name: nameOf(turn.seat) });
  if (left === 0) return t('status.end');
  return stuck ? t('status.stuck') : t('status.yours', { n: left });
}

/** How the game ended, for the viewer. */
export function resultWords(
  outcome: { winner: number | null; how?: string },
  viewer: number,
  nameOf: (seat: number) => string,
): string {
  if (outcome.winner === null) return t(outcome.how === 'becalmed' ? 'status.becalmed' : 'status.deadlock');
  return outcome.winner === viewer ? t('status.won') : t('status.lost', { name: nameOf(outcome.winner) });
}

/** What is special about this turn, beside whose it is; empty if nothing is. */
export function specialWords({ position, viewer, outcome, nameOf }: Situation): string {
  const turn = position?.turn;
  if (!turn?.captain || outcome || turn.dropper) return '';
  return turn.seat === viewer ? t('status.captain') : capital(t('status.captain.other', { name: nameOf(turn.seat) }));
}

/** All that a screen reader is told of a turn: whose it is, what is special about it, and a hand with too many cards. */
export function turnWords(situation: Situation): string {
  const { position, viewer } = situation;
  const { limit } = position?.turn ?? {};
  const isFull = limit !== undefined && limit !== null && (position?.hands[viewer - 1]?.size ?? 0) > limit;
  const warning = isFull && !position?.turn.dropper ? t('warn.limit.short', { limit }) : '';
  return [statusWords(situation), specialWords(situation), warning].filter(Boolean).join(' ');
}

/** A name in two parts: where several crews share a narrow line, computers go by their first names. */
export function nameParts(seat: number, person: SeatJson | undefined): [string, string] {
  const name = seatName(seat, person);
  const end = person?.kind === 'computer' ? name.indexOf(' ') : -1;
  return end < 0 ? [name, ''] : [name.slice(0, end), name.slice(end)];
}
