/** The keyboard keeps its place where buttons come and go. */
import { fireEvent, render, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';
import { drawing } from '../../src/game/position.ts';
import { personAt } from '../../src/session/scene.ts';
import { TableModel } from '../../src/table/model.svelte.ts';
import TableMenu from '../../src/screens/TableMenu.svelte';
import WaitingRoom from '../../src/screens/WaitingRoom.svelte';
import YourData from '../../src/screens/YourData.svelte';
import { one, serve } from './serving.ts';

beforeEach(() => serve({}));

/** Press a button that has the focus, as Enter does. Returns what has the focus then. */
async function press(selector: string): Promise<DOMStringMap> {
  one(selector).focus();
  await fireEvent.click(one(selector));
  return (document.activeElement as HTMLElement).dataset;
}

const person = (seat: number, name: string) => ({ ...personAt(seat), name });

test('in the waiting room, whether one is asked, says yes or says no', async () => {
  const seats = [person(1, 'Ann'), person(2, 'Ben'), { ...person(3, ''), taken: false }];
  const you = { seats: [1], seat: 1, host: true };
  const visit = { table: 't1', token: 'x', latest: { table: 't1', seats, you } };
  render(WaitingRoom, { visit: visit as never });
  expect((await press('[data-action=close]'))['action']).toBe('close');
  expect((await press('[data-action=close] + button'))['action']).toBe('close');
  await press("[data-seat='2'] [data-action=remove]");
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset['action']).toBe('remove-sure'));
  await press("[data-seat='2'] [data-action=remove-sure] + button");
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset['action']).toBe('remove'));
});

test('among one’s own data', async () => {
  render(YourData, { table: 't1', token: 'x' });
  expect((await press('[data-yours=delete]'))['yours']).toBe('delete');
  expect((one('[data-yours=delete]') as HTMLButtonElement).disabled).toBe(false); // what is disabled loses it
  expect((await press('[data-yours=keep]'))['yours']).toBe('delete');
});

test('in the menu, where a key that is held down does not resign', async () => {
  const model = new TableModel(() => Promise.resolve());
  model.position = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  const told = { fair: { commitment: 'c' }, seats: [], you: { seats: [1] } };
  const visit = {
    ...{ table: 't1', token: 'x', model, stage: 'playing', promise: 'open', absentHere: [], latest: told },
    on: () => () => undefined,
  };
  render(TableMenu, { visit: visit as never, talking: false });
  await fireEvent.click(one('button.menu'));
  expect((await press('[data-menu=resign]'))['menu']).toBe('resign');
  expect(one('[data-menu=resign]').textContent).toBe('Resign now?');
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, cancelable: true, bubbles: true });
  one('[data-menu=resign]').dispatchEvent(held);
  expect(held.defaultPrevented).toBe(true);
});
