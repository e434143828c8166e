import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;
/** Modules that the bundler writes itself, such as its loader of chunks. */
const WRITTEN_BY = { '\0vite/': 'vite', '\0rolldown/': 'rolldown' };
const RULE = '-'.repeat(80);

/**
 * Lists the npm packages that are part of the built table: `bundled.json` for the bill of materials, and
 * `licences.txt` with their licences.
 */
export function bundled() {
  return {
    name: 'bundled',
    apply: 'build',
    generateBundle(_options, bundle) {
      const assets = Object.values(bundle).flatMap((part) => part.originalFileNames ?? []);
      const folders = packageFolders([...this.getModuleIds(), ...assets.map((name) => resolve(name))]);
      const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
      const parts = [...folders].sort().map(([name, folder]) => describe(name, folder, lock));
      const list = parts.map(({ name, version, licence, integrity }) => ({ name, version, licence, integrity }));
      this.emitFile({ type: 'asset', fileName: 'bundled.json', source: JSON.stringify(list, null, 1) + '\n' });
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licences(parts) });
    },
  };
}

/** The folders of the packages that modules and files come from, by name. */
function packageFolders(ids) {
  const folders = new Map();
  for (const id of ids) {
    const found = PACKAGE.exec(id.split('?')[0].replaceAll('\\', '/'));
    if (found) folders.set(found[2], found[1]);
    for (const [start, name] of Object.entries(WRITTEN_BY)) {
      if (id.startsWith(start)) folders.set(name, resolve('node_modules', name));
    }
  }
  return folders;
}

function describe(name, folder, lock) {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { integrity } = lock[`node_modules/${name}`] ?? {};
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!license || !file) throw new Error(`${name} has no licence; it cannot be part of the table.`);
  const text = readFileSync(join(folder, file), 'utf8').split('# Licenses of bundled dependencies')[0].trim();
  return { name, version, licence: license, integrity, text };
}

function licences(parts) {
  const own = readFileSync('../LICENSE', 'utf8').trim();
  const others = parts.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}`);
  const head = 'Cartagena, and the parts of the browser table by others, with their licences.';
  return [head, `Cartagena\n\n${own}`, ...others].join(`\n\n${RULE}\n`) + '\n';
}
