/** The puzzles that come with the page: one file a game, fetched when it is needed first. */
import jamaica from '../../../src/cartagena/study/data/puzzles-jamaica.json?url';
import nest from '../../../src/cartagena/study/data/puzzles-nest.json?url';
import tortuga from '../../../src/cartagena/study/data/puzzles-tortuga.json?url';
import { madeOnce } from '../engine/messages.ts';
import { Refused } from '../net/api.ts';
import { dailyOf, isDay, type Puzzle } from './choice.ts';
import { OWN, ownPuzzles } from './mistakes.ts';

const FILES = { jamaica, tortuga, nest };
export type PuzzleGame = keyof typeof FILES;
export const GAMES = Object.keys(FILES) as PuzzleGame[];

async function fetchPuzzles(file: string): Promise<readonly Puzzle[]> {
  try {
    const response = await fetch(file);
    if (response.ok) return (await response.json()) as readonly Puzzle[];
  } catch {
    // The line is lost, or the file is damaged: told below.
  }
  throw new Refused('puzzles-missing', 'The puzzles cannot be fetched.');
}

const puzzlesIn = madeOnce(fetchPuzzles);

/** The puzzles of a game. Raises Refused where they cannot be fetched; the next call tries again. */
export const puzzlesOf = (game: PuzzleGame): Promise<readonly Puzzle[]> => puzzlesIn(FILES[game]);

export const isGame = (text: string): text is PuzzleGame => GAMES.includes(text as PuzzleGame);

/** The puzzle of a name, or of a day, or from one's own games. Raises Refused where there is none. */
export async function findPuzzle(game: string, name: string): Promise<Puzzle> {
  if (game === OWN) return ownPuzzles().find((puzzle) => puzzle.name === name) ?? noSuchPuzzle();
  if (!isGame(game)) throw new Refused('no-such-puzzle', 'There are no puzzles of this game.');
  const puzzles = await puzzlesOf(game);
  const found = isDay(name) ? dailyOf(puzzles, game, name) : puzzles.find((puzzle) => puzzle.name === name);
  return found ?? noSuchPuzzle();
}

function noSuchPuzzle(): never {
  throw new Refused('no-such-puzzle', 'There is no such puzzle.');
}
