/** Which puzzle comes next: the one of a day, or one of a theme and a difficulty. */
import { sha256 } from '../engine/sha256.ts';
import type { Progress } from './progress.ts';

/** A position as the seat to move sees it, and the only turn that is clearly best, as `study/puzzles.py` writes it. */
export interface Puzzle {
  readonly name: string;
  readonly position: string;
  /** The turn, up to the first dealt card. */
  readonly solution: string;
  /** Win chance by which the solution is ahead of the next turn. */
  readonly margin: number;
  /** Nodes that the search needs to find the turn; more is harder. 0 for a turn of one's own game, which nobody measured. */
  readonly rating: number;
  readonly themes: readonly string[];
  /** The level that verified the puzzle; the captain where none is named. */
  readonly judge?: string;
}

/** The difficulties with the highest rating of each. */
export const DIFFICULTIES = { easy: 8, medium: 30, hard: Infinity } as const;
export type Difficulty = keyof typeof DIFFICULTIES;
const NAMES = Object.keys(DIFFICULTIES) as Difficulty[];

export const difficultyOf = ({ rating }: Puzzle): Difficulty =>
  NAMES.find((name) => rating <= DIFFICULTIES[name]) ?? 'hard';

/** What a person wants to solve; an empty text stands for all. */
export interface PuzzleChoice {
  readonly game: string;
  readonly theme: string;
  readonly difficulty: string;
}

export function fitting(puzzles: readonly Puzzle[], { theme, difficulty }: PuzzleChoice): Puzzle[] {
  return puzzles.filter(
    (puzzle) => (!theme || puzzle.themes.includes(theme)) && (!difficulty || difficultyOf(puzzle) === difficulty),
  );
}

/** The themes of some puzzles, the most frequent first. */
export function themesOf(puzzles: readonly Puzzle[]): string[] {
  const counts = new Map<string, number>();
  for (const theme of puzzles.flatMap((puzzle) => puzzle.themes)) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  return [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).map(([theme]) => theme);
}

/** One of the fitting puzzles that are not solved, by a number from 0 to 1; solved ones again when none is left. */
export function nextOf(
  puzzles: readonly Puzzle[],
  choice: PuzzleChoice,
  { results }: Progress,
  chance: number,
  now = '',
): Puzzle | undefined {
  const fit = fitting(puzzles, choice).filter(({ name }) => name !== now);
  const fresh = fit.filter(({ name }) => (results[name] ?? 'missed') === 'missed');
  const open = fresh.length ? fresh : fit;
  return open[Math.floor(chance * open.length)];
}

/** The next unsolved mistake after a given one, in their order, beginning anew at the end; undefined if all are solved. */
export function nextMistake(mistakes: readonly Puzzle[], { results }: Progress, now = ''): Puzzle | undefined {
  const at = mistakes.findIndex(({ name }) => name === now);
  const others = [...mistakes.slice(at + 1), ...mistakes.slice(0, Math.max(at, 0))];
  return others.find(({ name }) => (results[name] ?? 'missed') === 'missed');
}

// --- the puzzle of a day

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The day by Universal Time, the same everywhere. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Whether a text names a day of the calendar. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && dayOf(time) === text;
}

/** The puzzle of a day, as `study.puzzles.daily` finds it. */
export function dailyOf(puzzles: readonly Puzzle[], game: string, day: string): Puzzle | undefined {
  const number = BigInt(`0x${sha256(`${game} ${day}`).slice(0, 16)}`);
  return puzzles[Number(number % BigInt(puzzles.length))];
}
