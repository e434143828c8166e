import { readFileSync } from 'node:fs';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const text = readFileSync(new URL('./src/design/breakpoints.css', import.meta.url), 'utf8');
/** The conditions of the named breakpoints. */
const BREAKPOINTS = new Map(
  [...text.matchAll(/^@custom-media (--[a-z]+) (\([^)]*\));/gm)].map(([, name, condition]) => [name, condition]),
);

/** Put the conditions of named breakpoints in their places: `@media (--narrow)`. */
const breakpoints = {
  name: 'breakpoints',
  style: ({ content }) => ({
    code: content.replace(/@media [^{]*/g, (query) =>
      query.replace(/\((--[a-z]+)\)/g, (_, name) => {
        const condition = BREAKPOINTS.get(name);
        if (!condition) throw new Error(`breakpoints.css has no ${name}`);
        return condition;
      }),
    ),
  }),
};

export default { preprocess: [vitePreprocess(), breakpoints] };
