/** Puzzles from one's own games: turns that cost a lot, kept in this browser. */
import { loadList, save } from '../app/settings.svelte.ts';
import type { Puzzle } from './choice.ts';

/** The word that stands for a game in the address of such a puzzle. */
export const OWN = 'own';
const KEY = 'cartagena.mistakes';
/** How many are kept, the latest first. */
const MOST = 60;

/** A mistake as a puzzle; `margin` is what it cost. */
export const ownPuzzles = (): Puzzle[] =>
  loadList<Puzzle>(KEY, { name: 'string', position: 'string', solution: 'string', margin: 'number', themes: 'object' });

/** Keep the mistakes of a game; those that are kept already stay once. */
export function keepMistakes(mistakes: readonly Puzzle[]): void {
  const names = new Set(mistakes.map(({ name }) => name));
  save(KEY, [...mistakes, ...ownPuzzles().filter(({ name }) => !names.has(name))].slice(0, MOST));
}

/** The game of a puzzle, from the name of its rule set. */
export const gameOf = ({ position }: Pick<Puzzle, 'position'>): string => position.split(/[- ]/)[0] ?? '';
