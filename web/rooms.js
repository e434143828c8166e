/** A lint rule: which room of `src/` may import which, and no file imports itself by way of others. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The rooms, lowest first: a file imports from its own room and from lower levels. Rooms of one level do not import one another. */
const LEVELS = [
  ['app', 'design', 'engine'],
  ['net'],
  ['game'],
  ['i18n'],
  ['board'],
  ['session'],
  ['local'],
  ['table'],
  ['learn', 'notify'],
  ['puzzles', 'review'],
  ['coach'],
  ['screens'],
  ['src'], // App.svelte and main.ts: they connect everything
];
const SOURCE = join(import.meta.dirname, 'src');
const IMPORTS = /^\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s+)?['"](\.[^'"]+)['"]/gm;

const levelOf = (room) => LEVELS.findIndex((rooms) => rooms.includes(room));

/** The room of a file; nothing for a file outside of the sources. */
function roomOf(file) {
  const parts = relative(SOURCE, file).split(sep);
  if (parts[0] === '..') return undefined;
  return parts.length > 1 ? parts[0] : 'src';
}

const known = new Map();

/** The files that a file imports when it is loaded, or takes types from. */
function importsOf(file) {
  if (!known.has(file)) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const found = [...text.matchAll(IMPORTS)].map(([, path]) => resolve(dirname(file), path));
    known.set(file, found.filter(roomOf));
  }
  return known.get(file);
}

/** The way from a file back to itself; nothing where there is none. */
function circleOf(file) {
  const seen = new Set();
  const ways = importsOf(file).map((next) => [next]);
  for (let way = ways.pop(); way; way = ways.pop()) {
    const last = way[way.length - 1];
    if (last === file) return way;
    if (seen.has(last)) continue;
    seen.add(last);
    ways.push(...importsOf(last).map((next) => [...way, next]));
  }
  return undefined;
}

const name = (file) => relative(SOURCE, file);

function check(context, node) {
  const source = node.source ?? node.argument;
  const path = source?.value ?? source?.literal?.value;
  if (typeof path !== 'string' || !path.startsWith('.')) return;
  const [from, to] = [roomOf(context.filename), roomOf(resolve(dirname(context.filename), path))];
  if (!from || !to || from === to) return;
  if (levelOf(to) < 0) context.report({ node, message: `${to} is no room: name it in rooms.js.` });
  else if (levelOf(to) >= levelOf(from)) context.report({ node, message: `${from} may not import ${to}.` });
}

export const rooms = {
  rules: {
    order: {
      meta: { type: 'problem', schema: [] },
      create(context) {
        const report = (node) => check(context, node);
        return {
          ImportDeclaration: report,
          ExportAllDeclaration: report,
          ExportNamedDeclaration: report,
          ImportExpression: report,
          TSImportType: report,
          Program(node) {
            if (!roomOf(context.filename)) return;
            const circle = circleOf(context.filename);
            if (circle) context.report({ node, message: `Imports itself: ${circle.map(name).join(' → ')}.` });
          },
        };
      },
    },
  },
};
