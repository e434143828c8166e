/** The look comes from tokens: sizes, spaces and breakpoints have names, and no component makes up its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ICONS } from '../src/design/icons.ts';

const SOURCE = new URL('../src/', import.meta.url).pathname;
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(svelte|css)$/.test(path) && !path.endsWith('breakpoints.css'))
  .map((path) => ({ path, text: readFileSync(join(SOURCE, path), 'utf8') }));
/** The styles of a file, without comments. */
const styles = (text: string, path: string): string =>
  (path.endsWith('.css') ? text : (/<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '')).replaceAll(
    /\/\*[\s\S]*?\*\//g,
    '',
  );
const STYLED = FILES.filter(({ path }) => !path.endsWith('tokens.css'));
/** The table's own sizes have names too: what is pressed, cards, faces, rows and columns. */
const TABLE = STYLED.filter(({ path }) => /^(board|table)\//.test(path));
/** Drawings, whose shapes belong to one picture alone; everything else takes its shapes from the sheet of icons. */
const DRAWINGS = /^(board\/|design\/Icon|table\/(Card|Winner)|review\/Graph|screens\/Invitation)/;

const found = (files: typeof FILES, pattern: RegExp): string[] =>
  files.flatMap(({ path, text }) => [...styles(text, path).matchAll(pattern)].map(([match]) => `${path}: ${match}`));

test('every breakpoint has a name', () => {
  expect(FILES.length).toBeGreaterThan(60);
  expect(found(FILES, /@media [^{]*(?:width|height|ratio):[^{]*/g)).toEqual([]);
});

test('pages and table take sizes of text, spaces and corners from the tokens', () => {
  expect(found(STYLED, /font-size: [\d.]+(?:px|rem)/g)).toEqual([]);
  expect(found(STYLED, /(?:gap|margin|padding)[a-z-]*: (?:[^;({]* )?-?(?:[2-9]|\d\d)px/g)).toEqual([]);
  expect(found(STYLED, /border-radius: [1-9]\d?px/g)).toEqual([]);
});

test('the sizes of board and table are tokens', () => {
  const sized =
    /(?<![\w-])(?:(?:min-|max-)?(?:width|height)|inset|top|right|bottom|left|flex|grid-template[a-z-]*|--[a-z-]+): /;
  const literal = new RegExp(`${sized.source}[^;{]*?(?<![\\w.-])(?:[\\d.]+rem|(?:[2-9]|\\d\\d+)px)`, 'g');
  expect(TABLE.length).toBeGreaterThan(25);
  expect(found(TABLE, literal)).toEqual([]);
  expect(found(TABLE, /font(?:-size)?: [^;{]*?(?<![\w.-])[\d.]+rem/g)).toEqual([]);
});

test('every token that is used exists', () => {
  const all = FILES.map(({ text }) => text).join('\n');
  // The tip of a bubble is placed by `table/anchored.ts`.
  const known = new Set(['--tip', ...[...all.matchAll(/(--[a-z][\w-]*)[:=]/g)].map(([, name]) => name)]);
  const used = [...all.matchAll(/var\((--[a-z][\w-]*)\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('the keyboard’s place is marked also by a browser without :has()', () => {
  const marked = STYLED.filter(({ text, path }) => /:has\([^)]*:focus/.test(styles(text, path)));
  const unmarked = marked.filter(
    ({ text }) => !/@supports not selector\(:has\(\*\)\) \{\s*\S+:focus-within/.test(text),
  );
  expect(marked.length).toBeGreaterThan(0);
  expect(unmarked.map(({ path }) => path)).toEqual([]);
});

test('icons come from the one sheet', () => {
  const markup = FILES.filter(({ path }) => path.endsWith('.svelte') && !DRAWINGS.test(path)).map(({ path, text }) => ({
    path,
    text: text.replace(/<style>[\s\S]*<\/style>/, ''),
  }));
  const strays = markup.filter(({ text }) => /<path\b|<polygon\b|[⚓⚑⚐⚙◌✕✖▴▾⟳☰]/.test(text));
  expect(strays.map(({ path }) => path)).toEqual([]);
  const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(svelte|css|ts)$/.test(path),
  );
  expect(sources.filter((path) => /[✓✔★◆✎]/.test(readFileSync(join(SOURCE, path), 'utf8')))).toEqual([]);
  const picture = readFileSync(join(SOURCE, '../public/icon.svg'), 'utf8');
  expect(picture).toContain(ICONS.sloop); // the favicon is the ship of the pages
  const all = FILES.map(({ text }) => text).join('\n');
  expect(Object.keys(ICONS).filter((name) => !all.includes(`'${name}'`) && !all.includes(`"${name}"`))).toEqual([]);
});

test('one drawing of a pirate stands for a crew everywhere', () => {
  const holding = (pattern: RegExp): string[] => FILES.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(holding(/\bHAT\b/)).toEqual(['board/Pirate.svelte']);
  expect(holding(/viewBox="0 0 40 48"/)).toEqual(['board/Face.svelte']);
});
