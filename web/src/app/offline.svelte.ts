/** The service worker of this page: it keeps one build for offline use and brings the next one as a whole. */
import { code } from 'virtual:engine';
import { hasDraft, page, watchDrafts } from './page.svelte.ts';
import { quiet } from './quiet.ts';

/** Whether a newer build waits to be loaded. */
export const build = $state({ newer: false });

/** Milliseconds between looks for a newer build. A page without the engine looks often: `make play` builds it meanwhile. */
const EVERY = code === '' ? 10_000 : 3_600_000;
let registration: ServiceWorkerRegistration | undefined;
/** Whether the newer build was asked for in this window. */
let asked = false;

/** Install the worker, which fetches every file, once the page has what it needs. Browsers offer none to pages over plain HTTP from other machines. */
export function startOffline(): void {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!serviceWorker || !import.meta.env.PROD) return;
  let { controller } = serviceWorker;
  watchDrafts();
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker keeps what this page has loaded; any other one brings another build.
    if (controller && (asked || !hasDraft())) location.reload();
    else if (controller) build.newer = true;
    ({ controller } = serviceWorker);
  });
  serviceWorker.addEventListener('message', ({ data, ports }) => {
    if (data === 'address') ports[0]?.postMessage(location.href);
  });
  serviceWorker.startMessages();
  const register = async (): Promise<void> => {
    try {
      registration = await serviceWorker.register('./service-worker.js', { updateViaCache: 'none' });
      watch(registration, serviceWorker);
      controller?.postMessage('tidy');
    } catch {
      // The site was not built for offline use, or the browser keeps nothing: the page works online.
    }
  };
  void quiet().then(register);
}

function watch(found: ServiceWorkerRegistration, { controller }: ServiceWorkerContainer): void {
  if (found.waiting && controller) {
    build.newer = true;
    // Nothing has been begun on this page yet: load the new build at once, unless another window is open.
    found.waiting.postMessage('take-over-if-alone');
  }
  found.addEventListener('updatefound', () => {
    const { installing } = found;
    installing?.addEventListener('statechange', () => {
      if (installing.state !== 'installed' || !navigator.serviceWorker.controller) return;
      build.newer = true;
      // The page has waited for the engine and takes it up by itself.
      if (code === '') installing.postMessage('take-over');
    });
  });
  setInterval(() => void found.update().catch(() => undefined), EVERY);
}

/** Load the newer build, in this window and in all that have no draft; the others ask. */
export function loadNewer(): void {
  asked = true;
  if (registration?.waiting) registration.waiting.postMessage('take-over');
  else location.reload();
}

/** Load the page again. One that a server has refused comes from the network, not from what is kept. */
export async function loadAgain(): Promise<void> {
  if (page.outdated && registration) await forget(registration).catch(() => undefined);
  location.reload();
}

async function forget(found: ServiceWorkerRegistration): Promise<void> {
  await found.unregister();
  for (const name of await caches.keys()) if (name.startsWith(`cartagena ${found.scope} `)) await caches.delete(name);
}
