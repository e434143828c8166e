/** The talk at a table, as it is read. */
import { configure, render, waitFor } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { TableEvent } from '../../src/net/wire.ts';
import TalkPanel from '../../src/table/TalkPanel.svelte';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

const model = (lines: number): never =>
  ({
    log: Array.from({ length: lines }, (_, index): TableEvent => ({
      seq: index + 1,
      at: 0,
      type: 'talk',
      seat: 1,
      text: `Word ${index}`,
    })),
    plainName: () => 'Ben',
  }) as never;

/** A browser lays nothing out here: a line is as high as it is said to be. */
function layOut(list: HTMLElement, height = 100): void {
  Object.defineProperty(list, 'scrollHeight', { get: () => list.children.length * 20, configurable: true });
  Object.defineProperty(list, 'clientHeight', { value: height, configurable: true });
}

test('what is said moves the talk on for a reader at its end, and not for one who reads back', async () => {
  const { rerender } = render(TalkPanel, { model: model(40) });
  const list = document.querySelector('.talk ol') as HTMLElement;
  layOut(list);
  await rerender({ model: model(41) });
  await waitFor(() => expect(list.scrollTop).toBe(41 * 20));
  list.scrollTop = 0;
  list.dispatchEvent(new Event('scroll'));
  await rerender({ model: model(42) });
  await waitFor(() => expect(list.children).toHaveLength(42));
  await new Promise((done) => setTimeout(done));
  expect(list.scrollTop).toBe(0);
  list.scrollTop = 42 * 20 - 100;
  list.dispatchEvent(new Event('scroll'));
  await rerender({ model: model(43) });
  await waitFor(() => expect(list.scrollTop).toBe(43 * 20));
});

test('a list that gets lower while it grows stays at its end', async () => {
  const { rerender } = render(TalkPanel, { model: model(40) });
  const list = document.querySelector('.talk ol') as HTMLElement;
  layOut(list);
  await rerender({ model: model(41) });
  await waitFor(() => expect(list.scrollTop).toBe(41 * 20));
  layOut(list, 60); // the card of the result takes its room before the browser tells of the scrolling
  Object.defineProperty(list, 'scrollHeight', { get: () => 42 * 20 + 200, configurable: true });
  list.dispatchEvent(new Event('scroll'));
  await rerender({ model: model(42) });
  await waitFor(() => expect(list.scrollTop).toBe(42 * 20 + 200));
});
