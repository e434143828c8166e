/** A table that is kept in this browser: it applies what is decided, saves it, and lets the computer seats play. */
import { Refused } from '../net/api.ts';
import type { Hint, Snapshot, Update } from '../net/wire.ts';
import type { Command, Line, SourceEvents, TableSource } from '../session/source.ts';
import type { OpenTable } from './open.ts';

/** The page of a table fetches the parts of this folder only for a table that needs them. */
export class LocalSource implements TableSource {
  private opened: OpenTable | undefined;
  private listener: SourceEvents | undefined;
  private closed = false;

  constructor(private readonly table: string) {}

  async look(): Promise<Snapshot> {
    this.opened ??= await this.open();
    if (this.closed) this.opened.close();
    return this.opened.snapshot();
  }

  private async open(): Promise<OpenTable> {
    const { OpenTable } = await import('./open.ts').catch(() => {
      throw new Refused('engine-missing', 'A part of this page cannot be fetched.');
    });
    return OpenTable.find(this.table, {
      update: (update) => this.listener?.update(update),
      ended: (error) => this.listener?.ended(error),
      replaced: () => this.listener?.replaced(),
      unsaved: (error) => this.listener?.unsaved(error),
    });
  }

  /** The line of a table in this browser holds for ever. */
  connect(after: number, events: SourceEvents): Line {
    const isHeard = (): boolean => this.listener === events;
    this.listener = events;
    queueMicrotask(() => {
      if (isHeard() && this.opened) events.update(this.opened.news(after));
    });
    return {
      ping: () => queueMicrotask(() => isHeard() && events.heard()),
      close: () => {
        if (isHeard()) this.listener = undefined;
      },
    };
  }

  /** Asked when the page wakes up: messages of other windows may have gone unheard. */
  news(after: number): Promise<Update> {
    return this.at(async (table) => {
      await table.refresh();
      return table.news(after);
    });
  }

  carryOut({ version, seat, move }: Command): Promise<number> {
    return this.at(async (table) => {
      await (move ? table.play(version, seat, move) : table.undo(version, seat));
      return 0; // what was decided has been told
    });
  }

  async hint(seen: Update): Promise<Hint> {
    const { hintHere } = await import('./hints.ts');
    return hintHere(seen);
  }

  act(what: 'resign' | 'leave' | 'back', seat?: number): Promise<void> {
    return this.at((table) => table.act(what, seat));
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

  close(): void {
    this.closed = true;
    this.opened?.close();
  }

  private at<T>(work: (table: OpenTable) => Promise<T>): Promise<T> {
    if (!this.opened) return Promise.reject(new Refused('not-started', 'The table is not open yet.'));
    return work(this.opened);
  }
}
