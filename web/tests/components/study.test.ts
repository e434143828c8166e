/** The analysis board and the review as pages, with the engine of this browser. */
import { configure, fireEvent, render, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import vectors from '../../../tests/study/vectors.json';
import { speech } from '../../src/i18n/i18n.svelte.ts';
import { ReviewModel } from '../../src/review/review.svelte.ts';
import AnalysisScreen from '../../src/screens/AnalysisScreen.svelte';
import { goTo, one, serveWithEngine } from './serving.ts';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  await goTo('#/home');
  vi.stubGlobal('Worker', function () {
    return { postMessage: () => undefined, terminate: () => undefined };
  });
  serveWithEngine();
  await speech.learn('review');
});

const written = (hands: string, stock: string): string =>
  `jamaica-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,s,s,s,s,s/s,s,s,s,s,s ${hands} - ${stock} - - 1.0`;

test('hands that are opened later are shown on the analysis board', async () => {
  render(AnalysisScreen, { parts: [written('?6/?6', '?90')] });
  await waitFor(() => expect(document.querySelectorAll('.crews .crew').length).toBe(2));
  expect(document.querySelector('[data-problem]')).toBeNull();
  const open = (): (string | null)[] =>
    [...document.querySelectorAll('.crews [role=img]')].map((hand) => hand.getAttribute('aria-label'));
  expect(open()).toEqual([]);
  const text = written('B2DHKP/DH2KPS', 'B15D15H14K15P15S16');
  await fireEvent.input(one('[data-notation]'), { target: { value: text } });
  await waitFor(() => expect(open()).toHaveLength(2));
  expect(open()[0]?.toLowerCase()).toContain('bottle');
});

test.each([
  ['the review is closed', (model: ReviewModel) => model.close()],
  ['it is left', (model: ReviewModel) => (model.line = undefined)],
])('a variation that is played stands still once %s', async (_, leave) => {
  const model = new ReviewModel();
  await model.open(vectors[0]?.record ?? '');
  model.tryOn();
  const trial = model.line?.trial;
  if (!trial) throw new Error('no board to play on');
  await waitFor(() => expect(trial.model.position).toBeDefined());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void trial.show(['s:S', '6:K', 's:P', 'end']);
  await vi.waitFor(() => expect(trial.model.position?.pirates[0]).toContain('6'));
  leave(model);
  const shown = trial.model.position;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(trial.model.position).toBe(shown);
  model.close();
});
