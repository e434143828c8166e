/**
 * Lint rules against what a browser of the build's target lacks (`build.target` in `vite.config.ts`). The types know what the
 * newest browsers have, so the compiler is silent. Code that can do without takes it from `globalThis as Partial<…>`, where
 * the compiler asks for a check, or switches the rule off in a comment that says why.
 */
const REASON = 'Not every browser of the build’s target has it.';

/** Of any object. */
const METHODS = [
  ...['checkVisibility', 'moveBefore', 'showPopover', 'hidePopover', 'togglePopover', 'requestClose', 'getHTML'],
  ...['setHTML', 'setHTMLUnsafe', 'startViewTransition', 'getSetCookie'],
  ...['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ...['isWellFormed', 'toWellFormed', 'toBase64', 'setFromBase64', 'setFromHex', 'transferToFixedLength'],
  ...['getOrInsert', 'getOrInsertComputed'],
];

/** Of the objects that everybody has. */
const STATIC = {
  AbortSignal: ['any'],
  Array: ['fromAsync'],
  Error: ['captureStackTrace', 'isError'],
  Map: ['groupBy'],
  Math: ['f16round', 'sumPrecise'],
  Object: ['groupBy'],
  Promise: ['try', 'withResolvers'],
  RegExp: ['escape'],
  Uint8Array: ['fromBase64', 'fromHex'],
  URL: ['canParse', 'parse'],
};

const GLOBALS = [
  ...['requestIdleCallback', 'cancelIdleCallback', 'scheduler', 'navigation', 'cookieStore', 'trustedTypes'],
  ...['CloseWatcher', 'EyeDropper', 'Float16Array', 'Iterator', 'Observable', 'Sanitizer', 'Temporal', 'URLPattern'],
  ...['DisposableStack', 'AsyncDisposableStack', 'SuppressedError'],
];

/** What an iterator does like an array: `map.values().some(…)`; `Object.values(…)` is an array. */
const HELPERS = 'drop|every|filter|find|flatMap|forEach|map|reduce|some|take|toArray';
const ITERATOR = `CallExpression[callee.property.name=/^(${HELPERS})$/][callee.object.callee.property.name=/^(entries|keys|matchAll|values)$/]:not([callee.object.callee.object.name='Object'])`;

export const olderBrowsers = {
  'no-restricted-properties': [
    'error',
    ...METHODS.map((property) => ({ property, message: REASON })),
    ...Object.entries(STATIC).flatMap(([object, properties]) =>
      properties.map((property) => ({ object, property, message: REASON })),
    ),
  ],
  'no-restricted-globals': ['error', ...GLOBALS.map((name) => ({ name, message: REASON }))],
  'no-restricted-syntax': ['error', { selector: ITERATOR, message: REASON }],
};
