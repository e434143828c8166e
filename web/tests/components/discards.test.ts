/** Discards after a freebooter: chosen, seen, taken back, and sent only once they are confirmed. */
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { drawing, type Position } from '../../src/game/position.ts';
import { NEST } from '../../src/learn/lessons.ts';
import type { Option } from '../../src/net/wire.ts';
import { personAt, type Scene } from '../../src/session/scene.ts';
import { TableModel } from '../../src/table/model.svelte.ts';
import TableView from '../../src/table/TableView.svelte';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

const LIMIT = 7;

/** Seat 1 holds these cards and must discard what is above the limit; seat 2 has one card too many as well. */
function sceneOf(cards: readonly string[]): Scene {
  const drawn = drawing('nest', NEST, 's,3/5,b');
  const isDue = cards.length > LIMIT;
  const position: Position = {
    ...drawn,
    hands: [
      { cards, size: cards.length, hidden: false },
      { cards: [], size: LIMIT + 1, hidden: true },
    ],
    turn: { ...drawn.turn, used: 1, dropper: isDue ? 1 : 2, chooser: isDue ? 1 : 2, limit: LIMIT },
  };
  const legal = [...new Set(cards)].map((card) => ({ move: { kind: 'drop', card }, cards: 0 }) as unknown as Option);
  return {
    key: cards.join(''),
    position,
    options: isDue ? { legal, illegal: [] } : null,
    undo: { possible: false, reason: 'nothing-to-undo', message: null },
    seats: [personAt(1), personAt(2)],
    events: [],
    viewer: 1,
    actions: 3,
    outcome: null,
  };
}

/** A table at which a hand of nine must lose two cards, and what was sent to it. */
function table(): { sent: string[]; model: TableModel } {
  let held = ['C', 'C', 'D', 'D', 'G', 'M', 'P', 'S', 'T'];
  const sent: string[] = [];
  const model = new TableModel(({ move }) => {
    sent.push(move.card ?? '');
    held = held.toSpliced(held.indexOf(move.card ?? ''), 1);
    model.push(sceneOf(held));
    return Promise.resolve();
  });
  model.set(sceneOf(held));
  render(TableView, { model, undo: () => undefined });
  return { sent, model };
}

const node = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;
const press = (selector: string): Promise<unknown> => fireEvent.click(node(selector));
const chosen = (): (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-aside]')].map((card) => card.dataset['aside']);

afterEach(() => document.body.replaceChildren());

test('cards are chosen, seen and taken back before any is discarded, and all go with one confirmation', async () => {
  const { sent } = table();
  expect(node('.status').textContent).toContain('Choose 2 cards to discard');
  expect(node('.status').textContent).not.toContain('next freebooter');
  await press('[data-card=C]');
  await press('[data-card=D]');
  expect([chosen(), sent, node('.status').textContent?.trim()]).toEqual([['C', 'D'], [], 'Discard these 2 cards?']);
  await press('[data-card=M]'); // no more than are due
  expect(chosen()).toEqual(['C', 'D']);
  await press('[data-action=undo]');
  expect([chosen(), node('[data-action=discard]').getAttribute('aria-disabled')]).toEqual([['C'], 'true']);
  await press('[data-aside=C]');
  expect(chosen()).toEqual([]);
  await press('[data-card=G]');
  await press('[data-card=C]');
  await press('[data-action=discard]');
  await waitFor(() => expect(sent).toEqual(['G', 'C']));
  await waitFor(() => expect(node('.status').textContent).toContain('Red must discard 1 card'));
  expect(chosen()).toEqual([]);
});

test('the list of players marks who must discard, and how many cards', () => {
  table();
  const words = screen.getAllByText(/must discard/).map((each) => each.closest('li')?.textContent);
  expect(words.length).toBe(2);
  expect(document.querySelectorAll('.crew.drops').length).toBe(2);
});

test('a screen reader is told what to discard when a freebooter was played, once, and again when asked too early', async () => {
  const model = new TableModel(() => Promise.resolve());
  const seven = ['C', 'C', 'D', 'D', 'G', 'M', 'P'];
  model.set(sceneOf(seven));
  model.push({ ...sceneOf([...seven, 'S', 'T']), turn: true });
  const told = (): number => model.announcement.split('A freebooter! Choose 2 cards to discard.').length - 1;
  await waitFor(() => expect([told(), model.is('idle')]).toEqual([1, true]));
  expect(model.announcement).not.toContain('your turn');
  model.announcement = '';
  model.picks.playKind('end');
  expect(told()).toBe(1);
});
