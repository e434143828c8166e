/** Addresses: where a person goes, and what a screen notes there. */
import { beforeEach, expect, test } from 'vitest';
import { router } from '../../src/app/router.svelte.ts';
import { goTo } from './serving.ts';

beforeEach(async () => {
  await goTo('#/analysis');
});

test('a screen notes in the address how far it has come', async () => {
  router.note('analysis', 'a text');
  expect(location.hash).toBe('#/analysis/a%20text');
  expect(router.route).toEqual({ screen: 'analysis', parts: [] });
  router.note('analysis', 'more');
  expect(location.hash).toBe('#/analysis/more');
  await goTo('#/rules');
  expect(router.route).toEqual({ screen: 'rules', parts: [] });
});

test.each(['note', 'replace'] as const)('a late %s does not take a person back', async (name) => {
  await goTo('#/review/r/word', () => router[name]('analysis', 'a text'));
  expect(location.hash).toBe('#/review/r/word');
  expect(router.route).toEqual({ screen: 'review', parts: ['r', 'word'] });
});

test('an address is replaced with its screen', () => {
  router.replace('table', 'x');
  expect(location.hash).toBe('#/table/x');
  expect(router.route).toEqual({ screen: 'table', parts: ['x'] });
});
