/** Reads the nine words of a position (docs/notation.md). It is notation only: no rule of the game lives here. */
export type Place = string;
export type Family = 'tunnel' | 'nest';

export interface Hand {
  /** Cards as letters, `C!` for a freebooter; empty where the hand is hidden. */
  readonly cards: readonly string[];
  readonly size: number;
  readonly hidden: boolean;
}

export interface Turn {
  readonly seat: number;
  readonly used: number;
  readonly captain: boolean;
  readonly dropper: number;
  readonly owed: number;
  readonly rowDue: number;
  /** Undefined while the game goes on; 0: nobody won. */
  readonly winner: number | undefined;
}

export interface Position {
  readonly text: string;
  readonly rules: string;
  readonly game: string;
  readonly edition: string;
  readonly family: Family;
  /** Islands, each a list of pieces, each a string of sign letters. */
  readonly islands: readonly (readonly string[])[];
  /** For each seat where its pirates stand. */
  readonly pirates: readonly (readonly Place[])[];
  readonly hands: readonly Hand[];
  readonly row: readonly string[];
  readonly stock: number;
  readonly discard: readonly string[];
  readonly sloop: 0 | 1 | 2;
  readonly turn: Turn;
}

export const SPOTS = { start: 's', sloop: 'b', nest: 'n' } as const;

/** `BD4H` as single cards. */
export function readCards(text: string): string[] {
  if (text === '-') return [];
  const cards: string[] = [];
  for (const match of text.matchAll(/([A-Z]!?)(\d*)/g)) {
    for (let i = 0; i < Number(match[2] || '1'); i++) cards.push(match[1] ?? '');
  }
  return cards;
}

export function readHand(text: string): Hand {
  if (text.startsWith('?')) return { cards: [], size: Number(text.slice(1)), hidden: true };
  const cards = readCards(text);
  return { cards, size: cards.length, hidden: false };
}

export function readTurn(text: string): Turn {
  if (text.startsWith('=')) {
    return { seat: 0, used: 0, captain: false, dropper: 0, owed: 0, rowDue: 0, winner: Number(text.slice(1)) };
  }
  const number = (mark: RegExp): number => Number(mark.exec(text)?.[1] ?? 0);
  return {
    seat: number(/^(\d+)\./),
    used: number(/^\d+\.(\d+)/),
    captain: text.includes('c'),
    dropper: number(/!(\d+)/),
    owed: number(/\+(\d+)/),
    rowDue: number(/r(\d+)/),
    winner: undefined,
  };
}

/** The position that a text says; throws where there are not nine words. */
export function readPosition(text: string): Position {
  const words = text.split(' ');
  const [rules = '', board = '', pirates = '', hands = '', row = '', stock = '', discard = '', sloop = '', turn = ''] = words;
  if (words.length !== 9) throw new Error('a position has nine words');
  const [game = '', edition = ''] = rules.split(/[-+]/);
  return {
    text,
    rules,
    game,
    edition,
    family: game === 'nest' ? 'nest' : 'tunnel',
    islands: board.split('|').map((island) => island.split('/')),
    pirates: pirates.split('/').map((places) => (places === '' ? [] : places.split(','))),
    hands: hands.split('/').map(readHand),
    row: row === '-' ? [] : row.split(''),
    stock: readHand(stock).size,
    discard: readCards(discard),
    sloop: sloop === '1' ? 1 : sloop === '2' ? 2 : 0,
    turn: readTurn(turn),
  };
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

/** How many pirates of each seat stand on a place. */
export function crewsAt(position: Position, place: Place): number[] {
  return position.pirates.map((places) => places.filter((at) => at === place).length);
}
