import type { Plugin } from 'vite';

/** A plugin that writes which npm packages the built table contains, and their licences. */
export function bundled(): Plugin;
