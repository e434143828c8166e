/** A table of this browser while it is open: it decides, saves, applies, tells, and lets the computer seats play. */
import { addVariant } from '../engine/index.ts';
import { Refused } from '../net/api.ts';
import { now } from '../session/clocks.ts';
import type { SourceEvents } from '../session/source.ts';
import type { MoveJson, Snapshot, Update } from '../net/wire.ts';
import { choose } from './computers.ts';
import { comingBack, leaving, moving, playing, resigning, takingBack, talking } from './decisions.ts';
import { loaded } from './engine.ts';
import type { Happening, LocalEvent, OwnRules, StoredTable } from './events.ts';
import { replay } from './loading.ts';
import { findTable, onChange, saveTable, shareUnsaved } from './store.ts';
import type { LocalTable } from './table.ts';
import { createTable, removeTable } from './tables.ts';
import { updateOf } from './updates.ts';

/** A timer is late by so much, so that the time is up when it fires. */
const MARGIN = 10;
/** Milliseconds after which a game that could not be saved is saved again. */
const RETRY = 5000;

/** The table that a saved game leads to. Raises Refused where it cannot be read. */
export async function replayed(stored: StoredTable): Promise<LocalTable> {
  const { engine, data } = await loaded();
  if (stored.variant) addVariant(data, stored.variant.text, stored.variant.edition);
  return replay(engine, stored);
}

/** The rules of a table, if they are its own. */
function ownRules({ opening }: LocalTable): OwnRules | undefined {
  const edition = opening?.rules.edition;
  const text = edition?.variant?.text;
  return edition && text ? { text, edition } : undefined;
}

/** How many events two pasts have in common from their beginning on. */
function sharedPast(one: readonly LocalEvent[], other: readonly LocalEvent[]): number {
  const parted = one.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(other[index]));
  return parted < 0 ? one.length : parted;
}

type TableEvents = Pick<SourceEvents, 'update' | 'ended' | 'replaced' | 'unsaved'>;

