/** Updates: what the persons at this device are told about a table, in the form of a server's updates. */
import type { Position } from '../engine/index.ts';
import type { TableEvent, Undo, Update } from '../net/wire.ts';
import { SHOWN_AS, type LocalEvent } from './events.ts';
import { Facts, toldMove } from './facts.ts';
import type { LocalTable } from './table.ts';

export interface Looking {
  /** The events after this number are told. */
  readonly after: number;
  /** How long the chooser has been thinking since the last event, in milliseconds. */
  readonly thinking: number;
  /** The seat looked through (0: a spectator), else the chooser's, else the first one held. */
  readonly seat?: number;
}

/** The view of a seat; for the players of a finished game the whole position. */
export function visible(table: LocalTable, seat: number): Position | undefined {
  if (!table.position) return undefined;
  return table.stage === 'over' && seat ? table.position : table.engine.view(table.position, seat);
}

export function updateOf(table: LocalTable, { after, thinking, seat = table.seatHere }: Looking): Update {
  const view = visible(table, seat);
  const facts = view && new Facts(table.engine, view);
  const running = table.clocks.runs && table.chooser > 0;
  return {
    type: 'update',
    table: table.id,
    seq: table.seq,
    version: table.version,
    stage: table.stage,
    you: { seat, seats: seat ? table.held : [], host: seat > 0 },
    seats: seatsOf(table, thinking),
    events: table.events.flatMap((event, index) => (index < after ? [] : (told(table, event, index + 1, seat) ?? []))),
    text: null,
    position: facts?.json() ?? null,
    options: facts && seat > 0 && table.chooser === seat && !table.byComputer(seat) ? facts.options() : null,
    undo: undoOf(table, seat),
    clock: running ? { seat: table.chooser, left: table.clocks.left(table.chooser, thinking) } : null,
    absent: null,
    outcome: table.outcome ?? null,
    fair: {
      commitment: table.commitment,
      secret: table.stage === 'over' && seat ? table.secret : null,
      salts: table.position ? table.salts : null,
      lots: table.position ? [...table.order] : null,
    },
    next: table.next,
  };
}

function seatsOf(table: LocalTable, thinking: number): Update['seats'] {
  return table.chairs.map((_, index) => {
    const seat = index + 1;
    const { salt, ...chair } = table.chair(seat);
    return {
      ...chair,
      seat,
      level: table.byComputer(seat) ? chair.level : null,
      taken: true,
      may_return: table.mayReturn(seat),
      online: true,
      salted: salt !== '',
      clock: table.clocks.left(seat, thinking),
    };
  });
}

export const undoSentence = ({ engine }: LocalTable, reason: string): string =>
  engine.program.data.undo[reason] ?? reason;

function undoOf(table: LocalTable, seat: number): Undo {
  const reason = seat ? table.undoBlock(seat) : 'not-seated';
  return { possible: reason === null, reason, message: reason && undoSentence(table, reason) };
}

/** What a seat may see of an event; nothing of a move that was taken back. */
function told(table: LocalTable, event: LocalEvent, seq: number, seat: number): TableEvent | undefined {
  const fields = fieldsOf(table, event, seq, seat);
  return fields && { seq, at: event.at, type: SHOWN_AS[event.kind], ...fields };
}

function fieldsOf(table: LocalTable, event: LocalEvent, seq: number, seat: number): Partial<TableEvent> | undefined {
  switch (event.kind) {
    case 'salt':
      return { seat: table.seatOf(event.chairs[0] ?? 0) };
    case 'deal':
      return {};
    case 'move': {
      const played = table.played.get(seq);
      if (!played) return undefined;
      const everything = table.stage === 'over' && seat > 0;
      const sees = (number: number): boolean => everything || played.shown[number]?.[seat] === true;
      const seen = played.cards.map((card, number) => (sees(number) ? card : '?'));
      return toldMove(played, seen);
    }
    case 'undo':
      return { seat: event.seat, undone: table.undone.get(seq) ?? 0 };
    case 'away':
      return { seat: event.seat, why: event.why };
    case 'talk':
      return { seat: event.seat, text: event.text };
    case 'standin':
      return { seat: event.seat, level: event.level };
    case 'next':
      return { table: event.table };
    default:
      return { seat: event.seat };
  }
}
