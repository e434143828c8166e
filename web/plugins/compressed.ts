/** Writes the compressed forms of a build's files beside them, which a server sends to browsers that accept them. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Pictures, fonts and networks are compressed already. */
const TEXTS = /\.(css|html|js|json|svg|txt|wasm|webmanifest)$/;
/** The most that a compressed form may have of its file's size to be worth a file. */
const WORTH = 0.9;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];
/** By the ending of the compressed form. Both compress as well as they can: a build has the time. */
const FORMS = {
  '.br': (content: Uint8Array) => brotli(content, {}),
  '.gz': (content: Uint8Array) => zip(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Write the compressed forms of the files of a folder. */
export async function compress(folder: string): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() && TEXTS.test(entry.name));
  await Promise.all(files.map(({ parentPath, name }) => compressFile(join(parentPath, name))));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  for (const [ending, pack] of Object.entries(FORMS)) {
    const packed = await pack(content);
    if (packed.length <= content.length * WORTH) await writeFile(path + ending, packed);
  }
}

export function compressed(): Plugin {
  let out = '';
  return {
    name: 'cartagena-compressed',
    apply: 'build',
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    closeBundle: { order: 'post', sequential: true, handler: () => compress(out) },
  };
}