export class OpenTable {
  private readonly stopHearing: () => void;
  /** How many events are stored. */
  private saved: number;
  private closed = false;
  private thinks = false;
  private since = now();
  private work: Promise<void> = Promise.resolve();
  /** The rematch while it is set up. */
  private rematch: Promise<string> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private table: LocalTable,
    private readonly events: TableEvents,
  ) {
    this.saved = table.seq;
    this.stopHearing = onChange(table.id, (unsaved) => {
      void (unsaved ? this.queued(() => this.meet(unsaved, false)) : this.refresh());
    });
    queueMicrotask(() => this.consider());
  }

  static async find(id: string, events: TableEvents): Promise<OpenTable> {
    return new OpenTable(await replayed(await findTable(id)), events);
  }

  close(): void {
    this.closed = true;
    this.stopHearing();
    clearTimeout(this.timer);
    clearTimeout(this.retry);
  }

  snapshot(): Snapshot {
    return { ...this.news(0), setup: this.table.setup };
  }

  /** The table with its events after a number. */
  news(after: number): Update {
    return updateOf(this.table, { after, thinking: this.thought() });
  }

  /** Take over what is saved. */
  refresh(): Promise<void> {
    return this.queued(() => this.compare());
  }

  // --- what persons do

  play(version: number, seat: number, move: MoveJson): Promise<void> {
    return this.change(() => playing(this.table, { version, seat }, move, this.thought()));
  }

  undo(version: number, seat: number): Promise<void> {
    return this.change(() => takingBack(this.table, { version, seat }, this.thought()));
  }

  act(what: 'resign' | 'leave' | 'back', seat?: number): Promise<void> {
    const seats = (): readonly number[] => (seat ? [seat] : this.table.held);
    const decide = {
      resign: () => resigning(this.table, seats(), this.thought()),
      leave: () => leaving(this.table, seats(), 'left', this.thought()),
      back: () => comingBack(this.table, seats(), this.thought()),
    }[what];
    return this.change(decide);
  }

  talk(text: string): Promise<void> {
    return this.change(() => talking(this.table, text));
  }

  /** The same people again, with seat 2 as seat 1: at one table, however often it is asked for. */
  again(): Promise<string> {
    this.rematch ??= this.setUpAgain().finally(() => (this.rematch = undefined));
    return this.rematch;
  }

  private async setUpAgain(): Promise<string> {
    const { setup, order, next } = this.table;
    if (next) return next;
    const seats = [...order.slice(1), ...order.slice(0, 1)].flatMap((chair) => setup.seats[chair - 1] ?? []);
    const table = await createTable({ ...setup, seats, lots: false }, ownRules(this.table));
    await this.change(() => (this.table.next ? [] : [{ kind: 'next', table }])).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.code !== 'stale') throw error;
    });
    const first = this.table.next || table;
    if (first !== table) await removeTable(table); // another window was faster
    return first;
  }

  // --- changes

  /** One change after another: decide, apply, save, tell. */
  private change(decide: () => Happening[]): Promise<void> {
    return this.queued(async () => {
      const happened = decide();
      if (happened.length === 0) return;
      const before = this.table.seq;
      for (const event of happened) this.table.apply({ ...event, at: Date.now() } as LocalEvent);
      const isSaved = await this.keep();
      if (isSaved) return this.tell(before);
      await this.compare(before);
      throw new Refused('stale', 'Another window has played on.', null, this.table.version);
    });
  }

  private queued(work: () => Promise<void>): Promise<void> {
    const done = this.work.then(work);
    this.work = done.catch(() => undefined);
    return done;
  }

  private get stored(): StoredTable {
    const { id, created, setup, secret, events, outcome } = this.table;
    const own = ownRules(this.table);
    const variant = own ? { variant: own } : {};
    return {
      form: 1,
      id,
      created,
      setup,
      secret,
      ...variant,
      events,
      changed: Date.now(),
      over: outcome !== undefined,
    };
  }

  /**
   * Save the table. Returns false if another window has played on. A game that cannot be saved goes on: the person is told,
   * the other windows have it, too, and it is tried again.
   */
  private async keep(): Promise<boolean> {
    clearTimeout(this.retry);
    try {
      await saveTable(this.stored, this.saved);
      this.settle();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.tryAgain();
      if (error.code === 'stale') return false;
      shareUnsaved(this.stored);
      this.events.unsaved(error);
      return true;
    }
  }

  /** Everything is saved. */
  private settle(): void {
    clearTimeout(this.retry);
    this.saved = this.table.seq;
    this.events.unsaved(undefined);
  }

  private tryAgain(): void {
    clearTimeout(this.retry);
    if (!this.closed) this.retry = setTimeout(() => void this.refresh(), RETRY);
  }

  /** Compare what was told, up to an event, with what is saved. */
  private async compare(told = this.table.seq): Promise<void> {
    if (this.closed) return;
    try {
      await this.meet(await findTable(this.table.id), true, told);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'no-such-table') this.events.ended(error);
      else this.tryAgain();
    }
  }

  /** Take over what another window has, where it follows from what was told here. Where the two part, what is saved holds. */
  private async meet(other: StoredTable, isSaved: boolean, told = this.table.seq): Promise<void> {
    const [both, all] = [sharedPast(this.table.events.slice(0, told), other.events), other.events.length];
    const hasParted = both < told && both < all;
    if (this.closed || (!isSaved && (hasParted || all <= told))) return;
    if (isSaved) this.saved = all;
    if (hasParted || both === told) this.table = await replayed(other);
    if (hasParted) this.replace();
    else if (this.table.seq > told) this.tell(told);
    if (this.saved < this.table.seq) await this.keep();
    else this.settle();
  }

  private replace(): void {
    this.since = now();
    this.events.replaced();
    this.consider();
  }

  private tell(after: number): void {
    this.since = now();
    if (this.closed) return;
    this.events.update(updateOf(this.table, { after, thinking: 0 }));
    this.consider();
  }

  /** How long the chooser has been thinking; 0 while no clock runs for the seat. */
  private thought(): number {
    const { clocks, chooser } = this.table;
    if (!clocks.runs || !chooser || this.table.chair(chooser).away) return 0;
    return Math.round(now() - this.since);
  }

  // --- what happens by itself

  private consider(): void {
    clearTimeout(this.timer);
    const { table } = this;
    if (this.closed || !table.chooser) return;
    if (table.byComputer(table.chooser)) void this.think();
    else if (table.clocks.runs) {
      const left = table.clocks.allowance(this.thought());
      this.timer = setTimeout(() => void this.late(table.chooser), Math.max(0, left) + MARGIN);
    }
  }

  /** The time of a seat is up: the computer plays on. */
  private late(seat: number): Promise<void> {
    return this.change(() =>
      seat === this.table.chooser ? leaving(this.table, [seat], 'time', this.thought()) : [],
    ).catch(() => undefined);
  }

  /** Let the computer choose until a person must. */
  private async think(): Promise<void> {
    if (this.thinks) return;
    this.thinks = true;
    try {
      while (!this.closed && this.table.chooser && this.table.byComputer(this.table.chooser)) await this.thinkOnce();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!this.closed) this.events.ended(error);
    } finally {
      this.thinks = false;
    }
  }

  private async thinkOnce(): Promise<void> {
    const { table } = this;
    const { version, chooser } = table;
    const move = await choose(table, chooser);
    const decide = (): Happening[] => {
      const same =
        !this.closed &&
        this.table.version === version &&
        this.table.chooser === chooser &&
        this.table.byComputer(chooser);
      return same ? moving(this.table, move, this.thought()) : [];
    };
    await this.change(decide).catch((error: unknown) => {
      // Another window was faster, or nothing can be saved: both are told elsewhere, and the game goes on.
      if (!(error instanceof Refused)) throw error;
    });
  }
}
