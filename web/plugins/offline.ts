/** Writes the service worker of a build, with the list of its files, and the page's content policy. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** What the page may do, wherever it is served from; a server's headers may forbid more. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const WORKER = 'service-worker.js';
/** What browsers that can run the page never fetch by its own address. */
const UNUSED = /\.(woff|br|gz)$/;
/** What is kept for offline use once it was fetched. */
const ON_DEMAND = '.network';

/** The files of a folder, as paths with slashes, in a fixed order. */
function filesOf(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

export function serviceWorker(): Plugin {
  let out = '';
  return {
    name: 'cartagena-offline',
    apply: 'build',
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
    closeBundle() {
      const paths = filesOf(out).filter((path) => path !== WORKER && !UNUSED.test(path));
      const files = Object.fromEntries(paths.map((path) => [path, hashOf(readFileSync(join(out, path)))]));
      const text = readFileSync(new URL('service-worker.js', import.meta.url), 'utf-8');
      const build = hashOf(JSON.stringify(files) + text).slice(0, 16);
      const told = `const BUILD = '${build}';\nconst ON_DEMAND = '${ON_DEMAND}';\nconst FILES = ${JSON.stringify(files, null, 1)};\n`;
      writeFileSync(join(out, WORKER), `${told}${text}`);
    },
  };
}
