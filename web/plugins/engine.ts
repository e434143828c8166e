/** Gives the page the addresses of the engine's files and of its networks, or empty ones where the engine is not built. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const folder = (path: string): string => fileURLToPath(new URL(`../../src/cartagena/${path}/`, import.meta.url));
const [BUILT, NETWORKS] = [folder('data'), folder('players/data')];
const isBuilt = (): boolean => existsSync(`${BUILT}cartagena.wasm`);

const address = (path: string): string => JSON.stringify(`${path}?url`);

/** The start page asks only whether there is an engine, so the many addresses of networks are in a module of their own. */
const MODULES: Readonly<Record<string, () => string>> = {
  'virtual:engine': () =>
    isBuilt()
      ? `export { default as code } from ${address(`${BUILT}cartagena.wasm`)};
         export { default as data } from ${address(`${BUILT}cartagena.json`)};`
      : "export const code = '';\nexport const data = '';",
  'virtual:networks': () => {
    const all = isBuilt() ? readdirSync(NETWORKS).sort() : [];
    const files = all.filter((name) => name.endsWith('.network'));
    return [
      ...files.map((name, number) => `import network${number} from ${address(NETWORKS + name)};`),
      `export const networks = { ${files.map((name, number) => `${JSON.stringify(name)}: network${number}`).join(', ')} };`,
    ].join('\n');
  },
};

export function engineFiles(): Plugin {
  return {
    name: 'cartagena-engine',
    resolveId: (id) => (Object.hasOwn(MODULES, id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? MODULES[id.slice(1)]?.() : undefined),
  };
}
