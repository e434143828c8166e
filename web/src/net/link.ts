/**
 * The connection to a table: a socket that reconnects and resumes, and HTTP polling where sockets do not get through.
 * A move keeps its id until it is answered, so that it is played once however often it is sent. Until then it is kept
 * in the browser, and the next connection to the table sends it.
 */
import { api, newWord, OFFLINE, Refused, refusedBy } from './api.ts';
import { forgetUnsent, keepUnsent, unsentMoves } from './unsent.ts';
import { PROTOCOL, type PlayMove, type Update } from './wire.ts';

export type LinkState = 'opening' | 'open' | 'lost' | 'polling' | 'closed';

export interface LinkEvents {
  readonly update: (update: Update) => void;
  readonly state: (state: LinkState) => void;
  /** The server ends the connection: the token is revoked, or there is no such table. */
  readonly refused: (error: Refused) => void;
}

interface Pending {
  readonly frame: Record<string, unknown>;
  readonly done: () => void;
  readonly failed: (error: Refused) => void;
}

/** For a move of an earlier visit: nothing waits for its answer. */
const SILENT = { done: (): void => undefined, failed: (): void => undefined };
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const SILENCE = 40_000;
const TRIES_BEFORE_HTTP = 3;
const ASK_AGAIN = 700;
/** The code of a connection that ended without a word (RFC 6455). */
const BROKEN_OFF = 1006;

export class TableLink {
  seq: number;
  private socket: WebSocket | undefined;
  private readonly pending = new Map<string, Pending>();
  private awaited: { seq: number; done: () => void }[] = [];
  private tries = 0;
  private ended = false;
  private everOpen = false;
  private polling = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly token: string | undefined,
    seq: number,
    private readonly events: LinkEvents,
  ) {
    this.seq = seq;
    for (const { move } of unsentMoves().filter((item) => item.table === table))
      this.pending.set(move.id, { frame: { type: 'move', ...move }, ...SILENT });
    addEventListener('online', this.hurry);
    addEventListener('offline', this.drop);
    document.addEventListener('visibilitychange', this.hurry);
    this.connect();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.drop);
    document.removeEventListener('visibilitychange', this.hurry);
    const socket = this.socket;
    // Browsers warn about a socket that is closed while it opens, so it is closed once it is open.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
    this.events.state('closed');
  }

  /** Send a command. It is sent again after a reconnection until it is answered. */
  send(type: 'move' | 'undo', body: Record<string, unknown>): Promise<void> {
    const id = newWord();
    const frame = { type, id, ...body };
    return new Promise((done, failed) => {
      this.pending.set(id, { frame, done, failed });
      if (type === 'move') keepUnsent(this.table, { id, ...body } as PlayMove);
      if (this.socket?.readyState === WebSocket.OPEN && !this.polling) this.socket.send(JSON.stringify(frame));
      else void this.overHttp(id);
    });
  }

  private readonly hurry = (): void => {
    if (document.visibilityState !== 'visible' || this.socket?.readyState === WebSocket.OPEN || this.ended) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    if (this.ended || this.socket?.readyState === WebSocket.CONNECTING) return;
    if (!this.polling) this.events.state(this.everOpen ? 'lost' : 'opening');
    const address = new URL(`api/tables/${this.table}/live`, document.baseURI);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (message) => this.received(String(message.data));
    socket.onclose = (event) => this.lost(socket, event.code);
  }

  private opened(socket: WebSocket): void {
    this.everOpen = true;
    socket.send(JSON.stringify({ type: 'hello', token: this.token ?? null, after: this.seq, protocol: PROTOCOL }));
    for (const { frame } of this.pending.values()) socket.send(JSON.stringify(frame));
    this.listen();
  }

  /** Heartbeats come every few seconds; close a socket that has been silent for long. */
  private listen(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(this.drop, SILENCE);
  }

  /** Give up a socket through which nothing comes any more. Without a network its end is only told much later. */
  private readonly drop = (): void => {
    const { socket } = this;
    if (this.ended || socket?.readyState !== WebSocket.OPEN) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    this.lost(socket, BROKEN_OFF);
  };

  private received(text: string): void {
    this.listen();
    const message = JSON.parse(text) as { type: string; id?: string } & Record<string, unknown>;
    if (message.type === 'update') return this.updated(message as unknown as Update);
    if (message.type === 'ack') return this.acknowledged(message.id, Number(message['seq'] ?? 0));
    if (message.type !== 'rejected') return;
    const error = refusedBy(message);
    if (message.id) return this.answered(message.id, (item) => item.failed(error));
    if (['not-seated', 'not-allowed', 'no-such-table', 'outdated'].includes(error.code)) this.end(error);
  }

  private updated(update: Update): void {
    this.tries = 0;
    this.events.state('open');
    this.take(update);
  }

  private take(update: Update): void {
    this.seq = update.seq;
    this.events.update(update);
    const seen = this.awaited.filter((item) => item.seq <= this.seq);
    this.awaited = this.awaited.filter((item) => item.seq > this.seq);
    for (const item of seen) item.done();
  }

  /** Settle a command once its update has arrived too, so that the next choice is made from current options. */
  private acknowledged(id: string | undefined, seq: number): void {
    this.answered(id, (item) => {
      if (this.seq >= seq) item.done();
      else this.awaited.push({ seq, done: item.done });
    });
  }

  private answered(id: string | undefined, tell: (item: Pending) => void): void {
    const item = id === undefined ? undefined : this.pending.get(id);
    if (!item || id === undefined) return;
    this.pending.delete(id);
    forgetUnsent(id);
    tell(item);
  }

  private end(error: Refused): void {
    this.ended = true;
    for (const [id, item] of this.pending) {
      if (error.code !== 'outdated') forgetUnsent(id); // a newer page sends it
      item.failed(error);
    }
    this.pending.clear();
    this.events.refused(error);
  }

  private lost(socket: WebSocket, code: number): void {
    if (this.ended || socket !== this.socket) return;
    clearTimeout(this.watchdog);
    if (!this.polling) this.events.state('lost');
    const wait = code === 1012 ? FIRST_WAIT : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries++;
    if (this.tries >= TRIES_BEFORE_HTTP) this.goOverHttp();
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Send pending commands over HTTP too; their ids keep them from being carried out twice. */
  private goOverHttp(): void {
    for (const id of this.pending.keys()) void this.overHttp(id);
    void this.poll();
  }

  private async overHttp(id: string): Promise<void> {
    const item = this.pending.get(id);
    if (!item || !this.token) return;
    const { type, ...body } = item.frame;
    try {
      const call = type === 'move' ? api.move : api.undo;
      const ack = await call(this.table, this.token, body as never);
      this.acknowledged(id, ack.seq);
    } catch (error) {
      if (error instanceof Refused && error.code !== OFFLINE) this.answered(id, (found) => found.failed(error));
      else if (!this.ended) this.events.state('lost');
    }
  }

  /** Poll for updates until a socket delivers one. */
  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    while (!this.ended && this.tries >= TRIES_BEFORE_HTTP) await this.ask();
    this.polling = false;
  }

  private async ask(): Promise<void> {
    try {
      const update = await api.news(this.table, this.token, this.seq);
      if (this.ended || this.tries === 0) return;
      if (update.seq > this.seq) this.take(update);
      this.events.state('polling');
    } catch (error) {
      if (this.ended || this.tries === 0) return;
      if (error instanceof Refused && error.code !== OFFLINE) return this.end(error);
      this.events.state('lost');
      await new Promise((done) => setTimeout(done, ASK_AGAIN));
    }
  }
}
