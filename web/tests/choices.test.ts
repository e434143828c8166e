import { expect, test } from 'vitest';
import type { NearMiss, Option } from '../src/net/wire.ts';
import { NOTHING, openMoves, pickCard, pickPlace, playableCards } from '../src/table/choices.ts';

const option = (move: string, kind: Option['kind'], from: string | null, to: string | null, card: string | null = null, cards = 0, seat: number | null = null): Option =>
  ({ move, kind, from, to, card, cards, seat }) as Option;
const legal = [
  option('6:D', 'advance', '6', '7', 'D'),
  option('6:B', 'advance', '6', '8', 'B'),
  option('s:D', 'advance', 's', '7', 'D'),
  option('17:B', 'advance', '17', 'b', 'B'),
  option('17:H', 'advance', '17', 'b', 'H'),
  option('17<', 'retreat', '17', '12', null, 1),
  option('end', 'end', null, null),
];
const illegal = [{ move: '9<', kind: 'retreat', from: '9', card: null, seat: null, reason: 'nothing-behind', message: '' }] as NearMiss[];
const choices = { legal, illegal };

test('a pirate, then where it goes', () => {
  const picked = pickPlace(NOTHING, '6', choices);
  expect(picked.selection).toEqual({ kind: 'place', place: '6' });
  expect(pickPlace(picked.selection, '7', choices).play?.move).toBe('6:D');
});

test('several cards that lead to one place are asked about', () => {
  const outcome = pickPlace({ kind: 'place', place: '17' }, 'b', choices);
  expect(outcome.play).toBeUndefined();
  expect(outcome.among?.map((item) => item.move)).toEqual(['17:B', '17:H']);
});

test('a card, then whom it moves or where to', () => {
  const { selection } = pickCard(NOTHING, 'D', choices);
  expect(openMoves(selection, legal).map((item) => item.move)).toEqual(['6:D', 's:D']);
  expect(pickPlace(selection, 's', choices).play?.move).toBe('s:D');
  expect(pickPlace(selection, '7', choices).among?.length).toBe(2);
});

test('a pirate, then a card', () => {
  expect(pickCard({ kind: 'place', place: '6' }, 'B', choices).play?.move).toBe('6:B');
});

test('a place to go back to shows what leads there', () => {
  expect(pickPlace(NOTHING, '12', choices).among?.map((item) => item.cards)).toEqual([1]);
});

test('what cannot be done is explained, and picking twice lets go', () => {
  expect(pickPlace(NOTHING, '9', choices).refused?.[0]?.reason).toBe('nothing-behind');
  expect(pickPlace({ kind: 'place', place: '6' }, '6', choices).selection).toEqual(NOTHING);
  expect(pickCard({ kind: 'card', card: 'D' }, 'D', choices).selection).toEqual(NOTHING);
});

test('a card that must be dropped is dropped at once', () => {
  const drop = [option('drop:D', 'drop', null, null, 'D')];
  expect(pickCard(NOTHING, 'D', { legal: drop, illegal: [] }).play?.move).toBe('drop:D');
});

test('cards that do nothing for the picked pirate are not offered', () => {
  expect([...playableCards({ kind: 'place', place: '6' }, legal)].sort()).toEqual(['B', 'D']);
});
