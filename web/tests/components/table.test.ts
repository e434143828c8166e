/** Parts of the table and of the review that ask a person something. */
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import CoachQuestion from '../../src/coach/CoachQuestion.svelte';
import { speech } from '../../src/i18n/i18n.svelte.ts';
import type { Option } from '../../src/net/wire.ts';
import OpenRecord from '../../src/review/OpenRecord.svelte';
import { drawing } from '../../src/game/position.ts';
import Actions from '../../src/table/Actions.svelte';
import { closeOnBack } from '../../src/app/page.svelte.ts';
import Chooser from '../../src/table/Chooser.svelte';
import Curtain from '../../src/table/Curtain.svelte';
import { TableModel } from '../../src/table/model.svelte.ts';

const option = (from: string, card: string): Option =>
  ({ move: { kind: 'advance', from, card }, to: '7', cards: 0 }) as unknown as Option;

test('the chooser offers each move by its words, takes the focus, and can be closed', async () => {
  const [choose, close] = [vi.fn(), vi.fn()];
  const options = [option('3', 'B'), option('5', 'B')];
  render(Chooser, {
    options,
    family: 'tunnel',
    mover: 1,
    at: { kind: 'table', name: '' },
    root: document.body,
    choose,
    close,
  });
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Play a bottle card and move from field 3 to field 7',
    'Play a bottle card and move from field 5 to field 7',
    'Cancel',
  ]);
  expect(document.activeElement).toBe(buttons[0]);
  await fireEvent.click(buttons[1] as HTMLElement);
  expect(choose).toHaveBeenCalledWith(options[1]);
  await fireEvent.click(buttons[2] as HTMLElement);
  expect(close).toHaveBeenCalledOnce();
});

test('a curtain names the next person and is lifted by its button only', async () => {
  const lift = vi.fn();
  render(Curtain, { name: 'Ben', seat: 2, lift });
  const dialog = document.querySelector('dialog') as HTMLDialogElement;
  expect([dialog.open, dialog.textContent?.includes('Ben')]).toEqual([true, true]);
  const escape = new Event('cancel', { cancelable: true });
  dialog.dispatchEvent(escape);
  expect([escape.defaultPrevented, lift.mock.calls.length]).toEqual([true, 0]);
  await fireEvent.click(document.querySelector('[data-action=lift]') as HTMLElement);
  expect(lift).toHaveBeenCalledOnce();
});

test('the coach asks with whole percents, and Escape takes the turn back', async () => {
  await speech.learn('coach');
  const answer = vi.fn();
  render(CoachQuestion, { question: { mine: 0.314, best: 0.678, answer } as never });
  expect(screen.getByText(/31%.*68%/)).toBeTruthy();
  expect(document.activeElement?.getAttribute('data-coach')).toBe('back');
  await fireEvent.keyDown(window, { key: 'Escape' });
  expect(answer).toHaveBeenLastCalledWith(false);
  await fireEvent.click(document.querySelector('[data-coach=play]') as HTMLElement);
  expect(answer).toHaveBeenLastCalledWith(true);
});

test('a record is read from its text or from a file', async () => {
  const read = vi.fn();
  render(OpenRecord, { read, word: 'Show' });
  const button = screen.getByText('Show') as HTMLButtonElement;
  expect(button.disabled).toBe(true);
  await fireEvent.input(document.querySelector('textarea') as HTMLElement, { target: { value: '[Rules "x"]' } });
  await fireEvent.click(button);
  expect(read).toHaveBeenLastCalledWith('[Rules "x"]');
  const file = new File(['a record'], 'game.txt', { type: 'text/plain' });
  await fireEvent.change(document.querySelector('input[type=file]') as HTMLElement, { target: { files: [file] } });
  await waitFor(() => expect(read).toHaveBeenLastCalledWith('a record'));
});

test.each([
  ['nothing was done and a move is possible', 0, [option('3', 'B')], false],
  ['an action was taken', 1, [option('3', 'B')], true],
  ['nothing is possible', 0, [], true],
])('the button that ends the turn, where a turn may pass at once and %s', (_, used, others, stands) => {
  const model = new TableModel(() => Promise.resolve());
  const drawn = drawing('jamaica', 'BPHSDK/DBKPHS', 's');
  model.viewer = 1;
  model.position = { ...drawn, turn: { ...drawn.turn, seat: 1, used } };
  model.options = { legal: [...others, { move: { kind: 'end' }, cards: 0 } as unknown as Option], illegal: [] };
  render(Actions, { model, undo: vi.fn() });
  const button = screen.getByText('End turn');
  expect([button.classList.contains('primary'), button.getAttribute('aria-disabled')]).toEqual([stands, 'false']);
});

test('Back closes what lies over the page before it leaves the page', async () => {
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  const length = history.length;
  dialog.showModal();
  closeOnBack(dialog);
  expect(history.length).toBe(length + 1);
  window.dispatchEvent(new PopStateEvent('popstate'));
  await waitFor(() => expect(dialog.open).toBe(false));
});

test('a record that cannot be read says so beside the button', () => {
  render(OpenRecord, { read: () => undefined, word: 'Show', problem: 'No record', detail: 'line 1' });
  const told = document.querySelector('details.sheet [role=alert]');
  expect(told?.textContent).toContain('No record');
});
