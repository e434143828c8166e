/** How people learn of their turns: what the list of tables says, and the forms of devices, mail and webhooks. */
import { configure, fireEvent, render, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
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
  vi.unstubAllGlobals();
});
