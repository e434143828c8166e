// @vitest-environment happy-dom
/** What a person chose: two windows keep each other's choices, and a damaged storage costs nothing but itself. */
import { beforeEach, expect, test, vi } from 'vitest';

const KEY = 'cartagena.settings';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

const stored = (): Record<string, unknown> => JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;

test('a choice leaves what another window has chosen meanwhile', async () => {
  const { keep, settings } = await import('../src/app/settings.svelte.ts');
  localStorage.setItem(KEY, JSON.stringify({ name: 'Ann', pace: 'fast' }));
  keep({ theme: 'dark' });
  expect(stored()).toMatchObject({ name: 'Ann', pace: 'fast', theme: 'dark' });
  expect(settings.name).toBe('Ann');
});

test('what another window chooses holds here too', async () => {
  const { adopt, settings } = await import('../src/app/settings.svelte.ts');
  localStorage.setItem(KEY, JSON.stringify({ theme: 'contrast', volume: 0.1 }));
  adopt();
  expect([settings.theme, settings.volume, settings.pace]).toEqual(['contrast', 0.1, 'normal']);
});

test.each(['[null]', 'null', '7', '"dark"', '{', '{"theme":"pink","pace":5,"volume":9,"name":null,"mute":"no"}'])(
  'of stored settings %s only what makes sense is used',
  async (text) => {
    localStorage.setItem(KEY, text);
    const { paceFactor, settings } = await import('../src/app/settings.svelte.ts');
    expect({ ...settings }).toMatchObject({ theme: 'auto', pace: 'normal', volume: 0.5, name: '', mute: false });
    expect(paceFactor()).toBe(1);
  },
);

test.each(['[null]', '[7, "x", {}]', '[{"table": 7, "at": 1}]', '{"a": 1}'])(
  'a list %s of seats, unsent moves or promises has nothing in it',
  async (text) => {
    for (const name of ['seats', 'seat.t1', 'unsent', 'promises']) localStorage.setItem(`cartagena.${name}`, text);
    const [{ keptSeat, keptSeats, keepSeat }, { unsentMoves }, { keepPromise }] = await Promise.all([
      import('../src/net/seats.ts'),
      import('../src/net/unsent.ts'),
      import('../src/net/promise.ts'),
    ]);
    expect([keptSeats(), keptSeat('t1'), unsentMoves()]).toEqual([[], undefined, []]);
    expect(keepPromise('t1', 'c')).not.toBe('');
    keepSeat({ table: 't1', token: 'x', rules: 'jamaica-en', name: '', at: 1 });
    expect(keptSeat('t1')?.token).toBe('x');
  },
);

test('who was guided before each game had first steps of its own is shown those of the other games', async () => {
  localStorage.setItem(KEY, JSON.stringify({ guided: true, name: 'Ann' }));
  const { keep, settings } = await import('../src/app/settings.svelte.ts');
  expect(settings.known).toBe('jamaica');
  keep({ known: `${settings.known} nest` });
  expect(stored()).toMatchObject({ name: 'Ann', known: 'jamaica nest' });
  expect(stored()).not.toHaveProperty('guided');
});

test('a page is printed in light colours, whatever is chosen for the screen', async () => {
  const { applyTheme, keep } = await import('../src/app/settings.svelte.ts');
  keep({ theme: 'dark' });
  applyTheme();
  expect(document.documentElement.dataset['theme']).toBe('dark');
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({ matches: query === 'print' }) as MediaQueryList);
  applyTheme();
  expect(document.documentElement.dataset['theme']).toBe('light');
  vi.restoreAllMocks();
});
