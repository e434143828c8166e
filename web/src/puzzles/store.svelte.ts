/** The progress with the puzzles and the last choice, kept in this browser. */
import { load, save } from '../app/settings.svelte.ts';
import type { PuzzleChoice } from './choice.ts';
import { NOTHING_YET, readProgress, type Progress } from './progress.ts';

const KEY = 'cartagena.puzzles';
/** A progress that cannot be read is set aside here. */
const ASIDE = `${KEY}.damaged`;
const CHOICE = `${KEY}.choice`;

class Store {
  progress: Progress = $state.raw(NOTHING_YET);
  /** What is wrong with the storage, if anything. */
  problem: '' | 'damaged' | 'unsaved' = $state('');

  constructor() {
    this.read();
  }

  /** Take over what is stored: another window may have gone on. */
  read(): void {
    try {
      const text = localStorage.getItem(KEY);
      const found = readProgress(text);
      if (found) this.progress = text === null ? this.progress : found;
      else {
        localStorage.setItem(ASIDE, text ?? '');
        localStorage.removeItem(KEY);
        this.problem = 'damaged';
      }
    } catch {
      this.problem = 'unsaved';
    }
  }

  change(change: (progress: Progress) => Progress): void {
    this.read();
    this.progress = change(this.progress);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.progress));
    } catch {
      this.problem = 'unsaved';
    }
  }
}

export const store = new Store();

const isText = (value: unknown): value is string => typeof value === 'string';

/** What was chosen last. */
export function keptChoice(): PuzzleChoice {
  const kept = load<Partial<PuzzleChoice> | null>(CHOICE, null);
  return {
    game: isText(kept?.game) ? kept.game : 'jamaica',
    theme: isText(kept?.theme) ? kept.theme : '',
    difficulty: isText(kept?.difficulty) ? kept.difficulty : '',
  };
}

export const keepChoice = (choice: PuzzleChoice): void => save(CHOICE, choice);
