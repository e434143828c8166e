/** A small server with one table and the network to it, which can fail in every way that a page must outlive. */
import { vi } from 'vitest';
import { Engine, openingOf, Chance } from '../src/engine/index.ts';
import { moving, playing, takingBack } from '../src/local/decisions.ts';
import type { Happening, LocalEvent, Setup } from '../src/local/events.ts';
import { Facts } from '../src/local/facts.ts';
import { moveText } from '../src/local/notation.ts';
import { LocalTable } from '../src/local/table.ts';
import { updateOf } from '../src/local/updates.ts';
import { Refused } from '../src/net/http.ts';
import type { MoveJson, TableEvent } from '../src/net/wire.ts';
import { code, data } from './engine.ts';
import { Page } from './page.ts';

export const TABLE = 'k3v9x2m4q8';
const TOKEN = 'the-token-of-ann';
const SETUP = {
  rules: 'jamaica-en',
  style: 'printed',
  seats: [
    { kind: 'here', name: 'Ann' },
    { kind: 'computer', level: 'deckhand' },
  ],
  talk: true,
  lots: false,
  hints: true,
} as unknown as Setup;

interface Wish {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly seat: number;
  readonly move: MoveJson;
}

/** What an HTTP request is answered with. */
type Answer = { readonly status: number; readonly body: unknown };

/** The server: it decides, keeps what was decided through every restart, and tells it. */
export class Server {
  readonly table: LocalTable;
  /** Ids of commands and the numbers of their events. */
  private readonly carried = new Map<string, number>();
  readonly sockets = new Set<{ tell: () => void }>();
  /** The long polls that wait for news. */
  private waiting: { readonly answer: () => void; readonly fail: (why: Error) => void }[] = [];

  constructor(engine: Engine, clock: Setup['clock'] = { kind: 'none' }) {
    const setup = { ...SETUP, clock };
    this.table = new LocalTable(engine, TABLE, 0, setup, '5'.repeat(64));
    const opening = openingOf(
      engine,
      { rules: setup.rules ?? '', seats: 2, style: setup.style },
      Chance.of('5'.repeat(64), ['6'.repeat(32), '']),
    );
    this.take([
      { kind: 'salt', chairs: [1], salt: '6'.repeat(32) },
      { kind: 'deal', opening: engine.format(opening), order: [1, 2] },
    ]);
  }

  static async load(): Promise<Engine> {
    return Engine.load(code, data);
  }

  /** Everything that is told of the table, from its beginning on. */
  get events(): readonly TableEvent[] {
    return this.snapshot().events;
  }

  private take(happened: Happening[]): void {
    for (const event of happened) this.table.apply({ ...event, at: 1000 + this.table.seq } as LocalEvent);
    for (const socket of this.sockets) socket.tell();
    for (const { answer } of this.waiting.splice(0)) answer();
  }

  private get options(): MoveJson[] {
    if (!this.table.position) return [];
    return new Facts(this.table.engine, this.table.position).options().legal.map(({ move }) => move);
  }

  /** Play for the seat that must choose: its turn to the end, or one move. */
  playTurn(): void {
    const seat = this.table.chooser;
    while (this.table.chooser === seat) this.playMove();
  }

  playMove(): void {
    const moves = this.options;
    const move = moves.find(({ kind }) => kind === 'end') ?? moves[0];
    if (move) this.take(moving(this.table, moveText(move), 0));
  }

  /** Play so many moves that do not end the turn. */
  playActions(number: number): void {
    for (let played = 0; played < number; played++) {
      const move = this.options.find(({ kind }) => kind !== 'end');
      if (move) this.take(moving(this.table, moveText(move), 0));
    }
  }

  say(seat: number, text: string): void {
    this.take([{ kind: 'talk', seat, text }]);
  }

  leave(seat: number): void {
    this.take([{ kind: 'away', seat, why: 'left', level: 'deckhand', ms: 0 }]);
  }

  resign(seat: number): void {
    this.take([{ kind: 'resign', seat, level: null, ms: 0 }]);
  }

  undo(): void {
    this.take(takingBack(this.table, { version: this.table.version, seat: 1 }, 0));
  }

  /** Whether the table is played by post. */
  byPost = false;

  /** The server is stopping: it answers a request for news at once. */
  isStopping = false;
  /** How many sockets have said hello. */
  greeted = 0;

  /** Seats whose people are not connected. */
  readonly absent = new Set<number>();

  private snapshot() {
    return { ...this.news(0), setup: this.table.setup };
  }

  news(after: number) {
    const update = updateOf(this.table, { after, thinking: 0 });
    const more = this.byPost ? { holidays: 10 } : {};
    return {
      ...update,
      seats: update.seats.map((seat) => ({ ...seat, ...more, online: !this.absent.has(seat.seat) })),
    };
  }

  /** Carry out a command once. Returns the number of its event. */
  command({ type, id, version, seat, move }: Wish): number {
    const known = this.carried.get(id);
    if (known !== undefined) return known;
    const wish = { version, seat };
    const happened = type === 'move' ? playing(this.table, wish, move, 0) : takingBack(this.table, wish, 0);
    this.carried.set(id, this.table.seq + 1);
    this.take(happened);
    return this.table.seq;
  }

  async answer(verb: string, url: URL, body: Wish): Promise<Answer> {
    const [, table, what] = /^\/api\/tables\/(\w+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    try {
      if (table !== TABLE) throw new Refused('no-such-table', 'There is no such table.');
      if (verb === 'GET' && !what) return { status: 200, body: this.snapshot() };
      if (what === 'events') return { status: 200, body: await this.longPoll(url.searchParams) };
      const type = { moves: 'move', undo: 'undo' }[what ?? ''];
      if (type) return { status: 200, body: { type: 'ack', seq: this.command({ ...body, type }) } };
      throw new Refused('no-such-page', 'There is nothing here.');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: 409, body: { error: { code: error.code, message: error.message } } };
    }
  }

