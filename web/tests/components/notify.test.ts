/** How people learn of their turns: what the list of tables says, and the forms of devices, mail and webhooks. */
import { configure, fireEvent, render, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { speech } from '../../src/i18n/i18n.svelte.ts';
import { keepSeat } from '../../src/net/seats.ts';
import NotifyMe from '../../src/notify/NotifyMe.svelte';
import MyTables from '../../src/screens/MyTables.svelte';
import { comeBack } from '../../src/screens/quick.ts';
import YourData from '../../src/screens/YourData.svelte';
import { ABOUT, asked, one, seat, serve } from './serving.ts';

configure({ asyncUtilTimeout: 60_000 }); // a busy machine is slow

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  serve({});
});

afterEach(() => void vi.unstubAllGlobals());

test('the time that others have left is shown also where no turn of one’s own is due', async () => {
  const summary = { others: ['Ben'], state: 'theirs', name: 'Ben', due: Date.now() + 3 * 86_400_000 };
  keepSeat(seat('t1', 1, { summary }));
  render(MyTables);
  await waitFor(() => expect(one('[data-mine] .soft').textContent).toContain('3 days left'));
});

test('the host sets a webhook up, is shown its secret once, and takes it away', async () => {
  const about = { body: { ...ABOUT, notify: { push: null, mail: false, webhooks: true } } };
  const none = { body: { contacts: [], webhook: null } };
  serve({
    '/about': about,
    '/t1/notify': none,
    '/t1/webhook': { status: 422, body: { error: { code: 'malformed' } } },
  });
  await speech.learn('post');
  render(NotifyMe, { table: 't1', token: 'x', host: true });
  await waitFor(() => one('input[type=url]'));
  await fireEvent.input(one('input[type=url]'), { target: { value: 'https://bot.example.org/hook' } });
  await fireEvent.submit(one('[data-webhook] form'));
  await waitFor(() => expect(one('[role=alert]').textContent).toContain('public server'));
  serve({ '/t1/webhook': { body: { url: '', secret: 'the-secret' } }, '/t1/webhook/remove': none });
  await fireEvent.submit(one('[data-webhook] form'));
  await waitFor(() => expect(one('[data-webhook] code').textContent).toBe('the-secret'));
  expect(one('[data-webhook]').textContent).toContain('Sent to: bot.example.org');
  await fireEvent.click(one('[data-remove-hook]'));
  await waitFor(() => one('input[type=url]'));
});

test('a mail address is listed as an address, and named by no device', async () => {
  const contact = { id: 'c1', kind: 'mail', address: 'a…@example.org', confirmed: false, since: 0, wishes: {} };
  serve({
    '/about': { body: { ...ABOUT, notify: { push: null, mail: true, webhooks: false } } },
    '/t1/notify': { body: { contacts: [contact] } },
  });
  await speech.learn('post');
  render(NotifyMe, { table: 't1', token: 'x' });
  await waitFor(() => one('input[type=email]'));
  await fireEvent.input(one('input[type=email]'), { target: { value: 'ann@example.org' } });
  await fireEvent.submit(one('form'));
  await waitFor(() => expect(asked.find(({ body }) => body)?.body).toMatchObject({ wishes: { name: '' } }));
});

test('a device that is told about its tables stays so with a new token, and when its person is back', async () => {
  keepSeat(seat('t1', 1));
  const subscription = { endpoint: 'https://push.example/1', getKey: () => new ArrayBuffer(1) };
  const registration = { pushManager: { getSubscription: () => Promise.resolve(subscription) } };
  const serviceWorker = { getRegistration: () => Promise.resolve(registration) };
  vi.stubGlobal('Notification', { permission: 'granted' });
  vi.stubGlobal('navigator', { userAgent: 'Firefox', languages: ['en'], serviceWorker });
  serve({ '/token': { body: {} }, '/notify': { body: {} } });
  const told = (): number => asked.filter(({ path }) => path.endsWith('/t1/notify')).length;
  const reopen = vi.fn();
  render(YourData, { table: 't1', token: 'x', reopen });
  await fireEvent.click(one('[data-yours=renew]'));
  await waitFor(() => expect(reopen).toHaveBeenCalledOnce());
  expect(told()).toBe(1);
  await comeBack({ table: 't1', token: 'y', act: () => Promise.resolve() }, 1);
  expect(told()).toBe(2);
});

type Browser = {
  secure?: boolean;
  worker?: boolean;
  push?: boolean;
  permission?: string;
  agent?: string;
  touch?: number;
};

