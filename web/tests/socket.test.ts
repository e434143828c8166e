/** One socket to a table, and the end that a server declares. */
import { afterEach, expect, test, vi } from 'vitest';
import { page } from '../src/app/page.svelte.ts';
import { TableSocket, type LineEvents } from '../src/net/socket.ts';
import { PROTOCOL } from '../src/net/wire.ts';
import { ServedTable } from '../src/session/served.ts';
import { Stream } from '../src/session/stream.ts';

class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = Socket.CONNECTING;
  closed = false;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

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

  hear(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const nothing = (): void => undefined;

function stub(): void {
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('addEventListener', nothing);
  vi.stubGlobal('removeEventListener', nothing);
  vi.stubGlobal('document', { baseURI: 'http://table/', addEventListener: nothing, removeEventListener: nothing });
}

function line(): { line: TableSocket; socket: Socket; down: () => void } {
  stub();
  const down = vi.fn();
  const events = new Proxy({ down } as unknown as LineEvents, {
    get: (found, name) => Reflect.get(found, name) ?? nothing,
  });
  const made = new TableSocket('t', { token: undefined, after: 0 }, events);
  return { line: made, socket: Socket.made.at(-1) as Socket, down };
}

afterEach(() => vi.unstubAllGlobals());

test('an open line is closed at once, and tells nothing more', () => {
  const { line: made, socket, down } = line();
  socket.open();
  expect(socket.sent).toHaveLength(1);
  made.close();
  expect(socket.closed).toBe(true);
  socket.onclose?.({ code: 1006 });
  expect(down).not.toHaveBeenCalled();
});

test('a line that is let go while it opens is closed as soon as it is open, without a word', () => {
  const { line: made, socket } = line();
  made.close();
  expect(socket.closed).toBe(false);
  socket.open();
  expect(socket.closed).toBe(true);
  expect(socket.sent).toEqual([]);
});

test('a page of another version is told so once and does not come back', async () => {
  stub();
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ seq: 0, events: [], setup: {} })));
  const refused = vi.fn();
  const stream = new Stream(new ServedTable('t', undefined), {
    snapshot: nothing,
    update: nothing,
    state: nothing,
    unsaved: nothing,
    refused,
  });
  await stream.open();
  const socket = Socket.made.at(-1) as Socket;
  socket.open();
  expect(JSON.parse(socket.sent[0] ?? '')).toMatchObject({ type: 'hello', protocol: PROTOCOL });
  socket.hear({ type: 'rejected', code: 'outdated', message: 'Reload the page.' });
  socket.onclose?.({ code: 1006 });
  expect(refused).toHaveBeenCalledOnce();
  expect(page.outdated).toBe(true);
  expect(Socket.made.at(-1)).toBe(socket);
});
