import { expect, test } from 'vitest';
import type { MoveJson, NearMiss, Option } from '../src/net/wire.ts';
import { narrow, NOTHING, openMoves, pickCard, pickPlace, playableCards } from '../src/table/choices.ts';

const option = (kind: MoveJson['kind'], from?: string, to: string | null = null, card?: string, cards = 0): Option => ({
  move: { kind, ...(from ? { from } : {}), ...(card ? { card } : {}) },
  to,
  cards,
});
const text = ({ move }: Option): string => `${move.from ?? move.kind}:${move.card ?? ''}`;
const legal = [
  option('advance', '6', '7', 'D'),
  option('advance', '6', '8', 'B'),
  option('advance', 's', '7', 'D'),
  option('advance', '17', 'b', 'B'),
  option('advance', '17', 'b', 'H'),
  option('retreat', '17', '12', undefined, 1),
  option('end'),
];
const illegal: NearMiss[] = [{ move: { kind: 'retreat', from: '9' }, reason: 'nothing-behind', message: '' }];
const choices = { legal, illegal };

test('a pirate, then where it goes', () => {
  const picked = pickPlace(NOTHING, '6', choices);
  expect(picked.selection).toEqual({ kind: 'place', place: '6' });
  expect(text(pickPlace(picked.selection, '7', choices).play as Option)).toBe('6:D');
});

test('several cards that lead to one place are asked about', () => {
  const outcome = pickPlace({ kind: 'place', place: '17' }, 'b', choices);
  expect(outcome.play).toBeUndefined();
  expect(outcome.among?.map(text)).toEqual(['17:B', '17:H']);
});

test('a card, then whom it moves or where to', () => {
  const { selection } = pickCard(NOTHING, 'D', choices);
  expect(openMoves(selection, legal).map(text)).toEqual(['6:D', 's:D']);
  expect(text(pickPlace(selection, 's', choices).play as Option)).toBe('s:D');
  expect(pickPlace(selection, '7', choices).among?.length).toBe(2);
});

test('a pirate, then a card', () => {
  expect(text(pickCard({ kind: 'place', place: '6' }, 'B', choices).play as Option)).toBe('6:B');
});

test('a place to go back to shows what leads there', () => {
  expect(pickPlace(NOTHING, '12', choices).among?.map((item) => item.cards)).toEqual([1]);
});

test('what cannot be done is explained, and picking twice lets go', () => {
  expect(pickPlace(NOTHING, '9', choices).refused).toEqual({ kind: 'miss', miss: illegal[0] });
  expect(pickPlace({ kind: 'place', place: '6' }, '6', choices).selection).toEqual(NOTHING);
  expect(pickCard({ kind: 'card', card: 'D' }, 'D', choices).selection).toEqual(NOTHING);
});

test('a pick on a pirate that is stuck explains itself and offers no move of another one', () => {
  const stuck: NearMiss[] = [{ move: { kind: 'retreat', from: '5' }, reason: 'nothing-behind', message: '' }];
  const crowd = {
    legal: [option('retreat', '8', '5', undefined, 1), option('advance', '8', '11', 'H')],
    illegal: stuck,
  };
  expect(pickPlace(NOTHING, '5', crowd)).toEqual({ selection: NOTHING, refused: { kind: 'miss', miss: stuck[0] } });
  expect(pickPlace({ kind: 'card', card: 'H' }, '5', crowd)).toMatchObject({
    refused: { kind: 'unreached', by: 'card' },
  });
});

test('every wrong pick has its reason, and what is picked stays picked', () => {
  const all = {
    legal: [{ ...option('advance', '6', '17', 'H'), passed: ['11'] }, option('retreat', '6', '4', undefined, 1)],
    illegal,
    elsewhere: [{ reason: 'no-pirate-there', places: ['20'] }],
  };
  const six = { kind: 'place', place: '6' } as const;
  expect(pickPlace(six, '11', all)).toMatchObject({
    selection: six,
    refused: { kind: 'passed', place: '11', option: { to: '17' } },
  });
  expect(pickPlace(six, '20', all)).toEqual({ selection: six, refused: { kind: 'unreached', by: 'place' } });
  expect(pickPlace(NOTHING, '20', all).refused).toEqual({ kind: 'place', reason: 'no-pirate-there', place: '20' });
  expect(pickPlace({ kind: 'card', card: 'H' }, '20', all).refused).toEqual({ kind: 'unreached', by: 'card' });
});

test('a stuck pirate says why, also where another could go', () => {
  const stuck: NearMiss = { move: { kind: 'retreat', from: '12' }, reason: 'nothing-behind', message: '' };
  expect(pickPlace(NOTHING, '12', { legal, illegal: [stuck] })).toEqual({
    selection: NOTHING,
    refused: { kind: 'miss', miss: stuck },
  });
});

test('which one is meant is answered with a pirate or a card', () => {
  const among = legal.filter((item) => item.to === '7');
  expect(narrow(among, { place: 's' }).map(text)).toEqual(['s:D']);
  expect(
    narrow(
      legal.filter((item) => item.to === 'b'),
      { card: 'H' },
    ).map(text),
  ).toEqual(['17:H']);
});

test('cards that do nothing for the picked pirate are not offered', () => {
  expect([...playableCards({ kind: 'place', place: '6' }, legal)].sort()).toEqual(['B', 'D']);
});
