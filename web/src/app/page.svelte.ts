/** This page as a whole: what its tab says, when it is idle, what would be lost with it, and double clicks. */
export const page = $state({
  /** Whether the server has refused this page because it is of another version. */
  outdated: false,
  /** What the tab says instead of the page's title, while the page is hidden. */
  alert: '',
  /** The tables by post where it is the turn of the person at this browser. */
  due: [] as readonly string[],
});

/** Wait until the page has nothing to do, half a second at most. */
export const idle = (): Promise<unknown> =>
  new Promise((done) => {
    const { requestIdleCallback: whenIdle } = globalThis as Partial<typeof globalThis>; // Safari has none
    if (whenIdle) whenIdle(done, { timeout: 500 });
    else setTimeout(done);
  });

/** Where the words of notifications are kept for the service worker, and the tables that wait. */
const KEPT = 'cartagena-words';
/** The lock of the tables that wait: the service worker changes them, too. */
const DUE = 'cartagena.due';

/**
 * Tell at how many tables by post the person is awaited: in the title, and on the app's badge where there is one. What is said of
 * tables that are not `asked` may be old: the service worker may have been told more.
 */
export async function showDue(tables: readonly string[], asked: (table: string) => boolean): Promise<void> {
  let due = tables;
  const merge = async (): Promise<void> => {
    const kept = await (await caches.open(KEPT)).match(addressOf('due'));
    const known = kept ? ((await kept.json()) as string[]).filter((table) => !asked(table)) : undefined;
    if (known) due = [...known, ...tables.filter(asked)];
    await keepForWorker('due', due);
  };
  const { locks, setAppBadge, clearAppBadge } = navigator as Partial<Navigator>;
  if ('Notification' in window && Notification.permission === 'granted')
    await (locks?.request(DUE, merge) ?? merge()).catch(() => undefined);
  page.due = due;
  const told = due.length ? setAppBadge?.call(navigator, due.length) : clearAppBadge?.call(navigator);
  told?.catch(() => undefined); // the site is not installed
}

const addressOf = (name: string): URL => new URL(`./${name}`, location.href);

/** Keep something where the service worker finds it: the words of notifications, and the tables that wait. */
export async function keepForWorker(name: string, value: unknown): Promise<void> {
  const kept = await caches.open(KEPT);
  await kept.put(addressOf(name), new Response(JSON.stringify(value)));
}

/** A click that is not the second of a double click: where a button asks "sure?" in its own place, that answers nothing. */
export const once =
  (work: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail < 2) work();
  };

/** On a button that asks "sure?" in its own place: a key that is held down answers nothing. */
export const ignoreRepeats = (event: KeyboardEvent): void => {
  if (event.repeat) event.preventDefault();
};

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

/** A dialog was closed by a button, and its entry of the history goes, too. */
let isLeaving = false;

/** Let Back close a dialog that has opened, rather than leave its page; of two the upper one, which lies in the other. */
export function closeOnBack(dialog: HTMLDialogElement): void {
  history.pushState(history.state, '');
  const address = location.href;
  let isBack = false;
  const back = (): void => {
    if (isLeaving || dialog.querySelector('dialog[open]')) return;
    isBack = true;
    dialog.close();
  };
  const closed = (): void => {
    removeEventListener('popstate', back);
    if (isBack || location.href !== address) return;
    isLeaving = true;
    addEventListener('popstate', () => (isLeaving = false), { once: true }); // after those of the dialogs below
    history.back();
  };
  addEventListener('popstate', back);
  dialog.addEventListener('close', closed, { once: true });
}
