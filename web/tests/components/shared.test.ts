/** Two people at one device with hidden hands: each of them is shown what they may know, and nothing of the other's. */
import { fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keep } from '../../src/app/settings.svelte.ts';
import { drawing, type Position } from '../../src/game/position.ts';
import type { Option, TableEvent } from '../../src/net/wire.ts';
import { personAt, type Scene } from '../../src/session/scene.ts';
import { TableModel } from '../../src/table/model.svelte.ts';
import TableView from '../../src/table/TableView.svelte';

beforeEach(() => keep({ pace: 'instant' }));
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const END = { move: { kind: 'end' }, cards: 0 } as unknown as Option;
const HANDS: readonly (readonly string[])[] = [['B', 'K'], ['H'], ['S']];

/** The table as a seat of three sees it. */
function seen(viewer: number, turn: number): Position {
  const drawn = drawing('jamaica', 'BPHSDK/DBKPHS', 's,3/5,7/1,2');
  const hands = HANDS.map((cards, index) =>
    index + 1 === viewer
      ? { cards, size: cards.length, hidden: false }
      : { cards: [], size: cards.length, hidden: true },
  );
  return { ...drawn, hands, turn: { ...drawn.turn, seat: turn, chooser: turn } };
}

const back = (seq: number, seat: number, turn: number, cards: readonly string[]): TableEvent => ({
  ...{ seq, at: 0, type: 'move', turn, seat, to: '3', cards: [...cards], draws: cards.length },
  move: { kind: 'retreat', from: '5' },
});
const end = (seq: number, seat: number, turn: number): TableEvent => ({
  ...{ seq, at: 0, type: 'move', turn, seat, move: { kind: 'end' }, cards: [], draws: 0 },
});

/** A scene as it is told to a seat: Ann has seat 1, Ben seat 2, a computer seat 3. */
const sceneOf = (viewer: number, turn: number, events: readonly TableEvent[], more: Partial<Scene> = {}): Scene => ({
  key: `${viewer} ${turn} ${events.length} ${events.at(-1)?.seq}`,
  position: seen(viewer, turn),
  options: { legal: turn === viewer ? [END] : [], illegal: [] },
  undo: { possible: false, reason: 'nothing-to-undo', message: null },
  seats: [1, 2, 3].map(personAt),
  events,
  viewer,
  actions: 3,
  outcome: null,
  ...more,
});

/** Ann has the device, and has drawn a key and a bottle, which she was shown. */
function opened(): TableModel {
  const model = new TableModel(() => Promise.resolve());
  model.isShared = true;
  model.holder = 1;
  model.set(sceneOf(1, 1, []));
  render(TableView, { model, undo: () => undefined, replay: () => void model.again() });
  return model;
}

const idle = (model: TableModel): Promise<void> => vi.waitFor(() => expect(model.is('idle')).toBe(true));
const drawnIn = (model: TableModel, seat: number): unknown[] =>
  model.log.filter((event) => event.seat === seat && event.draws).map(({ cards }) => cards);
/** The cards that the log shows, face up or face down. */
const faces = (): number[] =>
  ['.log .plus .face', '.log .plus .back'].map((selector) => document.querySelectorAll(selector).length);

test('the cards that Ann drew lie face down in the log and on the board as soon as it is Ben’s turn', async () => {
  const model = opened();
  model.push(sceneOf(1, 1, [back(2, 1, 1, ['+K', '+B'])]));
  await idle(model);
  expect([drawnIn(model, 1), faces()]).toEqual([[['+K', '+B']], [2, 0]]);
  await fireEvent.focus(document.querySelector('.log .step') as HTMLElement);
  expect(model.picks.trails.at(0)?.drawn).toEqual(['K', 'B']);
  model.push(sceneOf(2, 2, [end(3, 1, 1)]));
  await idle(model);
  model.holder = 2;
  await vi.waitFor(() => expect(faces()).toEqual([0, 2]));
  expect(drawnIn(model, 1)).toEqual([['+?', '+?']]);
  expect(model.recent.map(({ cards }) => cards)).toEqual([['+?', '+?'], []]);
  expect(model.picks.trails.map(({ drawn }) => drawn)).toEqual([['?', '?']]);
});

