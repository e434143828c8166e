/** How far a person has come with the puzzles, as it is stored in this browser. Nothing here touches the browser. */

/** `missed`: tried or shown, not solved yet; `later`: solved after that; `first`: solved at the first attempt. */
type Result = 'missed' | 'later' | 'first';
const RESULTS: readonly unknown[] = ['missed', 'later', 'first'];

export interface Progress {
  /** The form of this object. */
  readonly form: 1;
  readonly results: Readonly<Record<string, Result>>;
  /** Puzzles in a row that were solved at the first attempt. */
  readonly streak: number;
  readonly best: number;
  /** The last day whose puzzle was solved, by game. */
  readonly days: Readonly<Record<string, string>>;
}

export const NOTHING_YET: Progress = { form: 1, results: {}, streak: 0, best: 0, days: {} };

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function isProgress(value: unknown): value is Progress {
  if (!isPlain(value) || value['form'] !== 1) return false;
  const { results, days, streak, best } = value;
  if (!isPlain(results) || !isPlain(days) || !isCount(streak) || !isCount(best)) return false;
  return (
    Object.values(results).every((each) => RESULTS.includes(each)) &&
    Object.values(days).every((each) => typeof each === 'string')
  );
}

/** What a stored text says; undefined where it cannot be read. */
export function readProgress(text: string | null): Progress | undefined {
  if (text === null) return NOTHING_YET;
  try {
    const value: unknown = JSON.parse(text);
    return isProgress(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** After a wrong turn, or after the solution was shown: the streak ends, unless the puzzle had been solved before. */
export function missed(progress: Progress, name: string): Progress {
  const before = progress.results[name];
  if (before === 'first' || before === 'later') return progress;
  return { ...progress, streak: 0, results: { ...progress.results, [name]: 'missed' } };
}

/** After the right turn. A puzzle that was solved before counts no more. */
export function solved(progress: Progress, name: string): Progress {
  const before = progress.results[name];
  if (before === 'first' || before === 'later') return progress;
  const result = before === 'missed' ? 'later' : 'first';
  const streak = result === 'first' ? progress.streak + 1 : progress.streak;
  return {
    ...progress,
    streak,
    best: Math.max(progress.best, streak),
    results: { ...progress.results, [name]: result },
  };
}

/** After the right turn in the puzzle of a day; the latest day is kept. */
export function dayDone(progress: Progress, game: string, day: string): Progress {
  const latest = [progress.days[game] ?? '', day].sort().at(-1) ?? day;
  return { ...progress, days: { ...progress.days, [game]: latest } };
}

/** How many of some puzzles are solved. */
export const countSolved = ({ results }: Progress, puzzles: readonly { readonly name: string }[]): number =>
  puzzles.filter(({ name }) => results[name] === 'first' || results[name] === 'later').length;
