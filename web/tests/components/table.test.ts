/** Parts of the table and of the review that ask a person something. */
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import CoachQuestion from '../../src/coach/CoachQuestion.svelte';
import { speech } from '../../src/i18n/i18n.svelte.ts';
import type { Option, TableEvent } from '../../src/net/wire.ts';
import OpenRecord from '../../src/review/OpenRecord.svelte';
import PlaceMark from '../../src/board/PlaceMark.svelte';
import { drawing } from '../../src/game/position.ts';
import Actions from '../../src/table/Actions.svelte';
import { closeOnBack } from '../../src/app/page.svelte.ts';
import { personAt } from '../../src/session/scene.ts';
import Crews from '../../src/table/Crews.svelte';
import Curtain from '../../src/table/Curtain.svelte';
import { TableModel } from '../../src/table/model.svelte.ts';
import { reasonOf } from '../../src/table/result.ts';
import TableView from '../../src/table/TableView.svelte';
import { eventWords } from '../../src/table/words.ts';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

const option = (from: string, card: string): Option =>
  ({ move: { kind: 'advance', from, card }, to: '7', cards: 0 }) as unknown as Option;

test('which pirate is meant is asked on the board, where the pirates themselves are the answers', () => {
  const sent: Option[] = [];
  const model = new TableModel((each) => Promise.resolve(void sent.push(each)));
  const options = [option('3', 'B'), option('5', 'B')];
  model.options = { legal: options, illegal: [] };
  model.position = drawing('jamaica', 'BPHSDK/DBKPHS', 's,3,5/1');
  model.picks.pickPlace('7');
  const answers = model.picks.marks.filter(({ kind }) => kind === 'choice');
  expect(answers).toMatchObject([
    { place: '3', crews: [1], label: 'Play a bottle card and move from field 3 to field 7' },
    { place: '5', crews: [1], label: 'Play a bottle card and move from field 5 to field 7' },
  ]);
  expect([model.picks.question, model.announcement.includes('from field 5')]).toEqual(['Which pirate?', true]);
  model.picks.pickPlace('5', 1);
  expect(sent).toEqual([options[1]]);
});

test('what a screen reader is told a second time is told anew', async () => {
  const model = new TableModel(() => Promise.resolve());
  model.position = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  render(TableView, { model, undo: () => undefined });
  const told = (): Element | null | undefined => document.querySelector('#announcements')?.firstElementChild;
  model.announcement = '1 target: field 7';
  await waitFor(() => expect(told()?.textContent).toBe('1 target: field 7'));
  const first = told();
  model.announcement = '1 target: field 7';
  await waitFor(() => expect(told()).not.toBe(first));
  expect(told()?.textContent).toBe('1 target: field 7');
});

test('where three crews share a line, computers go by their first names, and people by their own', () => {
  const names = ['Anna Maria', 'Bartholomew Roberts', ''];
  const seats = names.map((name, index) => ({
    ...personAt(index + 1),
    name,
    ...(index ? ({ kind: 'computer', level: 'sailor' } as const) : {}),
  }));
  const { container } = render(Crews, { position: drawing('jamaica', 'BPHSDK', 's/1/2'), seats, viewer: 0 });
  const texts = (selector: string): (string | null)[] =>
    [...container.querySelectorAll(selector)].map((node) => node.textContent);
  expect(texts('.many .name')).toEqual(['Anna Maria', 'Bartholomew Roberts', 'Sailor']);
  expect(texts('.many .rest')).toEqual(['', ' Roberts', '']);
});

test('after the end nobody plays in place of the one who resigned, and it is nobody’s turn', async () => {
  const position = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  const seats = [{ ...personAt(1), resigned: true }, personAt(2)];
  const shown = render(Crews, { position, seats, viewer: 1 });
  const marks = (): number[] =>
    ['.away', '[aria-current]'].map((name) => shown.container.querySelectorAll(name).length);
  expect(marks()).toEqual([1, 1]);
  await shown.rerender({ over: true });
  expect(marks()).toEqual([0, 0]);
});

