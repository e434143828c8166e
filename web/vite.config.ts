import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { bundled } from './bundled.js';
import { compressed } from './plugins/compressed.ts';
import { engineFiles } from './plugins/engine.ts';
import { serviceWorker } from './plugins/offline.ts';

/** The client is built into the Python package, which serves it; nothing is ever loaded from elsewhere. */
export default defineConfig({
  plugins: [svelte(), engineFiles(), bundled(), serviceWorker(), compressed()],
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
});
