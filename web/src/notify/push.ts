/** Web push on this device: whether it can be had, its subscription, and the seats that it is told about. */
import { keepForWorker } from '../app/page.svelte.ts';
import { speech, t } from '../i18n/i18n.svelte.ts';
import { isLocal } from '../local/tablenames.ts';
import { api } from '../net/api.ts';
import { isOpen, keptSeats } from '../net/seats.ts';
import type { Wishes } from '../net/wire.ts';

type Kind = NonNullable<Wishes['kinds']>[number];

export const KINDS: readonly Kind[] = ['turn', 'late', 'over', 'rematch', 'talk'];
/** Why a page cannot have web push, or `ok`. */
export type Support = 'ok' | 'insecure' | 'untrusted' | 'ios' | 'none' | 'denied' | 'off';

/** Milliseconds in which a page that was just opened has registered its worker, and between two looks for it. */
const REGISTERED = 10_000;
const LOOK = 250;

/** A browser lets no worker run for a page whose certificate it does not trust, also where the person went on to the page. */
export class NoWorker extends Error {}

/** Whether this page can have web push, given the server's key, if it has one. */
export function supportOf(key: string | null | undefined): Support {
  const isApple =
    /iPad|iPhone/.test(navigator.userAgent) || (navigator.maxTouchPoints > 1 && /Mac/.test(navigator.platform));
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return isApple ? 'ios' : 'none';
  if (!key) return 'off';
  return Notification.permission === 'denied' ? 'denied' : 'ok';
}

/** The subscription of this device, if there is one. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  const { serviceWorker } = navigator as Partial<Navigator>;
  const found = await serviceWorker?.getRegistration();
  return (await found?.pushManager.getSubscription()) ?? undefined;
}

/** How the server names the device of a subscription in its lists. */
export async function deviceOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`push ${endpoint}`));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Ask for permission and subscribe this device; nothing where the person refuses. */
export async function subscribe(key: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const { pushManager } = await activeWorker();
  await keepWords();
  // A server with a new database has another key; a browser refuses a second key beside the first.
  const older = await pushManager.getSubscription();
  if (older && textOf(older.options.applicationServerKey) !== key) await older.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** The worker of this page once it is installed. One that was not registered would never be ready. */
async function activeWorker(): Promise<ServiceWorkerRegistration> {
  for (const began = Date.now(); ;) {
    const found = await navigator.serviceWorker.getRegistration();
    if (found?.active) return found;
    if (!found && Date.now() - began > REGISTERED) throw new NoWorker();
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

/** The subscription as the server takes it. */
export function wireOf(found: PushSubscription): { endpoint: string; p256dh: string; auth: string } {
  return { endpoint: found.endpoint, p256dh: textOf(found.getKey('p256dh')), auth: textOf(found.getKey('auth')) };
}

function textOf(key: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const language = (): NonNullable<Wishes['language']> => speech.grammar as NonNullable<Wishes['language']>;

/** What a new device is called and told. */
export const newWishes = (): Wishes => ({ name: deviceName(), language: language() });

/** Enough to know a device again in a list. */
function deviceName(): string {
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? '';
  const browser = /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? '';
  return [browser.replace('Edg', 'Edge'), system].filter(Boolean).join(', ').slice(0, 24);
}

/** Let this device be told about a new table, if it is told about others. */
export async function linkTable(table: string, token: string): Promise<void> {
  const found = await currentSubscription();
  if (found) await api.notify(table, token, { push: wireOf(found), wishes: newWishes() });
}

/** Let this device be told about all tables where this browser has a seat. One that fails is left out. */
export async function linkAll(): Promise<void> {
  for (const { table, token } of keptSeats().filter((seat) => isOpen(seat) && !isLocal(seat.table)))
    await linkTable(table, token).catch(() => undefined);
}

/** Keep the words of notifications where the service worker finds them, in the language of now. */
async function keepWords(): Promise<void> {
  await speech.learn('post');
  await keepForWorker('words', {
    turn: t('push.turn'),
    late: t('push.late'),
    over: t('push.over'),
    rematch: t('push.rematch'),
    talk: t('push.talk'),
    // The worker counts: each number has its own sentence.
    many: Array.from({ length: 21 }, (_, n) => t('push.many', { n })),
  });
}
