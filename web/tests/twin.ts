/** The games that Python recorded at a server's table, played again at a table in the browser. */
import { readFileSync } from 'node:fs';
import type { Engine } from '../src/engine/index.ts';
import { comingBack, leaving, moving, resigning, takingBack } from '../src/local/decisions.ts';
import type { Happening, LocalEvent, Setup } from '../src/local/events.ts';
import { LocalTable } from '../src/local/table.ts';
import { updateOf } from '../src/local/updates.ts';
import type { Update } from '../src/net/wire.ts';

export interface Recorded {
  readonly id: string;
  readonly created: number;
  readonly secret: string;
  readonly salt: string;
  /** Milliseconds of thinking before each step. */
  readonly ms: number;
  readonly opening: string;
  readonly order: number[];
  readonly setup: Setup;
  readonly steps: string[];
}

const text = readFileSync(new URL('../../tests/local/vectors.json', import.meta.url), 'utf-8');
export const games = JSON.parse(text) as Recorded[];

/** A table in the browser at which the same is done as at the server's. */
export class Twin {
  readonly table: LocalTable;
  private seen = 0;

  constructor(
    engine: Engine,
    private readonly told: Recorded,
  ) {
    const { id, created, setup, secret, salt, opening, order } = told;
    this.table = new LocalTable(engine, id, created, setup, secret);
    const chairs = setup.seats.flatMap(({ kind }, chair) => (kind === 'here' ? [chair + 1] : []));
    this.take([
      { kind: 'salt', chairs, salt },
      { kind: 'deal', opening, order },
    ]);
    this.seen = 0;
  }

  private take(happened: Happening[]): void {
    this.seen = this.table.seq;
    for (const event of happened)
      this.table.apply({ ...event, at: this.told.created + this.table.seq + 1 } as LocalEvent);
  }

  private get thought(): number {
    const { clocks, chooser } = this.table;
    return clocks.runs && !this.table.chair(chooser).away ? this.told.ms : 0;
  }

  do(what: string): void {
    const { table, thought } = this;
    const wish = { version: table.version, seat: table.chooser };
    if (what === 'undo') this.take(takingBack(table, wish, thought));
    else if (what === 'leave') this.take(leaving(table, table.held, 'left', thought));
    else if (what === 'back') this.take(comingBack(table, table.held, thought));
    else if (what === 'resign') this.take(resigning(table, table.held, thought));
    else this.take(moving(table, what, thought));
  }

  /** What the device is told since the step before; seat 0: what a spectator is. */
  update(seat?: number): Update {
    return updateOf(this.table, { after: this.seen, thinking: 0, ...(seat === undefined ? {} : { seat }) });
  }
}
