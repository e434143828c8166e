/** One WebSocket to a table: it says hello and passes on what comes. It judges nothing and tries nothing again. */
import { refusedBy, type Refused } from './http.ts';
import { PROTOCOL, type MoveJson, type Update } from './wire.ts';

/** A move or its taking back. Its id lets it be sent often and carried out once. */
export interface Command {
  readonly type: 'move' | 'undo';
  readonly id: string;
  readonly version: number;
  readonly seat: number;
  readonly move?: MoveJson;
}

/** What comes through a line to a table. */
export interface LineEvents {
  /** The line is there: commands can be sent. */
  readonly up: () => void;
  /** The other side has given any sign of life. */
  readonly heard: () => void;
  readonly update: (update: Update) => void;
  readonly acknowledged: (id: string, seq: number) => void;
  /** A command is refused; without an id it is the line itself. */
  readonly rejected: (error: Refused, id: string | undefined) => void;
  /** The line is gone; `restarts`: the server said that it comes back at once. */
  readonly down: (restarts: boolean) => void;
}

/** A line to a table, for as long as it holds. */
export interface Line {
  /** Send a command. A line without it has none: commands go straight to the source. */
  send?(command: Command): void;
  /** Ask for a sign of life. */
  ping(): void;
  /** Close the line; nothing comes through it any more. */
  close(): void;
}

/** The close code of a server that restarts (RFC 6455). */
const RESTARTS = 1012;

type Frame = { readonly type: string; readonly id?: string; readonly seq?: number } & Record<string, unknown>;

export class TableSocket implements Line {
  private readonly socket: WebSocket;

  constructor(
    table: string,
    private readonly hello: { readonly token: string | undefined; readonly after: number },
    private readonly events: LineEvents,
  ) {
    const address = new URL(`api/tables/${table}/live`, document.baseURI);
    address.protocol = address.protocol.replace('http', 'ws');
    this.socket = new WebSocket(address);
    this.socket.onopen = () => this.opened();
    this.socket.onmessage = (message) => this.received(String(message.data));
    this.socket.onclose = (event) => events.down(event.code === RESTARTS);
  }

  send(command: Command): void {
    this.write({ ...command });
  }

  ping(): void {
    this.write({ type: 'ping' });
  }

  close(): void {
    const { socket } = this;
    socket.onmessage = null;
    socket.onclose = null;
    // Browsers warn about a socket that is closed while it opens, so it is closed once it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  private opened(): void {
    const { token, after } = this.hello;
    this.write({ type: 'hello', token: token ?? null, after, protocol: PROTOCOL });
    this.events.up();
  }

  private write(frame: Record<string, unknown>): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private received(text: string): void {
    const frame = JSON.parse(text) as Frame;
    this.events.heard();
    if (frame.type === 'update') this.events.update(frame as unknown as Update);
    else if (frame.type === 'ack' && frame.id) this.events.acknowledged(frame.id, frame.seq ?? 0);
    else if (frame.type === 'rejected') this.events.rejected(refusedBy(frame), frame.id);
  }
}
