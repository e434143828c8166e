/** What a visit needs of a table, wherever the table is kept. */
import type { LinkState } from '../net/link.ts';
import type { Refused } from '../net/api.ts';
import type { Hint, Option, Snapshot, Update } from '../net/wire.ts';

export interface SourceEvents {
  readonly update: (update: Update) => void;
  readonly state: (state: LinkState) => void;
  /** The table ends the visit: the seat is lost, or there is no such table. */
  readonly refused: (error: Refused) => void;
}

/** Every failure is a `Refused`. */
export interface TableSource {
  /** Look at the table. Changes are told from then on. */
  open(events: SourceEvents): Promise<Snapshot>;
  /** Tell nothing more, also while it opens. */
  close(): void;
  play(seen: Update, option: Option): Promise<void>;
  undo(seen: Update): Promise<void>;
  hint(seen: Update): Promise<Hint>;
  act(what: 'resign' | 'leave' | 'back'): Promise<unknown>;
  talk(text: string): Promise<unknown>;
  start(): Promise<unknown>;
  /** Set up or join the rematch. Returns its table. */
  again(seen: Update): Promise<string>;
}
