/** Decisions: from what a person wants to the events it leads to, or a refusal. Nothing is changed here. */
import { IllegalMove } from '../engine/index.ts';
import { Refused } from '../net/api.ts';
import { STAND_IN } from './levels.ts';
import type { Happening } from './events.ts';
import { Facts } from './facts.ts';
import { moveText } from './notation.ts';
import type { LocalTable } from './table.ts';
import { undoSentence } from './updates.ts';
import type { MoveJson } from '../net/wire.ts';

/** A wish that saw a version of the game, for a seat. */
interface Wish {
  readonly version: number;
  readonly seat: number;
}

const MOST_TALK = 200;

/** The game must go on, at the version that a wish has seen. */
function mustPlay(table: LocalTable, version = table.version): void {
  if (table.stage === 'waiting') throw new Refused('not-started', 'The cards are not dealt yet.');
  if (table.stage === 'over') throw new Refused('over', 'The game is over.', null, table.version);
  if (version !== table.version)
    throw new Refused('stale', `The game is at version ${table.version}, not ${version}.`, null, table.version);
}

/** A person's move. */
export function playing(table: LocalTable, wish: Wish, move: MoveJson, ms: number): Happening[] {
  mustPlay(table, wish.version);
  if (wish.seat !== table.chooser || table.byComputer(wish.seat)) {
    throw new Refused('not-your-turn', `Seat ${table.chooser} must choose now.`, null, table.version);
  }
  return moving(table, moveText(move), ms);
}

/** A move of the chooser, with the cards that follow from the secret. */
export function moving(table: LocalTable, move: string, ms: number): Happening[] {
  try {
    const [{ seat, cards }] = table.carryOut(move, table.secretCard);
    return [{ kind: 'move', seat, move, cards, ms }];
  } catch (error) {
    if (!(error instanceof IllegalMove)) throw error;
    throw new Refused('illegal', `${error.message}.`, error.code, table.version);
  }
}

/** Take back the last move of the seat's own turn. */
export function takingBack(table: LocalTable, wish: Wish, ms: number): Happening[] {
  mustPlay(table, wish.version);
  // The seat whose turn it is may take back although another one at this device must drop a card.
  const active = table.position ? new Facts(table.engine, table.position).active : 0;
  const seat = table.held.includes(active) ? active : wish.seat;
  const block = table.undoBlock(seat);
  if (block) throw new Refused('no-undo', undoSentence(table, block), block, table.version);
  return [{ kind: 'undo', seat, ms }];
}

/** Give up with seats. With more than one seat left the computer plays on. */
export function resigning(table: LocalTable, held: readonly number[], ms: number): Happening[] {
  mustPlay(table);
  const seats = held.filter((seat) => !table.chair(seat).resigned);
  if (seats.length === 0) throw new Refused('over', 'That seat has resigned already.', null, table.version);
  const standing = table.chairs.filter(({ resigned }) => !resigned).length;
  return charged(seats.slice(0, standing - 1).map((seat) => ({ kind: 'resign', seat, level: replacement(table), ms })));
}

/** Let the computer take seats over until their person comes back. */
export function leaving(table: LocalTable, seats: readonly number[], why: 'left' | 'time', ms: number): Happening[] {
  mustPlay(table);
  const present = seats.filter((seat) => !table.byComputer(seat));
  return charged(present.map((seat) => ({ kind: 'away', seat, why, level: replacement(table), ms })));
}

/** Take seats back from the computer. */
export function comingBack(table: LocalTable, seats: readonly number[], ms: number): Happening[] {
  mustPlay(table);
  const away = seats.filter((seat) => table.chair(seat).away !== null && !table.chair(seat).resigned);
  const back = away.filter((seat) => table.mayReturn(seat));
  if (away.length > 0 && back.length === 0)
    throw new Refused('out-of-time', 'The time is used up; the computer plays on.', null, table.version);
  return charged(back.map((seat) => ({ kind: 'back', seat, ms })));
}

export function talking(table: LocalTable, text: string): Happening[] {
  return [{ kind: 'talk', seat: table.seatHere || 1, text: text.slice(0, MOST_TALK) }];
}

const replacement = (table: LocalTable): string => table.setup.replace ?? STAND_IN;

/** The first of several events carries the thinking time. */
function charged(events: Happening[]): Happening[] {
  return events.map((event, index) => (index === 0 || !('ms' in event) ? event : { ...event, ms: 0 }));
}
