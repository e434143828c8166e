/** Where the sloop lies, and where the names of its berths stand: readable wherever it lies. */
import { NAME_ROOM, type BoardLayout, type Box } from './layout.ts';

export interface Berth {
  readonly dock: Box;
  readonly name: BerthName;
}

export interface BerthName {
  readonly text: string;
  readonly x: number;
  /** The line that the letters stand on. */
  readonly y: number;
  readonly size: number;
  readonly anchor: 'start' | 'middle' | 'end';
  /** It stands on the beach, else in the sea. */
  readonly ashore: boolean;
}

const LARGEST = 27;
/** The width of a letter, in its size. */
const WIDE = 0.55;
/** How far the hull leaves the lower corners of its dock free, and the sails the upper ones. */
const [BESIDE_HULL, BESIDE_SAILS] = [15, 34];

/** A landing stage for each island, with its name below it or in the strait beside it. */
export function berthsOf(layout: BoardLayout, names: readonly string[], letter: number): Berth[] {
  if (!layout.nest) return [];
  return layout.docks.map((dock, index) => ({ dock, name: nameOf(layout, dock, index, names[index] ?? '', letter) }));
}

function nameOf(layout: BoardLayout, dock: Box, index: number, text: string, letter: number): BerthName {
  const largest = Math.min(letter, LARGEST);
  const room = roomBetween(layout);
  const isTight = room < NAME_ROOM;
  if (!layout.tall || (isTight && index > 0)) {
    const y = dock.y + dock.height + largest * 0.8;
    return { text, x: dock.x + dock.width / 2, y, size: largest, anchor: 'middle', ashore: layout.tall };
  }
  const size = isTight ? largest : Math.min(largest, (room + 2 * BESIDE_HULL - 8) / (WIDE * text.length));
  const isLeft = dock.x + dock.width / 2 < layout.width / 2;
  const away = isTight ? -BESIDE_SAILS : 8 - (index > 0 ? BESIDE_HULL : 0);
  return {
    text,
    x: isLeft ? dock.x + dock.width + away : dock.x - away,
    y: index === 0 ? dock.y + size : dock.y + dock.height - 2,
    size,
    anchor: isLeft ? 'start' : 'end',
    ashore: false,
  };
}

function roomBetween({ docks: [one, two] }: BoardLayout): number {
  return one && two ? Math.abs(one.x - two.x) - one.width : 0;
}
