/** Hints by the engine of this browser, from what the page shows to the asking seat. */
import type { Hint, PositionJson, Update } from '../net/wire.ts';
import { Refused } from '../net/api.ts';
import { player } from './engine.ts';
import { ADVISER } from './levels.ts';
import { moveFields } from './moves.ts';

/** The most that a hint may cost. */
const LIMITS = { time: 1, nodes: 6000 };

/** A position as it is shown, in notation. */
export function viewText(shown: PositionJson): string {
  const set = (cards: Readonly<Record<string, number>>): string =>
    Object.entries(cards).map(([card, number]) => card + (number > 1 ? number : '')).join('') || '-';
  const { seat, used, captain, passes, row_due: row, owed, dropper } = shown.turn;
  const due = [['p', passes], ['r', row], ['+', owed], ['!', dropper]].map(([mark, number]) => (number ? `${mark}${number}` : ''));
  return [
    shown.rules,
    shown.islands.map((island) => island.join('/')).join('|'),
    shown.pirates.map((places) => places.join(',')).join('/'),
    shown.hands.map(({ size, cards }) => (cards === null ? `?${size}` : set(cards))).join('/'),
    shown.row?.join('') || '-',
    shown.stock ? `?${shown.stock}` : '-',
    set(shown.discard.cards ?? {}),
    shown.sloop ?? '-',
    `${seat}.${used}${captain ? 'c' : ''}${due.join('')}`,
  ].join(' ');
}

/** What the adviser would play, how good that is, and why. */
export async function hintHere({ version, position, options }: Update): Promise<Hint> {
  if (!position || !options) throw new Refused('not-your-turn', 'Hints are given to the seat that must choose.');
  const found = await (await player()).go(viewText(position), ADVISER, LIMITS).result;
  return { version, level: ADVISER, answer: { move: moveFields(found.move), value: [...found.value], why: [...found.why] } };
}
