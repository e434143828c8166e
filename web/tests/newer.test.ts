/** The lint rules against what a browser of the build's target lacks. */
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const lint = new ESLint();

async function refused(code: string, file: string): Promise<string[]> {
  const [result] = await lint.lintText(code, { filePath: `src/app/${file}` });
  return (result?.messages ?? []).map(({ ruleId, line }) => `${ruleId} ${line}`);
}

test('what is newer than the oldest browser of the build is refused, in scripts and in pages', async () => {
  const code = [
    'export const seen = document.body.checkVisibility();',
    'export const ready = Promise.withResolvers();',
    'export const soon = requestIdleCallback;',
    'export const some = new Map().values().some(Boolean);',
    'export const fine = Object.values({}).some(Boolean);',
  ].join('\n');
  expect(await refused(code, 'some.ts')).toEqual([
    'no-restricted-properties 1',
    'no-restricted-properties 2',
    'no-restricted-globals 3',
    'no-restricted-syntax 4',
  ]);
  const page = '<button onclick={({ target }) => target.showPopover()}></button>';
  expect(await refused(page, 'Some.svelte')).toEqual(['no-restricted-properties 1']);
});
