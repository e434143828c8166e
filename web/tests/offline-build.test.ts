/** What the build adds to the page for offline use. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { serviceWorker } from '../plugins/offline.ts';

test('a build to an absolute folder has its service worker there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartagena-'));
  const outDir = join(folder, 'built');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  await build({ root: folder, configFile: false, logLevel: 'silent', plugins: [serviceWorker()], build: { outDir } });
  expect(readFileSync(join(outDir, 'service-worker.js'), 'utf-8')).toContain('"index.html"');
  rmSync(folder, { recursive: true });
});
