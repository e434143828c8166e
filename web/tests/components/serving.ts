/** A server that a test answers for, and what it is asked. */
import { readFileSync } from 'node:fs';
import { vi } from 'vitest';

/** The body may follow from that of the request. `after`: what the answer waits for. */
export type Answer = { readonly status?: number; readonly body: unknown; readonly after?: Promise<unknown> };
export const asked: { readonly path: string; readonly body: unknown }[] = [];

/** Answer requests by the end of their path. */
export function serve(answers: Readonly<Record<string, Answer>>): void {
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => {
    asked.push({ path: url.pathname, body: init.body ? JSON.parse(init.body as string) : null });
    const found = Object.entries(answers).find(([path]) => url.pathname.endsWith(path))?.[1];
    if (!found) return Promise.reject(new TypeError('offline'));
    const body: unknown = typeof found.body === 'function' ? found.body(asked.at(-1)?.body) : found.body;
    return Promise.resolve(found.after).then(() => Response.json(body, { status: found.status ?? 200 }));
  });
}

/** Tells the board that it has room. */
class Sized {
  constructor(private readonly told: (entries: readonly unknown[]) => void) {}
  observe(target: Element): void {
    queueMicrotask(() => this.told([{ target, contentRect: { width: 800, height: 500 } }]));
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** The same for a page with a board and the engine, whose networks can be held back. */
export function serveWithEngine(
  answers: Readonly<Record<string, Answer>> = {},
  networks: Promise<void> = Promise.resolve(),
): void {
  vi.stubGlobal('ResizeObserver', Sized);
  serve(answers);
  const served = fetch;
  vi.stubGlobal('fetch', async (url: URL | string, init: RequestInit) => {
    if (typeof url !== 'string') return served(url, init);
    const path = url.replace(/^\/@fs/, '').replace(/\?.*$/, '');
    if (path.endsWith('.network')) {
      asked.push({ path, body: null });
      await networks;
    }
    return new Response(new Uint8Array(readFileSync(path)));
  });
}

/** Change the address as a click on a link does; the browser tells of it afterwards. */
export async function goTo(hash: string, meanwhile: () => void = () => undefined): Promise<void> {
  if (location.hash === hash) return;
  const told = new Promise((done) => addEventListener('hashchange', done, { once: true }));
  location.hash = hash;
  meanwhile();
  await told;
}

type Seats = { readonly seats: readonly { readonly table: string }[] };

/** The answer to a look at many tables: an update of each that is told, and no such table for the others. */
export const looks = (told: Readonly<Record<string, object>>): Readonly<Record<string, Answer>> => ({
  '/api/look': {
    body: ({ seats }: Seats) => ({
      tables: seats.map(({ table }) => ({
        table,
        update: told[table] ?? null,
        error: told[table] ? null : { code: 'no-such-table', message: 'There is no such table.' },
      })),
    }),
  },
});

export const seat = (table: string, at: number, more = {}) => ({
  table,
  token: 'x',
  rules: 'jamaica-en',
  name: '',
  at,
  ...more,
});
export const one = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};

/** What the server offers. */
export const ABOUT = {
  levels: ['deckhand', 'sailor'],
  rules: [
    { name: 'jamaica-en', game: 'jamaica', edition: 'en' },
    { name: 'jamaica-de', game: 'jamaica', edition: 'de' },
    { name: 'nest-nl', game: 'nest', edition: 'nl' },
  ],
};
