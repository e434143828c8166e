/** A table on the server. */
import { api, Refused } from '../net/api.ts';
import { addSalt, keepMore, keepPromise, noteChairs } from '../net/promise.ts';
import { changeSeat, keepSeat, keptSeat, rulesOf } from '../net/seats.ts';
import { TableSocket } from '../net/socket.ts';
import { forgetUnsent, keepUnsent, unsentMoves } from '../net/unsent.ts';
import type { Hint, PlayMove, Snapshot, Update } from '../net/wire.ts';
import type { Command, Line, Outbox, SourceEvents, TableSource } from './source.ts';

/** Refusals that only say that a link is wrong. */
const WRONG_LINK = ['malformed', 'no-such-page'];

export class ServedTable implements TableSource {
  readonly outbox: Outbox;
  /** The name of rules of one's own in this page; empty at other tables. */
  private rules = '';

  constructor(
    private readonly table: string,
    private readonly token: string | undefined,
    /** Lets the engine of this page know rules of one's own, and returns their name there. */
    private readonly know: (variant: string) => Promise<string> = () => Promise.reject(new Error('no engine')),
  ) {
    this.outbox = {
      all: () => (token ? unsentMoves() : []).flatMap((item) => (item.table === table ? [commandOf(item.move)] : [])),
      keep: ({ type, ...body }) => type === 'move' && keepUnsent(table, body as PlayMove),
      forget: forgetUnsent,
    };
  }

  async look(): Promise<Snapshot> {
    const snapshot = await api.look(this.table, this.token).catch((error: unknown) => {
      const isWrong = error instanceof Refused && WRONG_LINK.includes(error.code);
      throw isWrong ? new Refused('no-such-table', error.message) : error;
    });
    if (this.token) void addSalt(this.table, this.token, snapshot);
    if (snapshot.setup.variant && !this.rules) this.learn(snapshot.setup.variant);
    return this.named(snapshot);
  }

  /** Learn the name of rules of one's own in this page. Until it is known the engine refuses their positions. */
  private learn(variant: Readonly<Record<string, unknown>>): void {
    this.rules = `${String(variant['base'])}~`;
    void this.know(JSON.stringify(variant))
      .then((name) => (this.rules = name))
      .catch(() => undefined); // the server thinks for this browser
  }

  /** An update whose position has the name that the engine knows its rules by. */
  private named<T extends Update>(update: T): T {
    const { position } = update;
    return this.rules && position ? { ...update, position: { ...position, rules: this.rules } } : update;
  }

  connect(after: number, events: SourceEvents): Line {
    const update = (told: Update): void => events.update(this.named(told));
    return new TableSocket(this.table, { token: this.token, after }, { ...events, update });
  }

  async news(after: number, wait: number, signal?: AbortSignal): Promise<Update> {
    return this.named(await api.news(this.table, this.token, after, wait, signal));
  }

  carryOut({ type, ...body }: Command): Promise<number> {
    const call = type === 'move' ? api.move : api.undo;
    return this.seated(async (token) => (await call(this.table, token, body as never)).seq);
  }

  hint(seen: Update): Promise<Hint> {
    return this.seated((token) => api.hint(this.table, token, seen.you.seat));
  }

  act(what: 'resign' | 'leave' | 'back', seat?: number): Promise<unknown> {
    return this.seated((token) => api.act(this.table, token, what, seat));
  }

  talk(text: string): Promise<unknown> {
    return this.seated((token) => api.talk(this.table, token, text));
  }

  start(): Promise<unknown> {
    return this.seated((token) => api.start(this.table, token));
  }

  again({ next }: Pick<Update, 'next'>): Promise<string> {
    return this.seated(async (token) => {
      const name = keptSeat(this.table)?.name ?? '';
      const salt = next ? await this.promised(next, token) : '';
      const made = next ? await api.join(next, { name, salt }, token) : await api.rematch(this.table, token);
      if (salt) keepMore(made.table, { added: true });
      await addSalt(made.table, made.token, made.snapshot);
      keepSeat({ table: made.table, token: made.token, ...rulesOf(made.snapshot.setup), name, at: Date.now() });
      changeSeat(this.table, { next: made.table });
      return made.table;
    });
  }

  /** Keep the promise of a rematch and the chairs there. Returns the randomness that belongs to it. */
  private async promised(next: string, token: string): Promise<string> {
    const seen = await api.look(next, token);
    const salt = keepPromise(next, seen.fair.commitment);
    noteChairs(seen);
    return salt;
  }

  close(): void {
    // The line is closed by the stream; nothing else is held.
  }

  /** Work that only the holder of a seat is offered. */
  private seated<T>(work: (token: string) => Promise<T>): Promise<T> {
    return this.token ? work(this.token) : Promise.reject(new Error('a spectator has no seat'));
  }
}

const commandOf = (move: PlayMove): Command => ({ type: 'move', ...move }) as Command;
