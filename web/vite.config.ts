import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';
import { bundled } from './bundled.js';
import { engineFiles } from './plugins/engine.ts';
import { serviceWorker } from './plugins/offline.ts';

/** The client is built into the Python package, which serves it; nothing is ever loaded from elsewhere. */
export default defineConfig({
  plugins: [svelte(), engineFiles(), bundled(), serviceWorker()],
  base: './',
  build: {
    outDir: '../src/cartagena/server/static',
    emptyOutDir: true,
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What the first page needs comes in one piece: many small files would wait for one another.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] }, proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  test: {
    pool: 'threads', // a process for each file takes a quarter more of the processor
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'logic', include: ['tests/*.test.ts'], environment: 'node' } },
      {
        extends: true,
        plugins: [svelteTesting()],
        test: { name: 'components', include: ['tests/components/*.test.ts'], environment: 'happy-dom' },
      },
    ],
  },
});
