import { afterEach, expect, test, vi } from 'vitest';
import { TableLink } from '../src/net/link.ts';
import { page } from '../src/net/outdated.svelte.ts';
import { PROTOCOL } from '../src/net/wire.ts';

class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static made: Socket[] = [];
  readyState = Socket.CONNECTING;
  closed = false;
  sent: string[] = [];
  onopen: (() => void) | undefined;
  onmessage: ((message: { data: string }) => void) | undefined;
  onclose: ((event: { code: number }) => void) | undefined;

  constructor() {
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  drop(): void {
    this.readyState = Socket.CLOSED;
    this.onclose?.({ code: 1006 });
  }
}

const nothing = (): void => undefined;
type Listen = (name: string, listener: () => void) => void;

function line(
  state: (state: string) => void = nothing,
  refused: () => void = nothing,
  listen: Listen = nothing,
): { link: TableLink; socket: Socket } {
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('addEventListener', listen);
  vi.stubGlobal('removeEventListener', nothing);
  vi.stubGlobal('document', { baseURI: 'http://table/', addEventListener: nothing, removeEventListener: nothing });
  const link = new TableLink('t', undefined, 0, { update: nothing, state, refused });
  return { link, socket: Socket.made.at(-1) as Socket };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an open line is closed at once', () => {
  const { link, socket } = line();
  socket.open();
  expect(socket.sent).toHaveLength(1);
  link.close();
  expect(socket.closed).toBe(true);
});

test('a line that is let go while it opens is closed as soon as it is open, without a word', () => {
  const { link, socket } = line();
  link.close();
  expect(socket.closed).toBe(false);
  socket.open();
  expect(socket.closed).toBe(true);
  expect(socket.sent).toEqual([]);
});

test('a question that fails once a socket has got through is no loss', async () => {
  vi.useFakeTimers();
  let fail: (why: Error) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise((_done, failed) => (fail = failed)));
  const states: string[] = [];
  const { link } = line((state) => states.push(state));
  for (let tries = 0; tries < 3; tries++) {
    Socket.made.at(-1)?.drop();
    await vi.advanceTimersByTimeAsync(5000);
  }
  const through = Socket.made.at(-1) as Socket;
  through.open();
  through.onmessage?.({ data: JSON.stringify({ type: 'update', seq: 1 }) });
  expect(states.at(-1)).toBe('open');
  fail(new Error('cut off'));
  await vi.advanceTimersByTimeAsync(1);
  expect(states.at(-1)).toBe('open');
  link.close();
});

test('a page of another version is told so once and does not come back', () => {
  const refused = vi.fn();
  const { socket } = line(undefined, refused);
  socket.open();
  expect(JSON.parse(socket.sent[0] ?? '')).toMatchObject({ type: 'hello', protocol: PROTOCOL });
  socket.onmessage?.({ data: JSON.stringify({ type: 'rejected', code: 'outdated', message: 'Reload the page.' }) });
  socket.drop();
  expect(refused).toHaveBeenCalledOnce();
  expect(page.outdated).toBe(true);
  expect(Socket.made.at(-1)).toBe(socket);
});

test('a lost network is told at once, and the line is opened anew', async () => {
  vi.useFakeTimers();
  const heard = new Map<string, () => void>();
  const states: string[] = [];
  const { link, socket } = line(
    (state) => states.push(state),
    undefined,
    (name, listener) => heard.set(name, listener),
  );
  socket.open();
  socket.onmessage?.({ data: JSON.stringify({ type: 'update', seq: 1 }) });
  heard.get('offline')?.();
  expect(states.at(-1)).toBe('lost');
  expect(socket.closed).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  const next = Socket.made.at(-1) as Socket;
  expect(next).not.toBe(socket);
  next.open();
  next.onmessage?.({ data: JSON.stringify({ type: 'update', seq: 1 }) });
  expect(states.at(-1)).toBe('open');
  link.close();
});
