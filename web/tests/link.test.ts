import { afterEach, expect, test, vi } from 'vitest';
import { TableLink } from '../src/net/link.ts';

class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = Socket.CONNECTING;
  closed = false;
  sent: string[] = [];
  onopen: (() => void) | undefined;

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
}

function line(): { link: TableLink; socket: Socket } {
  const nothing = (): void => undefined;
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('addEventListener', nothing);
  vi.stubGlobal('removeEventListener', nothing);
  vi.stubGlobal('document', { baseURI: 'http://table/', addEventListener: nothing, removeEventListener: nothing });
  const link = new TableLink('t', undefined, 0, { update: nothing, state: nothing, refused: nothing });
  return { link, socket: Socket.made.at(-1) as Socket };
}

afterEach(() => {
  vi.unstubAllGlobals();
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