test('a person without a name keeps the colour while the computer plays', () => {
  const seats = [personAt(1), { ...personAt(2), level: 'deckhand', away: 'time' as const }];
  const position = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  const { container } = render(Crews, { position, seats, viewer: 1 });
  expect(container.querySelectorAll('.name')[1]?.textContent).toBe('Red');
  const model = new TableModel(() => Promise.resolve());
  model.seats = seats;
  expect([model.nameOf(2), model.plainName(2)]).toEqual(['Red', 'Red']); // in a sentence, too
});

test('a seat whose days ran out is not said to have resigned by itself', () => {
  const model = new TableModel(() => Promise.resolve());
  const outcome = { winner: 1, how: 'resigned' } as const;
  model.set({
    ...{ key: 1, position: drawing('jamaica', 'BPHSDK/DBKPHS', 's/1'), options: null, undo: null, viewer: 1 },
    ...{ actions: 3, seats: [personAt(1), { ...personAt(2), resigned: true, name: 'Ben' }], outcome },
    events: [{ seq: 9, at: 0, type: 'resigned', seat: 2, why: 'time' }],
  } as never);
  expect(eventWords('tunnel', model.log[0] as TableEvent, model.plainName)).toBe('Ben resigns: the time is up.');
  expect(reasonOf(model, outcome)).toBe('Ben has run out of time.');
  model.viewer = 2;
  expect(reasonOf(model, outcome)).toBe('Your time is up.');
});

test('who is on holiday is marked until the holiday is over', () => {
  const seats = [1, -1].map((hours, index) => ({
    ...{ ...personAt(index + 1), holidays: 7, holiday: Date.now() + hours * 3_600_000 },
  }));
  const position = drawing('jamaica', 'BPHSDK/DBKPHS', 's/1');
  const { container } = render(Crews, { position, seats, viewer: 1 });
  expect([...container.querySelectorAll('.away')].map((mark) => mark.textContent)).toEqual(['on holiday']);
});

test('a hint and the coach draw the better turn on the board, the hint only where the coach says nothing', () => {
  const model = new TableModel(() => Promise.resolve());
  model.position = drawing('jamaica', 'BPHSDK/DBKPHS', 's,3/1');
  const ways = (): string[] => model.picks.trails.map(({ from, to }) => `${from} ${to}`);
  expect(ways()).toEqual([]);
  model.picks.hintMove = option('3', 'B');
  expect(ways()).toEqual(['3 7']);
  model.picks.advice = [{ ...(model.picks.trails[0] as (typeof model.picks.trails)[0]), from: 's', to: '1' }];
  expect(ways()).toEqual(['s 1']);
});

test('only the last turn of the others is drawn, an earlier one when its player is tapped', () => {
  const model = new TableModel(() => Promise.resolve());
  const moved = (turn: number, seat: number, from: string, to: string): unknown => ({
    type: 'move',
    turn,
    seat,
    move: { kind: 'advance', from, card: 'B' },
    to,
    cards: [],
  });
  model.set({
    ...{ key: 1, position: drawing('jamaica', 'BPHSDK/DBKPHS', 's/7/8'), options: null, undo: null, viewer: 1 },
    ...{ actions: 3, seats: [1, 2, 3].map(personAt), outcome: null },
    events: [moved(1, 2, '2', '7'), moved(2, 3, '3', '8')],
  } as never);
  const ways = (): unknown[] => model.picks.trails.map(({ seat, from, to }) => [seat, from, to]);
  expect(ways()).toEqual([[3, '3', '8']]);
  model.shownSeat = 2;
  expect(ways()).toEqual([[2, '2', '7']]);
});

