/** What a session needs of a table, wherever the table is kept. */
import type { Refused } from '../net/api.ts';
import type { Command, Line, LineEvents } from '../net/socket.ts';
import type { Hint, Snapshot, Update } from '../net/wire.ts';

export type { Command, Line } from '../net/socket.ts';

export interface SourceEvents extends LineEvents {
  /** The table cannot go on: for a failure that no other try can mend. */
  readonly ended: (error: Refused) => void;
  /** The table has another past than was told. */
  readonly replaced: () => void;
  /** Why the table cannot be saved; nothing where it is saved again. The game goes on meanwhile. */
  readonly unsaved: (error: Refused | undefined) => void;
}

/** Every failure is a `Refused`. */
export interface TableSource {
  /** The whole table. */
  look(): Promise<Snapshot>;
  /** Tell what happens after an event, until the line is closed. */
  connect(after: number, events: SourceEvents): Line;
  /** The table with its events after a number; the answer waits so many seconds for one. */
  news(after: number, wait: number, signal?: AbortSignal): Promise<Update>;
  /** Carry out a command, once however often it is sent. Returns the number of its event. */
  carryOut(command: Command): Promise<number>;
  /** Commands that outlive the page, where they can fail to arrive. */
  readonly outbox?: Outbox;
  hint(seen: Update): Promise<Hint>;
  /** For one of the seats held, or for all. */
  act(what: 'resign' | 'leave' | 'back', seat?: number): Promise<unknown>;
  talk(text: string): Promise<unknown>;
  start(): Promise<unknown>;
  /** Set up or join the rematch. Returns its table. */
  again(seen: Update): Promise<string>;
  /** The table is left. */
  close(): void;
}

/** Commands that are not acknowledged yet. */
export interface Outbox {
  /** Those of earlier visits. */
  all(): readonly Command[];
  keep(command: Command): void;
  forget(id: string): void;
}
