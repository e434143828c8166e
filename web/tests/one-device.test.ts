/** Several people at one device: what one of them does is done for that person alone. */
import { expect, test, vi } from 'vitest';
import { hasCompany } from '../src/session/state.ts';
import { headlineOf, reasonOf, resignedOf } from '../src/table/result.ts';
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

test('a curtain falls for the next person only, and what Ann drew is not in the log that Ben is shown', async () => {
  const window = await device.begin(people('Ann', 'Ben'));
  const { visit } = window;
  const { model } = visit;
  const lifted = (): number => (visit.lift(), visit.curtain);
  expect([visit.curtain, lifted()]).toEqual([1, 0]);
  const drawn = (): string[] => model.log.filter(({ seat }) => seat === 1).flatMap(({ cards }) => cards ?? []);
  while (drawn().length === 0) {
    const { legal } = model.options;
    await model.picks.play(legal.find(({ move }) => move.kind === 'retreat') ?? (legal[0] as (typeof legal)[0]));
    await device.watch(500);
    if (visit.curtain) lifted();
  }
  expect([visit.latest?.you.seat, drawn().filter((card) => card === '+?')]).toEqual([1, []]);
  await playTo(window, 2);
  expect([visit.curtain, new Set(drawn())]).toEqual([2, new Set(['+?'])]);
  expect([lifted(), new Set(drawn())]).toEqual([0, new Set(['+?'])]);
});

test('who resigns is the person whose turn it is: of two the other one wins', async () => {
  const window = await device.begin(people('Ann', 'Ben'));
  await playTo(window, 2);
  await window.visit.act('resign');
  await device.watch(500);
  expect(window.visit.latest?.outcome).toEqual({ winner: 1, how: 'resigned' });
});

test('a result that several people read names the winner and who has resigned', async () => {
  const window = await device.begin(people('Ann', 'Ben'));
  await playTo(window, 2);
  await window.visit.act('resign');
  await device.watch(500);
  const { model } = window.visit;
  const outcome = model.outcome ?? { winner: null, how: 'home' as const };
  expect([headlineOf(model, outcome), reasonOf(model, outcome)]).toEqual(['Ann wins!', 'Ben resigned.']);
  expect(model.announcement).toContain('Ann (blue) has won');
});

test('where several have resigned, the one who did so last ended the game', async () => {
  const window = await device.begin(people('Ann', 'Ben', 'Cleo'));
  for (const seat of [3, 1]) await window.visit.act('resign', seat);
  await device.watch(500);
  const { model } = window.visit;
  const outcome = model.outcome ?? { winner: null, how: 'home' as const };
  expect([outcome.winner, reasonOf(model, outcome), resignedOf(model, outcome)]).toEqual([2, 'Ann resigned.', 1]);
  model.isShared = false; // as each of them reads it at a device of their own
  model.viewer = 3;
  expect(reasonOf(model, outcome)).toBe('You resigned.');
});

test('the computer takes over from the person whose turn it is, and from no other', async () => {
  const window = await device.begin(people('Ann', 'Ben', 'Cleo'));
  await playTo(window, 2);
  const release = device.hold();
  await window.visit.act('leave');
  await device.watch(500);
  expect(window.visit.latest?.seats.map(({ away }) => away)).toEqual([null, 'left', null]);
  expect(window.visit.latest?.options).toBeNull(); // nothing is left to choose, however long the computer thinks
  await window.visit.act('leave', 3);
  await device.watch(500);
  await window.visit.act('back', 2);
  await device.watch(500);
  expect(window.visit.latest?.seats.map(({ away }) => away)).toEqual([null, null, 'left']);
  release();
});

test('a rematch keeps the names of the computers', async () => {
  vi.resetModules();
  const { makeTable } = await import('../src/screens/quick.ts');
  const computer = { kind: 'computer' as const, name: '', level: 'deckhand' };
  const want = { rules: 'jamaica-en', seats: [...people('Ann'), computer], lots: false };
  device.table = await makeTable(want as Parameters<typeof makeTable>[0], false);
  const names = async (): Promise<string[]> => {
    const { namedSeats } = await import('../src/table/summary.ts');
    const latest = (await device.open()).visit.latest;
    return latest ? namedSeats(latest).map(({ name }) => name) : [];
  };
  const before = await names();
  expect(before).toEqual(['Ann', expect.stringMatching(/./)]);
  await device.windows[0]?.visit.act('resign');
  await device.watch(500);
  device.table = (await device.windows[0]?.visit.again()) ?? '';
  expect((await names()).sort()).toEqual(before.sort());
});

test('there is no talk where all people sit at one device', () => {
  const seats = [
    { seat: 1, kind: 'person' },
    { seat: 2, kind: 'person' },
    { seat: 3, kind: 'computer' },
  ];
  const at = (...mine: number[]) => ({ seats, you: { seats: mine } }) as never;
  expect([hasCompany(at(1, 2)), hasCompany(at(1)), hasCompany(at())]).toEqual([false, true, true]);
});
