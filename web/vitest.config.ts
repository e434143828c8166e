import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig, mergeConfig } from 'vitest/config';
import built from './vite.config.ts';

/** The tests of the client. What building needs stands apart, so that playing needs none of the packages for tests. */
const tests = defineConfig({
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

export default mergeConfig(built, tests);