test('a place picked again is no longer asked about', () => {
  const model = new TableModel(() => Promise.resolve());
  model.options = { legal: [option('3', 'B'), option('5', 'B')], illegal: [] };
  model.position = drawing('jamaica', 'BPHSDK/DBKPHS', 's,3,5/1');
  model.picks.pickPlace('7');
  expect(model.picks.question).toBe('Which pirate?');
  model.picks.pickPlace('7');
  expect(model.picks.question).toBe('');
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

test('a key that is held down acts once: it ends one turn, picks one place and lifts no curtain', async () => {
  const sent: Option[] = [];
  const model = new TableModel((each) => Promise.resolve(void sent.push(each)));
  model.viewer = 1;
  model.options = { legal: [option('3', 'B'), { move: { kind: 'end' }, cards: 0 } as unknown as Option], illegal: [] };
  model.position = drawing('jamaica', 'BPHSDK/DBKPHS', 's,3/1');
  const undo = vi.fn();
  const { unmount } = render(TableView, { model, undo });
  const hold = async (key: string, node: Element | Window = window): Promise<boolean> => {
    const isActed = await fireEvent.keyDown(node, { key });
    for (let time = 0; time < 5; time++) await fireEvent.keyDown(node, { key, repeat: true });
    return isActed;
  };
  await hold('e');
  expect(sent.map(({ move }) => move.kind)).toEqual(['end']);
  model.undo = { possible: true, reason: null, message: null };
  await hold('u');
  expect(undo).toHaveBeenCalledOnce();
  const button = document.querySelector('[data-action=end]') as HTMLElement;
  expect([await hold('Enter', button), await fireEvent.keyDown(button, { key: 'Enter', repeat: true })]).toEqual([
    true,
    false, // a browser presses no button for a key event that was prevented
  ]);
  unmount();
  const pick = vi.fn();
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const marks = [{ place: '3', kind: 'source' as const, label: '' }];
  const boxes = { box, reach: box, framed: box, tilt: 0 };
  render(PlaceMark, { place: '3', marks, ...boxes, family: 'tunnel', placeName: (place: string) => place, pick });
  await hold('Enter', document.querySelector('.mark') as Element);
  expect(pick).toHaveBeenCalledOnce();
  render(Curtain, { name: 'Ben', seat: 2, lift: vi.fn() });
  const lift = document.querySelector('[data-action=lift]') as HTMLElement;
  expect(await fireEvent.keyDown(lift, { key: 'Enter', repeat: true })).toBe(false);
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
  const given = (): Promise<string> => read.mock.lastCall?.[0] as Promise<string>;
  expect(await given()).toBe('[Rules "x"]');
  const file = new File(['a record'], 'game.txt', { type: 'text/plain' });
  await fireEvent.change(document.querySelector('input[type=file]') as HTMLElement, { target: { files: [file] } });
  expect(await given()).toBe('a record');
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

test('of two dialogs the upper one closes alone, by Back and by its button', async () => {
  const menu = document.body.appendChild(document.createElement('dialog'));
  const upper = menu.appendChild(document.createElement('dialog'));
  const open = (dialog: HTMLDialogElement): void => {
    dialog.showModal();
    closeOnBack(dialog);
  };
  open(menu);
  open(upper);
  const back = async (leave: () => void): Promise<void> => {
    const gone = new Promise((done) => addEventListener('popstate', done, { once: true, capture: true }));
    leave();
    await gone;
    await waitFor(() => expect([menu.open, upper.open]).toEqual([true, false]));
  };
  await back(() => history.back());
  open(upper);
  await back(() => upper.close());
  history.back();
  await waitFor(() => expect(menu.open).toBe(false));
});

test('a record that cannot be read says so beside the button', () => {
  render(OpenRecord, { read: () => undefined, word: 'Show', problem: 'No record', detail: 'line 1' });
  const told = document.querySelector('details.sheet [role=alert]');
  expect(told?.textContent).toContain('No record');
});
