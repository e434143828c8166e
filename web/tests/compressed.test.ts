import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { compress } from '../plugins/compressed.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const SCRIPT = bytes('export const words = "the words of a page";\n'.repeat(100));

test('a build has the compressed forms of its texts beside them, and of nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'compressed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  const content: Record<string, Uint8Array> = {
    'index.html': SCRIPT,
    'assets/app-1a2b.js': SCRIPT,
    'assets/engine-3c4d.wasm': SCRIPT,
    'assets/tiny-5e6f.css': bytes('a{}'),
    'assets/font-7a8b.woff2': SCRIPT,
    'assets/jamaica.network': SCRIPT,
  };
  for (const [name, text] of Object.entries(content)) await writeFile(join(folder, name), text);
  await compress(folder);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const packed = ['index.html', 'assets/app-1a2b.js', 'assets/engine-3c4d.wasm'];
  const names = [...Object.keys(content), ...packed.flatMap((name) => [`${name}.br`, `${name}.gz`])];
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(paths.sort()).toEqual(names.map((name) => join(folder, name)).sort());
  for (const name of packed) {
    expect(new Uint8Array(brotliDecompressSync(await readFile(join(folder, `${name}.br`))))).toEqual(SCRIPT);
    expect(new Uint8Array(gunzipSync(await readFile(join(folder, `${name}.gz`))))).toEqual(SCRIPT);
  }
});