test('Ann sees her own cards in the log again when it is her turn again, and none of Ben’s', async () => {
  const model = opened();
  model.push(sceneOf(1, 1, [back(2, 1, 1, ['+K', '+B'])]));
  model.push(sceneOf(2, 2, [end(3, 1, 1)]));
  model.push(sceneOf(2, 2, [back(4, 2, 2, ['+H'])]));
  model.push(sceneOf(1, 1, [end(5, 2, 2)]));
  await idle(model);
  expect([drawnIn(model, 1), drawnIn(model, 2)]).toEqual([[['+K', '+B']], [['+?']]]);
});

test('nothing that only Ben may know is shown before he has taken the device', async () => {
  const model = opened();
  model.push(sceneOf(2, 2, [end(2, 1, 1)]));
  model.push(sceneOf(2, 2, [back(3, 2, 2, ['+H'])]));
  await idle(model);
  expect([model.covered, drawnIn(model, 2), document.querySelectorAll('[data-card]').length]).toEqual([
    true,
    [['+?']],
    0,
  ]);
  expect(model.announcement.toLowerCase()).not.toContain('hat');
  model.holder = 2;
  await vi.waitFor(() => expect(document.querySelectorAll('[data-card]').length).toBe(1));
  expect(drawnIn(model, 2)).toEqual([['+H']]);
});

test('what Ann did is shown to Ben again without the faces of her cards', async () => {
  const model = opened();
  model.push(sceneOf(1, 1, [back(2, 1, 1, ['+K', '+B'])]));
  model.push(sceneOf(2, 2, [end(3, 1, 1)]));
  await idle(model);
  model.holder = 2;
  void model.again();
  await vi.waitFor(() => expect(model.flights.length).toBe(2));
  expect(model.flights.map(({ card }) => card)).toEqual([undefined, undefined]);
  expect(model.announcement).toMatch(/and draws 2 cards\.$/);
  model.close();
});

test('while the moves of a computer are still shown, Ann’s hand is what she sees, and then the curtain falls', async () => {
  const model = opened();
  keep({ pace: 'normal' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  model.push(sceneOf(1, 3, [end(2, 1, 1)]));
  model.push(sceneOf(1, 3, [back(3, 3, 2, []), back(4, 3, 2, [])]));
  model.push(sceneOf(2, 2, [end(5, 3, 2)]));
  const hand = (): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.dataset['card']);
  await vi.advanceTimersByTimeAsync(100);
  expect([model.is('playing'), model.viewer, model.covered, hand()]).toEqual([true, 1, false, ['B', 'K']]);
  expect(model.position?.hands[1]?.cards).toEqual([]); // Ben's hand is not on this screen yet, not even unseen
  await vi.advanceTimersByTimeAsync(5000);
  expect([model.is('idle'), model.viewer, model.covered, hand()]).toEqual([true, 2, true, []]);
});

test('a hand that was read to Ann is not part of what Ben is told', async () => {
  const model = opened();
  await fireEvent.keyDown(window, { key: 'H', shiftKey: true });
  expect(model.announcement.toLowerCase()).toContain('bottle');
  model.push(sceneOf(2, 2, []));
  await idle(model);
  expect(model.announcement).toBe('Red’s turn: 3 actions left.');
});

test('a card that Ann laid aside is not among those that Ben must discard', async () => {
  const model = new TableModel(() => {
    model.push(due(2));
    return Promise.resolve();
  });
  const due = (viewer: number): Scene => {
    const scene = sceneOf(viewer, viewer, [], { key: `due ${viewer}` });
    const cards = ['C', 'D'];
    const hands = scene.position.hands.map((hand, index) =>
      index + 1 === viewer ? { cards, size: 2, hidden: false } : hand,
    );
    const legal = cards.map((card) => ({ move: { kind: 'drop', card }, cards: 0 }) as unknown as Option);
    const turn = { ...scene.position.turn, dropper: viewer, limit: 1 };
    return { ...scene, position: { ...scene.position, hands, turn }, options: { legal, illegal: [] } };
  };
  model.isShared = true;
  model.holder = 1;
  model.set(due(1));
  model.picks.pickCard('D');
  model.picks.discards.confirm();
  await idle(model);
  model.holder = 2;
  expect([model.viewer, model.picks.discards.aside, model.picks.discards.left]).toEqual([2, [], 1]);
});
