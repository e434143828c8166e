import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import { olderBrowsers } from './newer.js';
import { rooms } from './rooms.js';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules/', 'src/net/schema.d.ts', 'dist/'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    plugins: { rooms },
    rules: {
      ...olderBrowsers,
      'rooms/order': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
      'no-console': 'error',
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
      'svelte/prefer-svelte-reactivity': 'off', // these maps are made anew by each derivation and never changed later
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_' }],
    },
  },
);
