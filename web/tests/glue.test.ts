/** Sentences come whole from the catalogues: nothing is glued to a translated text, and no text is written into a page. */
import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

interface Node {
  readonly type?: string;
  readonly [key: string]: unknown;
}

const ROOT = new URL('../src/', import.meta.url);
const SOURCES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.d.ts') && !/^(i18n|engine)\b/.test(name),
);
/** Attributes that are read to people. */
const SPOKEN = ['aria-label', 'title', 'placeholder', 'alt', 'label'];

function treeOf(name: string): Node {
  const text = new TextDecoder().decode(readFileSync(new URL(name, ROOT)));
  return parse(name.endsWith('.svelte') ? text : `<script lang="ts">${text}</script>`, {
    modern: true,
  }) as unknown as Node;
}

function children(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'metadata' && key !== 'css')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
}

/** Whether the value of an expression is a translated text: `t(…)`, or a choice of which one branch is. */
function translated(node: Node | undefined): boolean {
  if (node?.type === 'CallExpression') return (node['callee'] as Node)['name'] === 't';
  if (node?.type === 'ConditionalExpression')
    return translated(node['consequent'] as Node) || translated(node['alternate'] as Node);
  if (node?.type === 'ExpressionTag') return translated(node['expression'] as Node);
  return false;
}

const wordy = (text: unknown): boolean => /\p{L}/u.test(String(text));
/** Text that may stand beside a translated one: space, and the sign between two facts. */
const apart = (node: Node): boolean => node.type === 'Text' && /^[\s\u00a0·]*$/.test(String(node['data']));

/** Translated texts with a neighbour in the same line of text. */
function gluedRow(row: readonly Node[]): boolean {
  return row.some((node, index) => {
    if (!translated(node)) return false;
    const [before, after] = [row[index - 1], row[index + 1]];
    const near = [
      before,
      before && apart(before) ? row[index - 2] : undefined,
      after,
      after && apart(after) ? row[index + 2] : undefined,
    ];
    return near.some((other) => other?.type === 'ExpressionTag' || (other?.type === 'Text' && !apart(other)));
  });
}

function glued(node: Node): boolean {
  if (node.type === 'BinaryExpression' && node['operator'] === '+')
    return translated(node['left'] as Node) || translated(node['right'] as Node);
  if (node.type === 'TemplateLiteral') return (node['expressions'] as Node[]).some(translated);
  if (node.type === 'ArrayExpression') return false;
  if (
    node.type === 'CallExpression' &&
    ((node['callee'] as Node)['property'] as Node | undefined)?.['name'] === 'join'
  ) {
    const list = (node['callee'] as Node)['object'] as Node;
    return list.type === 'ArrayExpression' && (list['elements'] as Node[]).some(translated);
  }
  if (node.type === 'Fragment') return gluedRow(node['nodes'] as Node[]);
  if (node.type === 'Attribute' && Array.isArray(node['value']))
    return node['value'].length > 1 && node['value'].some(translated);
  return false;
}

/** Text that is written into a page, or read from it, without a catalogue. */
function written(node: Node): boolean {
  if (node.type === 'Fragment')
    return (node['nodes'] as Node[]).some((item) => item.type === 'Text' && wordy(item['data']));
  if (node.type !== 'Attribute' || !SPOKEN.includes(String(node['name']))) return false;
  const parts = Array.isArray(node['value']) ? (node['value'] as Node[]) : [];
  return parts.some((item) => item.type === 'Text' && wordy(item['data']));
}

function where(node: Node, found: (item: Node) => boolean): Node[] {
  return [...(found(node) ? [node] : []), ...children(node).flatMap((child) => where(child, found))];
}

test.each([
  ['`${t("a")}: ${name}`', true],
  ['t("a") + name', true],
  ['[t("a"), t("b")].join(" ")', true],
  ['names.join(", ")', false],
  ['t("a", { name })', false],
])('%s is glued: %s', (code, expected) => {
  expect(
    where(parse(`<script lang="ts">const x = ${code};</script>`, { modern: true }) as unknown as Node, glued).length >
      0,
  ).toBe(expected);
});

test.each([
  ['<p>{t("a")} {name}</p>', true],
  ['<p>Seat {t("a")}</p>', true],
  ['<p title="Seat {t(0)}"></p>', true],
  ['<p><b>{t("a")}</b> <i>{t("b")}</i></p>', false],
  ['<p>{name} · <span>{t("a")}</span></p>', false],
])('%s is glued: %s', (code, expected) => {
  expect(where(parse(code, { modern: true }) as unknown as Node, glued).length > 0).toBe(expected);
});

test.each(SOURCES)('%s glues nothing to a translated text and writes none itself', (name) => {
  const tree = treeOf(name);
  const source = new TextDecoder().decode(readFileSync(new URL(name, ROOT)));
  const quote = (node: Node): string => {
    const { start } = node.type === 'Fragment' ? ((node['nodes'] as Node[])[0] ?? node) : node;
    return source.slice(Number(start ?? 0)).slice(0, 160);
  };
  expect(where(tree, glued).map(quote)).toEqual([]);
  expect(where(tree, written).map(quote)).toEqual([]);
});
