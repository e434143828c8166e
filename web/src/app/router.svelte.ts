/** Addresses behind the #: they never reach a server's log, so an invitation may stand there. */
import { arrive } from './arrival.ts';

export interface Route {
  readonly screen: string;
  readonly parts: readonly string[];
}

function parseRoute(hash: string): Route {
  const parts = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map((part) => safeDecode(part));
  const [screen = '', ...rest] = parts;
  return { screen: screen || 'home', parts: rest };
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function hrefOf(screen: string, ...parts: readonly (string | number)[]): string {
  return ['#', screen, ...parts.map((part) => encodeURIComponent(String(part)))].join('/');
}

/** The number of the present entry of the history, which it keeps when it is left; a new one gets a number. */
function entryNow(): number {
  const kept = (history.state as { entry?: number } | null)?.entry;
  if (kept !== undefined) return kept;
  const entry = Math.random();
  history.replaceState({ entry }, '');
  return entry;
}

class Router {
  route: Route = $state.raw(parseRoute(location.hash));
  /** The address of that route. The browser has another one from a click until it tells of it. */
  private address = location.hash;
  /** The screen shown before this one. */
  from: Route | undefined;
  /** How far down each entry of the history was left, in pixels. */
  private readonly heights = new Map<number, number>();
  private entry = entryNow();

  constructor() {
    addEventListener('hashchange', () => {
      this.heights.set(this.entry, scrollY); // the page that is left still stands
      this.from = this.route;
      this.read();
      this.entry = entryNow();
      arrive(this.heights.get(this.entry) ?? 0);
    });
    // Within the site the router scrolls; a page that is loaded again is the browser's.
    history.scrollRestoration = 'manual';
    addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));
  }

  go(screen: string, ...parts: readonly (string | number)[]): void {
    location.hash = hrefOf(screen, ...parts);
  }

  /** Note in the address how far a screen has come, for the way back to it. */
  note(screen: string, ...parts: readonly (string | number)[]): void {
    if (this.isLeaving) return;
    history.replaceState(history.state, '', hrefOf(screen, ...parts));
    this.address = location.hash;
  }

  /** Change the address without a new entry in the history, so that a secret does not stay in it. */
  replace(screen: string, ...parts: readonly (string | number)[]): void {
    if (this.isLeaving) return;
    this.note(screen, ...parts);
    this.read();
  }

  /** Whether the person has gone elsewhere and the browser has not told so yet: they must arrive there. */
  get isLeaving(): boolean {
    return location.hash !== this.address;
  }

  private read(): void {
    this.address = location.hash;
    this.route = parseRoute(this.address);
  }
}

export const router = new Router();

/**
 * Of the work of one kind that a page begins and waits for, only the last is wanted, and none once the page is left. What this
 * returns begins such work, and returns whether that is still wanted.
 */
export function latestWork(): () => () => boolean {
  let last = 0;
  return () => {
    const [mine, { route }] = [++last, router];
    return () => mine === last && router.route === route && !router.isLeaving;
  };
}

/** The full address of a screen, for sharing. */
export function addressOf(screen: string, ...parts: readonly (string | number)[]): string {
  return new URL(hrefOf(screen, ...parts), location.href).href;
}
