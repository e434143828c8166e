/** The cards that move between two positions shown one after the other. */
import type { Position } from '../game/position.ts';

export type Pile = 'stock' | 'discard' | 'row' | `hand-${number}`;

export interface Flight {
  readonly card: string | undefined;
  readonly from: Pile;
  readonly to: Pile;
}

/** The items of the second list that the first lacks. */
export function added(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export function flightsBetween(before: Position, after: Position): Flight[] {
  const flights: Flight[] = [];
  const thrown = added(before.discard, after.discard);
  const source: Pile = after.row.length > 0 || before.row.length > 0 ? 'row' : 'stock';
  after.hands.forEach((hand, index) => {
    const old = before.hands[index];
    if (!old) return;
    const pile: Pile = `hand-${index + 1}`;
    const gain = hand.size - old.size;
    const seen = hand.hidden || old.hidden ? [] : added(old.cards, hand.cards);
    for (let i = 0; i < gain; i++) flights.push({ card: seen[i], from: source, to: pile });
    for (let i = 0; i < -gain; i++) flights.push({ card: thrown.shift(), from: pile, to: 'discard' });
  });
  for (let i = 0; i < Math.min(after.row.length - before.row.length, 12); i++) {
    flights.push({ card: after.row[i], from: 'stock', to: 'row' });
  }
  return flights;
}
