/**
 * Something that was put into a form of this page and is lost with it. A page with a draft is not loaded again without being
 * asked for; a lock tells the service worker that the page still needs the files of its build.
 */
const LOCK = 'cartagena.draft';

let release: (() => void) | undefined;

export const hasDraft = (): boolean => release !== undefined;

function begin(): void {
  if (release) return;
  const over = new Promise<void>((done) => (release = done));
  const { locks } = navigator as Partial<Navigator>;
  void locks?.request(LOCK, { mode: 'shared' }, () => over).catch(() => undefined);
}

function end(): void {
  release?.();
  release = undefined;
}

/** Watch the forms of this page. A draft ends when its screen is left. */
export function watchDrafts(): void {
  addEventListener('input', begin, { capture: true });
  addEventListener('hashchange', end);
}
