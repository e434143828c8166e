/** A position as the board shows it. No rule of the game lives here: everything follows from the fields that are told. */
import type { PositionJson } from '../net/wire.ts';

export type Place = string;
export type Family = 'tunnel' | 'nest';

export interface Hand {
  /** Cards as letters, `C!` for a freebooter; empty where the hand is hidden. */
  readonly cards: readonly string[];
  readonly size: number;
  readonly hidden: boolean;
}

export interface Position extends Omit<PositionJson, 'hands' | 'row' | 'discard' | 'sloop'> {
  readonly family: Family;
  /** Whether the game has an open row, also while it is empty. */
  readonly hasRow: boolean;
  readonly hands: readonly Hand[];
  readonly row: readonly string[];
  readonly discard: readonly string[];
  /** The island where the sloop lies; 0 in a game without a second island. */
  readonly sloop: number;
}

export const SPOTS = { start: 's', sloop: 'b', nest: 'n' } as const;

/** Counted cards as single cards. */
function cardList(counts: Readonly<Record<string, number>> | null): string[] {
  return Object.entries(counts ?? {}).flatMap(([card, count]) => Array<string>(count).fill(card));
}

export function positionOf(json: PositionJson): Position {
  return {
    ...json,
    family: json.islands.length > 1 ? 'nest' : 'tunnel',
    hasRow: json.row !== null,
    hands: json.hands.map(({ size, cards }) => ({ size, cards: cardList(cards), hidden: cards === null })),
    row: json.row ?? [],
    discard: cardList(json.discard.cards),
    sloop: json.sloop ?? 0,
  };
}

/** A picture: pieces and pirates only. Pieces and seats are parted by `/`, islands by `|`. */
export function drawing(game: string, board: string, pirates: string, sloop = 1): Position {
  const seats = pirates.split('/').map((places) => places.split(','));
  const islands = board.split('|').map((island) => island.split('/'));
  return positionOf({
    rules: game,
    game,
    islands,
    pirates: seats,
    hands: seats.map(() => ({ size: 0, cards: {} })),
    row: null,
    stock: 0,
    discard: { size: 0, cards: {} },
    sloop: islands.length > 1 ? sloop : null,
    turn: {
      seat: 1,
      chooser: 1,
      used: 0,
      actions: 3,
      captain: false,
      passes: 0,
      row_due: 0,
      owed: 0,
      dropper: null,
      limit: null,
    },
  });
}

/** All places in track order. */
export function trackOf(islands: readonly (readonly string[])[]): Place[] {
  const track: Place[] = [SPOTS.start];
  let field = 1;
  islands.forEach((island, index) => {
    for (const piece of island) for (let i = 0; i < piece.length; i++) track.push(String(field++));
    if (index === 0) track.push(SPOTS.sloop);
  });
  if (islands.length === 2) track.push(SPOTS.nest);
  return track;
}
