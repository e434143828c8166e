/** Addresses behind the #: they never reach a server's log, so an invitation may stand there. */
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

class Router {
  route: Route = $state.raw(parseRoute(location.hash));
  /** The screen shown before this one. */
  from: Route | undefined;

  constructor() {
    addEventListener('hashchange', () => {
      this.from = this.route;
      this.route = parseRoute(location.hash);
      scrollTo(0, 0);
    });
  }

  go(screen: string, ...parts: readonly (string | number)[]): void {
    location.hash = hrefOf(screen, ...parts);
  }

  /** Note in the address how far a screen has come, for the way back to it. */
  note(screen: string, ...parts: readonly (string | number)[]): void {
    history.replaceState(null, '', hrefOf(screen, ...parts));
  }

  /** Change the address without a new entry in the history, so that a secret does not stay in it. */
  replace(screen: string, ...parts: readonly (string | number)[]): void {
    history.replaceState(null, '', hrefOf(screen, ...parts));
    this.route = parseRoute(location.hash);
  }
}

export const router = new Router();

/** The full address of a screen, for sharing. */
export function addressOf(screen: string, ...parts: readonly (string | number)[]): string {
  return new URL(hrefOf(screen, ...parts), location.href).href;
}