  private async longPoll(query: URLSearchParams) {
    const [after, wait] = [Number(query.get('after')), Number(query.get('wait'))];
    if (this.table.seq <= after && wait > 0 && !this.isStopping)
      await new Promise<void>((answer, fail) => {
        const poll = { answer, fail };
        this.waiting.push(poll);
        setTimeout(() => this.waiting.includes(poll) && answer(), wait * 1000);
      });
    return this.news(after);
  }

  /** The server stops: its long polls break off. */
  stop(): void {
    for (const { fail } of this.waiting.splice(0)) fail(new TypeError('Failed to fetch'));
  }

  /** Long polls whose connections are dead are never answered. */
  forget(): void {
    this.waiting = [];
  }
}

/** How the network is: `ok`, nothing listens, a proxy or a static host answers in the server's place, or nothing comes through at all. */
export type Weather = 'ok' | 'refused' | '502' | '429' | '404' | '200' | 'dead';

const PAGES: Partial<Record<Weather, Readonly<Record<string, string>>>> = {
  '502': {},
  '429': { 'retry-after': '3' },
  '404': {},
  '200': {},
};

export class Network {
  weather: Weather = 'ok';
  /** Milliseconds that each message of a socket takes. */
  delay = 5;
  /** Sockets are refused although requests come through. */
  noSockets = false;
  /** Requests that were made, as text. */
  readonly asked: string[] = [];
  readonly open = new Set<Socket>();
  readonly page = new Page();

  constructor(readonly server: Server) {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const network = this;
    class Plugged extends Socket {
      constructor() {
        super(network);
      }
    }
    vi.stubGlobal('WebSocket', Plugged);
    vi.stubGlobal('fetch', (url: URL, init: RequestInit) => this.fetch(url, init));
    this.page.keep(`cartagena.seat.${TABLE}`, { table: TABLE, token: TOKEN, rules: 'jamaica-en', name: 'Ann', at: 1 });
  }

  /** All sockets end, with the code of a server that restarts or without a word. */
  cut(code = 1006): void {
    for (const socket of [...this.open]) socket.end(code);
  }

  /** Nothing comes through the sockets that are open now, and neither side knows. */
  kill(): void {
    for (const socket of this.open) socket.dead = true;
    this.server.forget();
  }

  /** The device sleeps: time goes by, no timer fires, and the sockets are dead afterwards. */
  sleep(ms: number): void {
    this.kill();
    vi.setSystemTime(Date.now() + ms);
  }

  private async fetch(url: URL, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    this.asked.push(`${method} ${url.pathname}${url.search}`);
    const broken = new Promise<never>((_, failed) =>
      signal?.addEventListener('abort', () => failed(new DOMException('aborted', 'AbortError'))),
    );
    return Promise.race([broken, this.answer(method, url, body)]);
  }

  private async answer(method: string, url: URL, body: BodyInit | null | undefined): Promise<Response> {
    await new Promise((done) => setTimeout(done, 5));
    const { weather } = this;
    if (weather === 'dead') await new Promise(() => undefined);
    if (weather === 'refused') throw new TypeError('Failed to fetch');
    const headers = PAGES[weather];
    if (headers)
      return new Response('<html><h1>nginx</h1></html>', {
        status: Number(weather),
        headers: { 'content-type': 'text/html', ...headers },
      });
    const found = await this.server.answer(method, url, JSON.parse(String(body ?? '{}')) as Wish);
    if (this.weather === 'refused') throw new TypeError('Failed to fetch'); // the server has gone meanwhile
    return Response.json(found.body, { status: found.status });
  }
}

/** A socket as a browser has it. */
class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  readyState = Socket.CONNECTING;
  dead = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  private after = -1;

  constructor(private readonly network: Network) {
    setTimeout(() => {
      const { weather, noSockets } = network;
      if (weather === 'dead') this.dead = true;
      else if (weather !== 'ok' || noSockets) this.end(1006);
      else {
        this.readyState = Socket.OPEN;
        network.open.add(this);
        this.onopen?.();
      }
    }, 5);
  }

  /** The client writes. */
  send(text: string): void {
    this.later(() => this.obey(JSON.parse(text) as Wish & { after: number }));
  }

  private obey(frame: Wish & { after: number }): void {
    const { server } = this.network;
    if (frame.type === 'hello') {
      server.greeted++;
      if (server.isStopping) return this.end(1012);
      this.after = frame.after;
      server.sockets.add(this);
      return this.tell(true);
    }
    if (frame.type === 'ping') return this.write({ type: 'pong' });
    try {
      this.write({ type: 'ack', id: frame.id, seq: server.command(frame) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.write({ type: 'rejected', id: frame.id, code: error.code, message: error.message });
    }
  }

  /** The server tells what is new. */
  tell(always = false): void {
    const { server } = this.network;
    if (!always && server.table.seq <= this.after) return;
    this.write(server.news(this.after));
    this.after = server.table.seq;
  }

  write(frame: unknown): void {
    const data = JSON.stringify(frame);
    this.later(() => this.onmessage?.({ data }));
  }

  private later(work: () => void): void {
    setTimeout(() => {
      if (this.readyState === Socket.OPEN && !this.dead) work();
    }, this.network.delay);
  }

  end(code: number): void {
    this.leave();
    this.onclose?.({ code });
  }

  close(): void {
    this.leave();
  }

  private leave(): void {
    this.readyState = Socket.CLOSED;
    this.network.open.delete(this);
    this.network.server.sockets.delete(this);
  }
}
