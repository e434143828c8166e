/** Several people at one device: what one of them does is done for that person alone. */
import { expect, test } from 'vitest';
import { Device } from './device.ts';
import type { Window } from './visiting.ts';

const device = new Device();
const people = (...names: string[]) => names.map((name) => ({ kind: 'here' as const, name }));

/** Play until a seat must choose. */
async function playTo(window: Window, seat: number): Promise<void> {
  while (window.visit.latest?.you.seat !== seat) {
    await window.play();
    await device.watch(500);
  }
}

test('who resigns is the person whose turn it is: of two the other one wins', async () => {
  const window = await device.begin(people('Ann', 'Ben'));
  await playTo(window, 2);
  await window.visit.act('resign');
  await device.watch(500);
  expect(window.visit.latest?.outcome).toEqual({ winner: 1, how: 'resigned' });
});

test('the computer takes over from the person whose turn it is, and from no other', async () => {
  const window = await device.begin(people('Ann', 'Ben', 'Cleo'));
  await playTo(window, 2);
  const release = device.hold();
  await window.visit.act('leave');
  await device.watch(500);
  expect(window.visit.latest?.seats.map(({ away }) => away)).toEqual([null, 'left', null]);
  await window.visit.act('back');
  await device.watch(500);
  expect(window.visit.latest?.seats.map(({ away }) => away)).toEqual([null, null, null]);
  release();
});
