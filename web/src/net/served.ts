/** A table on the server. */
import type { SourceEvents, TableSource } from '../table/source.ts';
import { api } from './api.ts';
import { TableLink } from './link.ts';
import { addSalt, keepPromise } from './promise.ts';
import { keepSeat, keptSeat } from './seats.ts';
import type { Hint, Option, Snapshot, Update } from './wire.ts';

export class ServedTable implements TableSource {
  private link: TableLink | undefined;
  private closed = false;

  constructor(
    private readonly table: string,
    private readonly token: string | undefined,
  ) {}

  async open(events: SourceEvents): Promise<Snapshot> {
    const snapshot = await api.look(this.table, this.token);
    if (this.closed) return snapshot;
    if (this.token) void addSalt(this.table, this.token, snapshot);
    this.link = new TableLink(this.table, this.token, snapshot.seq, events);
    return snapshot;
  }

  close(): void {
    this.closed = true;
    this.link?.close();
  }

  async play(seen: Update, { move }: Option): Promise<void> {
    await this.link?.send('move', { version: seen.version, move, seat: seen.you.seat });
  }

  async undo(seen: Update): Promise<void> {
    await this.link?.send('undo', { version: seen.version, seat: seen.you.seat });
  }

  /** This browser thinks; the server is asked where it cannot. */
  async hint(seen: Update): Promise<Hint> {
    const found = await import('../local/hints.ts').then(({ hintHere }) => hintHere(seen)).catch(() => undefined);
    return found ?? this.seated((token) => api.hint(this.table, token, seen.you.seat));
  }

  act(what: 'resign' | 'leave' | 'back'): Promise<unknown> {
    return this.seated((token) => api.act(this.table, token, what));
  }

  talk(text: string): Promise<unknown> {
    return this.seated((token) => api.talk(this.table, token, text));
  }

  start(): Promise<unknown> {
    return this.seated((token) => api.start(this.table, token));
  }

  again({ next }: Update): Promise<string> {
    return this.seated(async (token) => {
      const name = keptSeat(this.table)?.name ?? '';
      const salt = next ? keepPromise(next, (await api.look(next, token)).fair.commitment) : '';
      const made = next ? await api.join(next, { name, salt }, token) : await api.rematch(this.table, token);
      await addSalt(made.table, made.token, made.snapshot);
      keepSeat({ table: made.table, token: made.token, rules: made.snapshot.setup.rules ?? '', name, at: Date.now() });
      return made.table;
    });
  }

  /** Work that only the holder of a seat is offered. */
  private seated<T>(work: (token: string) => Promise<T>): Promise<T> {
    return this.token ? work(this.token) : Promise.reject(new Error('a spectator has no seat'));
  }
}
