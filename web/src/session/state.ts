/** From an update to the table as it is and to what has happened, as typed happenings. Nothing here changes anything. */
import type { Outcome, TableEvent, Update } from '../net/wire.ts';
import { afterLots } from './recent.ts';

/** Something that an event of the table tells; `own`: of a seat that this browser holds. */
interface Told {
  readonly kind: 'moved' | 'undone' | 'said' | 'left' | 'returned' | 'resigned' | 'taken-over';
  readonly event: TableEvent;
  readonly own: boolean;
}

export type Happening =
  | Told
  /** It is the viewer's turn now. */
  | { readonly kind: 'turn' }
  /** The others wait for a person who is not connected. */
  | { readonly kind: 'absent'; readonly seat: number }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  /** The table has another past than was told: all of it is shown anew. */
  | { readonly kind: 'replaced' };

const KINDS: Partial<Record<TableEvent['type'], Told['kind']>> = {
  move: 'moved',
  undo: 'undone',
  talk: 'said',
  left: 'left',
  back: 'returned',
  resigned: 'resigned',
  standin: 'taken-over',
};

export interface TableState {
  readonly update: Update;
  /** The events that lead to the position, from its last update on. */
  readonly fresh: readonly TableEvent[];
  /** What happened before the deal: its seats are chairs. */
  readonly waited: readonly TableEvent[];
}

export interface Step {
  readonly state: TableState;
  readonly happenings: readonly Happening[];
}

/** The table after an update. Without a table before it was just opened: what is past is no news. */
export function reduce(before: TableState | undefined, update: Update): Step {
  const { position, events, fair } = update;
  const waited = before?.waited ?? [];
  const state = position
    ? { update, fresh: [...afterLots(waited, fair.lots ?? []), ...events], waited: [] }
    : { update, fresh: [], waited: [...waited, ...events] };
  return { state, happenings: [...(before ? newsOf(before, update) : []), ...absenceOf(before, update)] };
}

function newsOf({ update: old }: TableState, update: Update): Happening[] {
  const told = update.events.flatMap((event): Happening[] => {
    const kind = KINDS[event.type];
    return kind ? [{ kind, event, own: update.you.seats.includes(event.seat ?? 0) }] : [];
  });
  const { outcome } = update;
  const ended: Happening[] = outcome && !old.outcome ? [{ kind: 'ended', outcome }] : [];
  return [...told, ...ended, ...(isTurnNew(old, update) ? [{ kind: 'turn' } as const] : [])];
}

export const isChoosing = ({ options }: Update): boolean => options !== null && options !== undefined;
/** Whether people sit at more than one device. */
export const hasCompany = ({ seats, you }: Update): boolean => {
  const people = seats.filter(({ kind }) => kind === 'person');
  return people.length > 1 && people.some(({ seat }) => !you.seats.includes(seat));
};

export const isHotSeat = ({ you }: Update): boolean => you.seats.length > 1;

/** One update may hold several changes: then only the moves show that others had their turn. */
function isTurnNew(old: Update, update: Update): boolean {
  if (!isChoosing(update) || isHotSeat(update)) return false;
  return !isChoosing(old) || update.events.some(({ type, seat }) => type === 'move' && seat !== update.you.seat);
}

/** Whether the table is by post: its players need not be there. */
export const isByPost = ({ seats }: Pick<Update, 'seats'>): boolean => typeof seats[0]?.holidays === 'number';

/** The seat of the absent person whom the others wait for; 0: there is none. */
export function absentSeat(update: Update | undefined): number {
  const seat = update?.stage === 'playing' ? update.seats[(update.position?.turn.chooser ?? 0) - 1] : undefined;
  if (!update || !seat || seat.online || isByPost(update)) return 0;
  return seat.away || seat.resigned || update.you.seats.includes(seat.seat) ? 0 : seat.seat;
}

function absenceOf(before: TableState | undefined, update: Update): Happening[] {
  const seat = absentSeat(update);
  return seat && seat !== absentSeat(before?.update) ? [{ kind: 'absent', seat }] : [];
}
