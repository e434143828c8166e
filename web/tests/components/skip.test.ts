/** A tap or a key shows what computers play at once, and does nothing else. */
import { configure, fireEvent, render, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';
import { keep } from '../../src/app/settings.svelte.ts';
import { drawing } from '../../src/game/position.ts';
import { personAt, type Scene } from '../../src/session/scene.ts';
import { TableModel } from '../../src/table/model.svelte.ts';
import TableView from '../../src/table/TableView.svelte';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

/** Milliseconds for which each move is shown if nothing is skipped: longer than the test takes. */
const READABLE = 600_000;

let key = 0;
/** A table of a person and a computer after moves of the computer. */
function sceneOf(turn: 1 | 2, ...moves: ('advance' | 'end')[]): Scene {
  const board = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  const [own, ...others] = board.hands;
  const legal = ['1', '7'].map((to) => ({ move: { kind: 'advance', from: 's', card: 'B' }, to, cards: 0 }));
  return {
    key: ++key,
    position: {
      ...board,
      hands: [{ ...own, size: 1, cards: ['B'], hidden: false }, ...others],
      turn: { ...board.turn, seat: turn },
    },
    options: turn === 1 ? { legal, illegal: [] } : null,
    undo: { possible: false, reason: 'nothing-to-undo', message: null },
    seats: [personAt(1), { ...personAt(2), kind: 'computer', level: 'sailor' }],
    events: moves.map((kind) => ({ seq: ++key, at: 0, type: 'move', turn: 1, seat: 2, move: { kind }, to: null })),
    viewer: 1,
    actions: 3,
    outcome: null,
  } as unknown as Scene;
}

/** A table that shows the first of three moves, after which the person's turn has begun. */
function shownTable(): { model: TableModel; card: Element } {
  const model = new TableModel(() => Promise.resolve());
  model.set(sceneOf(2));
  render(TableView, { model, undo: () => undefined });
  model.push(sceneOf(2, 'advance', 'advance', 'advance'), READABLE);
  model.push(sceneOf(1, 'end'));
  expect(model.is('playing')).toBe(true);
  const card = document.querySelector('[data-card=B]');
  if (!card) throw new Error('there is no hand');
  return { model, card };
}
const chosen = (model: TableModel): string => model.picks.selection.kind;
const turn = (model: TableModel): Promise<void> => waitFor(() => expect(model.picks.choosing).toBe(true));

beforeEach(() => keep({ pace: 'normal' }));

test("a tap on a card shows all that was played, and picks the card only in the person's turn", async () => {
  const { model, card } = shownTable();
  await fireEvent.pointerDown(card, { button: 0 });
  await turn(model);
  await fireEvent.click(card);
  expect([chosen(model), model.picks.answer]).toEqual(['none', undefined]);
  await fireEvent.pointerDown(card, { button: 0 });
  await fireEvent.click(card);
  expect(chosen(model)).toBe('card');
});

test.each(['1', 'Enter', ' '])('the key %j does the same', async (pressed) => {
  const { model, card } = shownTable();
  expect(await fireEvent.keyDown(card, { key: pressed })).toBe(false); // the card is not pressed
  await turn(model);
  if (pressed === ' ') await fireEvent.click(card); // as a browser that presses a button when the key comes up
  expect(chosen(model)).toBe('none');
  await fireEvent.keyDown(window, { key: '1' });
  expect(chosen(model)).toBe('card');
});

test('what works while others play is not skipped: controls, keys that are held, and shortcuts of the browser', async () => {
  const { model, card } = shownTable();
  const crew = document.querySelector('.crews button') ?? document.querySelector('[data-action=undo]');
  await fireEvent.pointerDown(crew as Element, { button: 0 });
  await fireEvent.pointerDown(card, { button: 2 });
  await fireEvent.keyDown(crew as Element, { key: 'Enter' });
  await fireEvent.keyDown(window, { key: 'e', repeat: true });
  await fireEvent.keyDown(window, { key: 'r', ctrlKey: true });
  expect(model.is('playing')).toBe(true);
  model.close();
});

test('that the computer thinks is shown after 0.4 seconds', async () => {
  const model = new TableModel(() => Promise.resolve());
  model.set(sceneOf(2));
  const began = performance.now();
  render(TableView, { model, undo: () => undefined });
  const mark = (): Element | null => document.querySelector('.thinking.shown');
  await waitFor(() => expect(mark()?.getAttribute('aria-label')).toBe('Sailor (red) is thinking'));
  expect(performance.now() - began).toBeGreaterThan(390);
  model.push(sceneOf(1, 'end'));
  await turn(model);
  await waitFor(() => expect(document.querySelector('.thinking')).toBeNull());
});