/** A browser of which a page sees so much. It counts how often it was asked for permission, and then gives an answer. */
function browser({
  secure = true,
  worker = true,
  push = true,
  permission = 'default',
  agent = '',
  touch = 0,
}: Browser) {
  const found = { permission, asked: 0, answer: 'denied' };
  const requestPermission = () => {
    found.asked += 1;
    found.permission = found.answer;
    return Promise.resolve(found.answer);
  };
  const registered = { active: {}, pushManager: { getSubscription: () => Promise.resolve(null) } };
  const serviceWorker = { getRegistration: () => Promise.resolve(registered), ready: Promise.resolve(registered) };
  vi.stubGlobal('isSecureContext', secure);
  if (push) vi.stubGlobal('PushManager', () => undefined);
  vi.stubGlobal('Notification', Object.assign(found, { requestPermission }));
  const platform = agent.includes('Mac OS X') && !agent.includes('iPhone') ? 'MacIntel' : '';
  const about = { userAgent: agent, platform, maxTouchPoints: touch, languages: ['en'] };
  vi.stubGlobal('navigator', worker ? { ...about, serviceWorker } : about);
  return found;
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1';
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15';

test.each<[string, Browser, string | null, string | undefined]>([
  ['plain http in a local network', { secure: false, worker: false, push: false }, 'KEY', 'begins with https'],
  ['plain http on an iPhone', { secure: false, worker: false, push: false, agent: IPHONE }, 'KEY', 'begins with https'],
  ['an iPhone outside the home screen', { push: false, agent: IPHONE, touch: 5 }, 'KEY', 'to the home screen'],
  ['an iPad outside the home screen', { push: false, agent: IPAD, touch: 5 }, 'KEY', 'to the home screen'],
  ['an iPhone on the home screen', { agent: IPHONE, touch: 5 }, 'KEY', undefined],
  ['a Mac without web push', { push: false, agent: IPAD }, 'KEY', 'Try another one'],
  ['a private window without workers', { worker: false }, 'KEY', 'Try another one'],
  ['permission denied', { permission: 'denied' }, 'KEY', 'are blocked'],
  ['permission denied at a server without push', { permission: 'denied' }, null, 'sends no notifications'],
  ['a server without push', {}, null, 'sends no notifications'],
  ['a browser that can', {}, 'KEY', undefined],
])('Notify me says what to do where a page cannot have web push: %s', async (_, seen, push, words) => {
  const found = browser(seen);
  serve({
    '/about': { body: { ...ABOUT, notify: { push, mail: false, webhooks: false } } },
    '/t1/notify': { body: { contacts: [] } },
  });
  await speech.learn('post');
  render(NotifyMe, { table: 't1', token: 'x' });
  await waitFor(() => one(words ? '[role=status]' : '[data-notify-go]'));
  expect(document.querySelector('[role=status]')?.textContent).toEqual(words && expect.stringContaining(words));
  expect(document.querySelectorAll('[data-notify-go]')).toHaveLength(words ? 0 : 1);
  expect(found.asked).toBe(0); // only after a tap
});

/** Show the button that a server with web push has, and wait until it can be pressed. */
async function offered(): Promise<void> {
  serve({
    '/about': { body: { ...ABOUT, notify: { push: 'KEY', mail: false, webhooks: false } } },
    '/t1/notify': { body: { contacts: [] } },
  });
  await speech.learn('post');
  render(NotifyMe, { table: 't1', token: 'x' });
  await waitFor(() => one('[data-notify-go]:not([disabled])'));
}

test('who waves the question of the browser away can be asked again, who says no is told where to change that', async () => {
  const found = browser({});
  await offered();
  found.answer = 'default';
  await fireEvent.click(one('[data-notify-go]'));
  await waitFor(() => expect(found.asked).toBe(1));
  await waitFor(() => one('[data-notify-go]:not([disabled])'));
  found.answer = 'denied';
  await fireEvent.click(one('[data-notify-go]'));
  await waitFor(() => expect(one('[role=status]').textContent).toContain('are blocked'));
  expect(asked.filter(({ body }) => body)).toEqual([]);
});

test('who went on to a page whose certificate is not trusted is told that it cannot be notified', async () => {
  browser({}).answer = 'granted';
  Object.assign(navigator.serviceWorker, {
    getRegistration: () => Promise.resolve(undefined),
    ready: new Promise(() => 0),
  });
  await offered();
  vi.useFakeTimers({ toFake: ['Date'] });
  await fireEvent.click(one('[data-notify-go]'));
  await waitFor(() => {
    vi.setSystemTime(Date.now() + 1000);
    expect(one('[role=status]').textContent).toContain('certificate');
  });
  vi.useRealTimers();
});
