/** The clocks of a table, by the same time that decides in this browser. */
import type { Snapshot, Update } from '../net/wire.ts';
import { absentSeat } from './state.ts';

/** Milliseconds of the steady clock of the page. Clocks are shown and decided by it, because it never goes back. */
export const now = (): number => performance.now();

/** Less than this is little time, in milliseconds. */
const LOW = 20_000;

/** The same at a table with this clock: a turn of few seconds does not begin with little time. */
export const littleTime = (clock: Snapshot['setup']['clock']): number =>
  clock?.kind === 'turn' ? Math.min(LOW, (clock.seconds * 1000) / 3) : LOW;

export interface Clock {
  readonly text: string;
  /** The time runs out: the clock is running, and little is left. */
  readonly low: boolean;
  readonly running: boolean;
  /** What it says where there is room. */
  readonly title?: string;
}

/** The time left on each seat's clock, so many milliseconds after the update came. */
export function clocksOf({ clock, seats }: Update, since: number, little = LOW): (Clock | undefined)[] {
  const running = (clock as { seat?: number } | null)?.seat;
  return seats.map((seat) => {
    if (seat.clock === null || seat.clock === undefined) return undefined;
    const left = Math.max(0, seat.clock - (running === seat.seat ? Math.max(0, since) : 0));
    const isRunning = running === seat.seat;
    return { text: clockText(left), low: isRunning && left <= little, running: isRunning };
  });
}

/** The absent person whom the others wait for, and the time until the computer takes over, if it does. */
export function absenceAt(
  update: Update,
  since: number,
): { readonly seat: number; readonly time: string | undefined } | undefined {
  const seat = absentSeat(update);
  if (!seat) return undefined;
  const left = update.absent ? update.absent.left - since : undefined;
  return {
    seat,
    time: left === undefined ? clocksOf(update, since)[seat - 1]?.text : clockText(Math.max(0, left)),
  };
}

function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
