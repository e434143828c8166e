/*
 * The service worker of one build. The build writes BUILD and FILES (path and SHA-256 of each file) above these lines.
 * It keeps all files of its build (those on demand once they were asked for) or none, and answers with them alone, so that a page is never half old, half new.
 * A newer build waits until no window is open, or until a person asks for it. Everything else goes to the network.
 */
/* global BUILD, FILES, ON_DEMAND */
const SCOPE = self.registration.scope;
/* Caches belong to the whole origin: another copy of the site on the same host has another prefix. */
const PREFIX = `cartagena ${SCOPE} `;
const CACHE = PREFIX + BUILD;
const PAGE = 'index.html';
/* Milliseconds in which a window says what it shows. */
const ANSWER = 500;
/* The lock of a page with a draft. */
const DRAFT = 'cartagena.draft';
/* Files that are fetched at once while a build is installed: a game may be going on meanwhile. */
const LINES = 4;

self.addEventListener('install', (event) => event.waitUntil(fill()));
self.addEventListener('activate', (event) => event.waitUntil(begin()));
self.addEventListener('message', (event) => event.waitUntil(hear(event.data)));

/* Fetch every file of this build. One that is of another build, or missing, ends the installation. */
async function fill() {
  const cache = await caches.open(CACHE);
  const wanted = Object.entries(FILES).filter(([path]) => !path.endsWith(ON_DEMAND));
  const kept = await Promise.allSettled(Array.from({ length: LINES }, () => keepNext(cache, wanted)));
  const failed = kept.find(({ status }) => status === 'rejected');
  if (!failed) return;
  await caches.delete(CACHE);
  throw failed.reason;
}

/* Keep one file after the other until none is left. */
async function keepNext(cache, wanted) {
  for (let next = wanted.pop(); next; next = wanted.pop()) await keep(cache, ...next);
}

async function keep(cache, path, hash) {
  const response = (await fromOlder(path)) ?? (await fetch(new Request(SCOPE + path, { cache: 'no-cache' })));
  const bytes = await response.arrayBuffer();
  const found = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  if (!response.ok || found.join('') !== hash) throw new Error(`${path} is not of this build`);
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
  await cache.put(SCOPE + path, new Response(bytes, { headers }));
}

/* A file with a hash in its name is the same in every build that has it. */
async function fromOlder(path) {
  if (!path.startsWith('assets/')) return undefined;
  for (const name of await caches.keys()) {
    const found =
      name.startsWith(PREFIX) && name !== CACHE ? await caches.match(SCOPE + path, { cacheName: name }) : undefined;
    if (found) return found;
  }
  return undefined;
}

async function begin() {
  await tidy();
  await self.clients.claim();
}

/* Throw older builds away, unless a window keeps its page of one for the sake of a draft. */
async function tidy() {
  const { held } = await navigator.locks.query();
  const { installing, waiting } = self.registration;
  if (installing || waiting || held.some(({ name }) => name === DRAFT)) return;
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
}

/* The windows that show this site. */
async function shown() {
  return (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(({ url }) =>
    url.startsWith(SCOPE),
  );
}

async function hear(word) {
  if (word === 'tidy') await tidy();
  if (word === 'take-over' || (word === 'take-over-if-alone' && (await shown()).length <= 1)) await self.skipWaiting();
}

/* A message of the server: which tables have news of which kind. The page keeps the words for it. */
self.addEventListener('push', (event) => event.waitUntil(tell(event.data)));
const WORDS = 'cartagena-words';
/* The lock of the tables that wait: the page changes them, too. */
const DUE = 'cartagena.due';
const ENGLISH = {
  turn: 'It’s your turn',
  late: '12 hours left for your turn',
  over: 'The game is over',
  rematch: 'You are invited to another game',
  talk: 'There is a new message',
  many: [],
};

async function tell(data) {
  let news;
  try {
    news = data.json();
  } catch {
    return;
  }
  const kept = await caches.match(SCOPE + 'words', { cacheName: WORDS });
  const words = { ...ENGLISH, ...(kept ? await kept.json() : {}) };
  const tables = new Set(news.notices.map(({ table }) => table));
  const [{ kind, table } = {}] = news.notices;
  const number = tables.size + news.more;
  const title =
    number > 1 ? (words.many[Math.min(number, words.many.length - 1)] ?? words.turn) : (words[kind] ?? words.turn);
  const address = number > 1 ? SCOPE : `${SCOPE}#/table/${encodeURIComponent(table)}`;
  await self.registration.showNotification(title, {
    tag: news.cause,
    data: address,
    icon: 'icon-192.png',
    badge: 'icon-192.png',
  });
  await navigator.locks.request(DUE, async () =>
    navigator.setAppBadge?.(await countDue(news.notices)).catch(() => undefined),
  );
}

/* How many tables wait for the person: those that the page has kept, and what the notices, newest first, say since. */
async function countDue(notices) {
  const address = SCOPE + 'due';
  const kept = await caches.match(address, { cacheName: WORDS });
  const due = new Set(kept ? await kept.json() : []);
  for (const { kind, table } of [...notices].reverse()) {
    if (kind === 'turn' || kind === 'late') due.add(table);
    else if (kind === 'over') due.delete(table);
  }
  await (await caches.open(WORDS)).put(address, new Response(JSON.stringify([...due])));
  return due.size;
}

/* A notification leads to the window of its table, or opens the table. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function show(address) {
  const pages = await shown();
  const found = (await Promise.all(pages.map(addressOf))).indexOf(address);
  await (found >= 0 ? pages[found].focus() : self.clients.openWindow(address));
}

/* The address that a window shows now: its `url` may be the one that it was opened with. Empty if it does not answer. */
function addressOf(page) {
  const { port1, port2 } = new MessageChannel();
  page.postMessage('address', [port2]);
  return new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
    setTimeout(done, ANSWER, '');
  });
}

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method !== 'GET' || !url.startsWith(SCOPE)) return;
  const path = url.slice(SCOPE.length).replace(/[?#].*$/, '');
  const name = mode === 'navigate' && path === '' ? PAGE : path;
  if (Object.hasOwn(FILES, name)) event.respondWith(answer(name, event.request));
  else if (path.startsWith('assets/')) event.respondWith(answerOlder(path, event.request));
});

/* A page of an older build asks for its own files. */
async function answerOlder(path, request) {
  return (await fromOlder(path)) ?? fetch(request);
}

/* Where the cache is gone, because the browser or a newer build has thrown it away, the network answers. Opening would make it again. */
async function answer(name, request) {
  const kept = await caches.match(SCOPE + name, { cacheName: CACHE });
  if (kept) return kept;
  if (!name.endsWith(ON_DEMAND) || !(await caches.has(CACHE))) return fetch(request);
  const cache = await caches.open(CACHE);
  await keep(cache, name, FILES[name]);
  return cache.match(SCOPE + name);
}
