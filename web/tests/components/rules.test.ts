/** The page of rules, mounted in a document: it prints the rules of the edition that it names. */
import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test } from 'vitest';
import { EDITIONS } from '../../src/game/editions.ts';
import { LANGUAGES, speech, t } from '../../src/i18n/i18n.svelte.ts';
import RulesScreen from '../../src/screens/RulesScreen.svelte';
import { serve } from './serving.ts';

beforeEach(async () => {
  serve({});
  await speech.learn('learn');
});

const languages = Object.keys(LANGUAGES);
/** The edition that the page names, if the game has several, and whether it says that one may pass. */
function shown(): { readonly edition: string | undefined; readonly pass: boolean } {
  const [may, must] = [t('rules.pass.may'), t('rules.pass.must')];
  const said = [...document.querySelectorAll('section p')].flatMap(({ textContent }) =>
    textContent === may ? [true] : textContent === must ? [false] : [],
  );
  expect(said.length).toBe(1);
  return { edition: document.querySelector<HTMLSelectElement>('nav select')?.value, pass: said[0] === true };
}

test.each(languages)('from the start page in %s, and in every language chosen while it is open', async (first) => {
  await speech.choose(first);
  render(RulesScreen, { parts: [] });
  for (const language of [first, ...languages]) {
    await speech.choose(language);
    const edition = ['de', 'nl', 'sv'].includes(language) ? language : 'en';
    await tick();
    expect(shown()).toEqual({ edition, pass: edition === 'de' });
  }
});

test.each(Object.entries(EDITIONS))('by the address of %s, as from a table', async (rules, { game, edition }) => {
  render(RulesScreen, { parts: [rules] });
  for (const language of languages) {
    await speech.choose(language);
    await tick();
    expect(document.querySelector('h1')?.textContent).toBe(t('rules.heading', { game: t(`game.${game}`) }));
    expect(shown()).toEqual(
      game === 'nest' ? { edition: undefined, pass: false } : { edition, pass: edition === 'de' },
    );
  }
});

test('by the address of a game, in the edition of the language', async () => {
  await speech.choose('de');
  render(RulesScreen, { parts: ['tortuga'] });
  expect(document.querySelector('h1')?.textContent).toBe('Spielregel: Tortuga');
  expect(shown()).toEqual({ edition: 'de', pass: true });
});
