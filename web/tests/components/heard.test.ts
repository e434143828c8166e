/** What a screen reader is told at a table: every move once, and what is left to do. */
import { fireEvent, render } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { keep } from '../../src/app/settings.svelte.ts';
import { drawing } from '../../src/game/position.ts';
import type { Option, TableEvent } from '../../src/net/wire.ts';
import { personAt, type Scene } from '../../src/session/scene.ts';
import Ending from '../../src/table/Ending.svelte';
import { TableModel } from '../../src/table/model.svelte.ts';
import TableView from '../../src/table/TableView.svelte';

beforeEach(() => keep({ pace: 'instant' }));

const END = { move: { kind: 'end' }, cards: 0 } as unknown as Option;
const advance = (from: string, card: string, to = '7'): Option =>
  ({ move: { kind: 'advance', from, card }, to, cards: 0 }) as unknown as Option;
const moved = (seq: number, seat: number, from: string, to: string): TableEvent => ({
  ...{ seq, at: 0, type: 'move', turn: 1, seat, to, cards: [], draws: 0 },
  move: { kind: 'advance', from, card: 'B' },
});
let key = 0;

/** A turn of seat 1 after so many actions. */
function sceneOf(used: number, legal: readonly Option[], more: Partial<Scene> = {}): Scene {
  const drawn = drawing('jamaica', 'BPHSDK/DBKPHS', 's,3,5/1');
  return {
    key: ++key,
    position: { ...drawn, turn: { ...drawn.turn, used } },
    options: { legal: [...legal], illegal: [] },
    undo: { possible: false, reason: 'nothing-to-undo', message: null },
    seats: [personAt(1), personAt(2)],
    events: [],
    viewer: 1,
    actions: 3,
    outcome: null,
    ...more,
  };
}

/** A table that has just been opened. */
function opened(legal: readonly Option[] = [advance('3', 'B'), advance('5', 'B'), END]): TableModel {
  const model = new TableModel(() => Promise.resolve());
  model.set(sceneOf(0, legal));
  expect(model.announcement).toBe('Your turn: 3 actions left.');
  return model;
}

const shown = (model: TableModel): Promise<void> => vi.waitFor(() => expect(model.is('idle')).toBe(true));

test('after each action it is told what is left to do', async () => {
  const model = opened();
  const after = async (used: number, legal: readonly Option[], event: TableEvent): Promise<string> => {
    model.push(sceneOf(used, legal, { events: [event] }));
    await shown(model);
    return model.announcement;
  };
  expect(await after(1, [advance('3', 'B'), END], moved(2, 1, 's', '3'))).toBe(
    'Blue plays a bottle card and moves from the start to field 3. Your turn: 2 actions left.',
  );
  expect(await after(2, [END], moved(3, 1, '3', '7'))).toMatch(/to field 7\. You cannot move\. End your turn\.$/);
  expect(await after(3, [END], moved(4, 1, '5', '8'))).toMatch(/Your turn: no actions left\. End your turn\.$/);
  const undone: TableEvent = { seq: 5, at: 0, type: 'undo', seat: 1, undone: 4 };
  expect(await after(2, [advance('3', 'B'), END], undone)).toBe('Blue takes back a move. Your turn: 1 action left.');
});

test('several moves that are shown at once are all told', async () => {
  const model = opened();
  model.push(sceneOf(0, [END], { turn: true, events: [moved(2, 2, '1', '2'), moved(3, 2, '2', '7')] }));
  await shown(model);
  expect(model.announcement).toMatch(/^Red plays .* to field 2\. Red plays .* to field 7\. You cannot move\./);
});

test('the cards that were drawn are told by those who may see them', async () => {
  const model = opened();
  const back = (seq: number, cards: readonly string[]): TableEvent => ({
    ...{ seq, at: 0, type: 'move', turn: 1, seat: 1, to: '3', cards: [...cards], draws: 2 },
    move: { kind: 'retreat', from: '5' },
  });
  model.push(sceneOf(1, [END], { events: [back(2, ['+K', '+B'])] }));
  await shown(model);
  expect(model.announcement).toMatch(/and draws 2 cards\. Key, bottle\. You cannot move\./);
  model.push(sceneOf(2, [END], { events: [back(3, ['+?', '+?'])] }));
  await shown(model);
  expect(model.announcement).toMatch(/and draws 2 cards\. You cannot move\./);
});

test('which card is meant is asked, not how many targets there are', () => {
  const model = opened([advance('3', 'B'), advance('3', 'K')]);
  model.picks.pickPlace('3');
  expect(model.announcement).toBe('1 target: field 7');
  model.picks.pickPlace('7');
  expect(model.announcement).toMatch(/^Which card\? Play a bottle card .* Play a key card /);
});

test('who lets go of what was picked hears what there is to do', async () => {
  const model = opened();
  render(TableView, { model, undo: () => undefined });
  const pickAnd = async (letGo: () => unknown): Promise<string> => {
    model.picks.pickPlace('3');
    expect(model.announcement).toBe('1 target: field 7');
    await letGo();
    expect(model.picks.selection.kind).toBe('none');
    return model.announcement;
  };
  expect(await pickAnd(() => fireEvent.keyDown(window, { key: 'Escape' }))).toBe('Your turn: 3 actions left.');
  expect(await pickAnd(() => model.picks.pickPlace('3'))).toBe('Your turn: 3 actions left.');
});

test('at a shared device the next person is called by name', async () => {
  const model = opened();
  model.isShared = true;
  const { position } = sceneOf(0, []);
  const passed = { ...position, turn: { ...position.turn, seat: 2, chooser: 2 } };
  const end: TableEvent = { seq: 2, at: 0, type: 'move', seat: 1, move: { kind: 'end' } };
  model.push(sceneOf(0, [advance('1', 'B')], { position: passed, viewer: 2, events: [end] }));
  await shown(model);
  expect(model.announcement).toBe('Blue ends the turn. Red’s turn: 3 actions left.');
});

test('who looks back is told which move is shown, also after pointing at the log or pressing Escape', async () => {
  const model = opened();
  const events = [moved(2, 1, 's', '3'), moved(3, 2, '1', '2')];
  model.set(sceneOf(0, [], { viewer: 0, options: null, events }));
  render(TableView, { model, undo: () => undefined });
  model.lookAt(2);
  const status = (): string | null | undefined => document.querySelector('.status p')?.textContent;
  await vi.waitFor(() => expect(status()).toBe('Red plays a bottle card and moves from field 1 to field 2.'));
  const [line] = document.querySelectorAll('.log .step');
  if (!line) throw new Error('the log is empty');
  for (const name of ['mouseEnter', 'mouseLeave', 'focus', 'blur'] as const) await fireEvent[name](line);
  await fireEvent.keyDown(window, { key: 'Escape' });
  expect(status()).toBe('Red plays a bottle card and moves from field 1 to field 2.');
  expect(model.lit?.seq).toBe(3);
});

test('a result is told once: the card that shows it is no live region', () => {
  const model = opened();
  render(Ending, { model, outcome: { winner: 2, how: 'home' }, buttons: (() => undefined) as never });
  expect(document.querySelectorAll('.over, .over [role], .over [aria-live]').length).toBe(1);
  expect(document.querySelector('.over')?.getAttribute('role')).toBeNull();
});
