/** A table that is kept in this browser: it applies what is decided, saves it, and lets the computer seats play. */
import { Refused } from '../net/api.ts';
import type { LinkState } from '../net/link.ts';
import type { Hint, Option, Snapshot, Update } from '../net/wire.ts';
import type { SourceEvents, TableSource } from '../table/source.ts';
import type { OpenTable } from './open.ts';

/** The page of a table fetches the parts of this folder only for a table that needs them. */
export class LocalSource implements TableSource {
  private opened: OpenTable | undefined;
  private closed = false;

  constructor(private readonly table: string) {}

  async open(events: SourceEvents): Promise<Snapshot> {
    const { OpenTable } = await import('./open.ts').catch(() => {
      throw new Refused('engine-missing', 'A part of this page cannot be fetched.');
    });
    const opened = await OpenTable.find(this.table, events);
    if (this.closed) opened.close();
    this.opened = opened;
    events.state('open' satisfies LinkState);
    return opened.snapshot();
  }

  close(): void {
    this.closed = true;
    this.opened?.close();
  }

  play(seen: Update, { move }: Option): Promise<void> {
    return this.at((table) => table.play(seen, move));
  }

  undo(seen: Update): Promise<void> {
    return this.at((table) => table.undo(seen));
  }

  async hint(seen: Update): Promise<Hint> {
    const { hintHere } = await import('./hints.ts');
    return hintHere(seen);
  }

  act(what: 'resign' | 'leave' | 'back'): Promise<void> {
    return this.at((table) => table.act(what));
  }

  talk(text: string): Promise<void> {
    return this.at((table) => table.talk(text));
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  again(): Promise<string> {
    return this.at((table) => table.again());
  }

  private at<T>(work: (table: OpenTable) => Promise<T>): Promise<T> {
    if (!this.opened) return Promise.reject(new Refused('not-started', 'The table is not open yet.'));
    return work(this.opened);
  }
}
