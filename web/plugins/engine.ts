/** Gives the page the addresses of the engine's files, or empty ones where the engine is not built. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NAME = 'virtual:engine';
const folder = (path: string): string => fileURLToPath(new URL(`../../src/cartagena/${path}/`, import.meta.url));
const [BUILT, NETWORKS] = [folder('data'), folder('players/data')];
const NOTHING = "export const code = '';\nexport const data = '';\nexport const networks = {};\n";

const address = (path: string): string => JSON.stringify(`${path}?url`);

export function engineFiles(): Plugin {
  return {
    name: 'cartagena-engine',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      if (!existsSync(`${BUILT}cartagena.wasm`)) return NOTHING;
      const files = readdirSync(NETWORKS)
        .filter((name) => name.endsWith('.network'))
        .sort();
      return [
        `export { default as code } from ${address(`${BUILT}cartagena.wasm`)};`,
        `export { default as data } from ${address(`${BUILT}cartagena.json`)};`,
        ...files.map((name, number) => `import network${number} from ${address(NETWORKS + name)};`),
        `export const networks = { ${files.map((name, number) => `${JSON.stringify(name)}: network${number}`).join(', ')} };`,
      ].join('\n');
    },
  };
}
