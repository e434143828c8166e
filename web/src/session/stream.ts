/**
 * What happens at a table, in order and once. Updates may come through a line (a socket, a table in this browser) and as
 * answers to questions, side by side: what is known is dropped, an overlap is cut off, and what is missing is asked for.
 * Only final refusals end a visit; after any other failure it tries again, for as long as the page is open.
 * A command is kept until it is answered, however often the line breaks.
 */
import { newWord, NO_SERVER, Refused } from '../net/api.ts';
import type { MoveJson, Snapshot, Update } from '../net/wire.ts';
import { now } from './clocks.ts';
import type { Command, Line, SourceEvents, TableSource } from './source.ts';
import { QUIET, Waits } from './waits.ts';

export type LinkState =
  | 'opening'
  | 'open'
  | 'lost'
  /** Questions get through, but no line holds. */
  | 'polling'
  /** The table was never seen: something answers that is no server of ours. */
  | 'no-server'
  | 'closed';

export interface StreamEvents extends Pick<SourceEvents, 'unsaved'> {
  /** The whole table: in the beginning, and where the source has another past than was told. */
  readonly snapshot: (snapshot: Snapshot) => void;
  /** The table as it is now, with the events that were not told before. */
  readonly update: (update: Update) => void;
  readonly state: (state: LinkState) => void;
  /** The visit is over: the seat is lost, or there is no such table. */
  readonly refused: (error: Refused) => void;
}

interface Pending {
  readonly command: Command;
  readonly done: () => void;
  readonly failed: (error: Refused) => void;
  /** The command is on its way as a request. */
  requested: boolean;
}

/** For a command of an earlier visit: nothing waits for its answer. */
const SILENT = { done: (): void => undefined, failed: (): void => undefined };
/** Milliseconds in which a line must open, and in which it must answer a question or a command. */
const OPENING = 10_000;
const ANSWER = 4000;
const LONGEST_ANSWER = 16_000;
/** Milliseconds in which a silent line must answer a question of ours. It may take longer than ANSWER, because no move waits. */
const SIGN = 5000;
/** Milliseconds without a word after which a line is asked whether it still holds: sooner where somebody looks on. */
const SILENCE = { visible: 9000, hidden: 40_000 };
const TRIES_BEFORE_HTTP = 3;
/** Milliseconds for which a line may come up where questions get through again, before it is told that none does. */
const LINE_FIRST = 1500;
/** Seconds that a question waits for news. */
const LONG = 20;
/** Milliseconds in which an answer without news comes too early, as from a server that stops; so long it is left in peace. */
const EARLY = 1000;
/** How often an acknowledged event is asked for before it counts as lost. */
const TRIES_BEFORE_LOOK = 3;

export class Stream {
  private seq = 0;
  private begun = false;
  private ended = false;
  private told: LinkState | undefined;
  private line: Line | undefined;
  /** The line has answered since it was last in doubt. */
  private trusted = false;
  private everOpen = false;
  /** The number that the line was opened with, until its first update. */
  private opening: number | undefined;
  /** How many updates came through lines. */
  private updates = 0;
  /** Lines in a row that have failed. */
  private tries = 0;
  /** How long the line may take to answer; longer each time that it was doubted in vain. */
  private patience = ANSWER;
  /** The delay that the server named when it refused the line. */
  private named: number | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private polls = false;
  private polling = new AbortController();
  /** The highest number of an event that is known to exist. */
  private ahead = 0;
  private catching = false;
  private looking: Promise<void> | undefined;
  private awaited: { readonly seq: number; readonly done: () => void }[] = [];
  private readonly pending = new Map<string, Pending>();
  private readonly waits = new Waits(
    () => this.wake(),
    () => this.line?.send && this.down(true), // a line without it needs no network
  );

  constructor(
    private readonly source: TableSource,
    private readonly events: StreamEvents,
  ) {
    for (const command of source.outbox?.all() ?? [])
      this.pending.set(command.id, { command, ...SILENT, requested: false });
  }

  /** Look at the table, and tell from then on what happens there. */
  async open(): Promise<void> {
    this.waits.begin();
    this.tell('opening');
    await this.look();
    this.connect();
  }

  /** Tell nothing more, also while it opens. */
  close(): void {
    if (this.ended) return;
    this.stop();
    this.tell('closed');
  }

  /** Carry out a command. It is sent again until it is answered; the promise waits for its update, too. */
  send(type: Command['type'], { version, you }: Update, move?: MoveJson): Promise<void> {
    const command: Command = { type, id: newWord(), version, seat: you.seat, ...(move ? { move } : {}) };
    return new Promise((done, failed) => {
      this.pending.set(command.id, { command, done, failed, requested: false });
      this.source.outbox?.keep(command);
      if (this.trusted && this.line?.send) {
        this.line.send(command);
        this.expect(this.patience);
      } else void this.request(command.id);
    });
  }

  // --- the table

  private look(): Promise<void> {
    this.looking ??= this.insist(async () => {
      const snapshot = await this.source.look();
      if (this.ended) return;
      const isAgain = this.begun;
      this.seq = this.ahead = snapshot.seq;
      this.begun = true;
      this.events.snapshot(snapshot);
      if (isAgain) void this.insist(() => this.ask(0)); // the line may have told more, which was taken for old
      for (const { done } of this.awaited.splice(0)) done(); // what is not there now is lost
    }).finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Repeat work until it succeeds, the visit ends, or it is needed no longer. */
  private async insist(work: () => Promise<void>, isNeeded = (): boolean => true): Promise<void> {
    for (let tries = 0; !this.ended && isNeeded(); tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (this.ended || !isNeeded()) return;
        if (error.isFinal) return this.end(error);
        const isElsewhere = error.code === NO_SERVER && !this.begun;
        if (!this.trusted) this.tell(isElsewhere ? 'no-server' : 'lost');
        await this.waits.nap(error.retryAfter, tries, isElsewhere ? QUIET : undefined);
      }
    }
  }

  /** Take an update; `after` is the number from which on it was asked for, where it was. */
  private take(update: Update, after?: number): void {
    if (after !== undefined && update.seq < after) return void this.look(); // the source has lost what it told
    if (update.seq < this.seq) return;
    const events = update.events.filter(({ seq }) => seq > this.seq);
    // A move that was taken back is not told, so numbers may be missing: only the answer to a question is sure.
    const isSure = after !== undefined && after <= this.seq;
    const next = events[0]?.seq ?? update.seq;
    if (!isSure && update.seq > this.seq && next > this.seq + 1) return void this.catchUp(update.seq);
    this.seq = update.seq;
    this.events.update({ ...update, events });
    this.settle();
  }

  /** Ask for what is missing up to an event. */
  private async catchUp(seq: number): Promise<void> {
    this.ahead = Math.max(this.ahead, seq);
    if (this.catching) return;
    this.catching = true;
    for (let tries = 0; !this.ended && this.seq < this.ahead; tries++) {
      const sought = this.ahead;
      await this.insist(() => this.ask(0));
      if (this.seq >= sought) tries = 0;
      else if (tries < TRIES_BEFORE_LOOK) await this.waits.nap(undefined, tries);
      else await this.look();
    }
    this.catching = false;
  }

  private async ask(wait: number, signal?: AbortSignal): Promise<void> {
    const [after, { updates }] = [this.seq, this];
    const update = await this.source.news(after, wait, signal);
    if (this.ended) return;
    // Who is connected has no number: what a line has told meanwhile is newer than the answer.
    const isOvertaken = this.updates > updates;
    if (isOvertaken && after <= update.seq && update.seq <= this.seq) return;
    this.take(update, after);
    if (isOvertaken) await this.ask(0);
  }

  /** Settle the commands whose updates have come. */
  private settle(): void {
    const seen = this.awaited.filter(({ seq }) => seq <= this.seq);
    this.awaited = this.awaited.filter(({ seq }) => seq > this.seq);
    for (const { done } of seen) done();
  }

  // --- the line

  private connect(): void {
    if (this.ended || this.line) return;
    if (!this.polls) this.tell(this.everOpen ? 'lost' : 'opening');
    this.opening = this.seq;
    this.line = this.source.connect(this.seq, {
      up: () => this.up(),
      heard: () => this.heard(),
      update: (update) => this.updated(update),
      acknowledged: (id, seq) => this.acknowledged(id, seq),
      rejected: (error, id) => this.rejected(error, id),
      ended: (error) => this.end(error),
      replaced: () => void this.look(),
      unsaved: (error) => this.events.unsaved(error),
      down: (restarts) => this.down(restarts),
    });
    this.expect(OPENING);
  }

  private up(): void {
    this.expect(this.patience);
    for (const { command } of this.pending.values()) this.line?.send?.(command);
  }

  private heard(): void {
    this.expect();
    if (this.opening === undefined) this.trusted = true;
  }

  private updated(update: Update): void {
    const after = this.opening;
    this.opening = undefined;
    this.updates++;
    this.expect();
    this.tries = 0;
    this.trusted = this.everOpen = true;
    if (after !== undefined) this.patience = ANSWER;
    this.polling.abort();
    this.tell('open');
    this.take(update, after);
  }

  /** Doubt the line unless something comes through it in time; without a limit, ask it after a silence. */
  private expect(limit?: number): void {
    clearTimeout(this.deadline);
    const silence = SILENCE[document.visibilityState];
    this.deadline = setTimeout(() => (limit ? this.doubted() : this.probe()), limit ?? silence);
  }

  /** Ask whether the line still holds; until it has answered, commands go another way. */
  private probe(): void {
    if (!this.line) return;
    this.trusted = false;
    this.line.ping();
    this.expect(Math.max(SIGN, this.patience));
  }

  /** Give up a line that does not answer. Without a network its end would be told only much later. */
  private doubted(): void {
    if (!this.line) return;
    this.patience = Math.min(LONGEST_ANSWER, this.patience * 2);
    this.down(true);
  }

  private down(atOnce: boolean): void {
    this.line?.close();
    this.line = undefined;
    this.trusted = false;
    clearTimeout(this.deadline);
    if (this.ended) return;
    if (!this.polls) this.tell('lost');
    for (const id of this.pending.keys()) void this.request(id);
    void this.reconnect(atOnce);
  }

  private async reconnect(atOnce: boolean): Promise<void> {
    const [named, tries] = [this.named, atOnce && this.tries < TRIES_BEFORE_HTTP ? 0 : this.tries];
    this.named = undefined;
    this.tries++;
    if (this.tries >= TRIES_BEFORE_HTTP) void this.poll();
    await this.waits.nap(named, tries);
    this.connect();
  }

  /** Ask for news again and again until a line delivers them. */
  private async poll(): Promise<void> {
    if (this.polls) return;
    this.polls = true;
    const isNeeded = (): boolean => !this.trusted;
    let wait = 0; // the first answer comes at once and shows that questions get through
    while (!this.ended && isNeeded()) {
      const { signal } = (this.polling = new AbortController());
      await this.insist(async () => {
        const [seq, asked] = [this.seq, now()];
        await this.ask(wait, signal).catch((error: unknown) => {
          wait = 0;
          if (!signal.aborted) throw error;
        });
        if (signal.aborted || !isNeeded()) return;
        if (wait === 0) await this.waits.rest(LINE_FIRST);
        else if (this.seq === seq && now() - asked < EARLY) await this.waits.nap(EARLY, 0);
        if (!isNeeded()) return;
        wait = LONG;
        this.tell('polling');
      }, isNeeded);
    }
    this.polls = false;
  }

  /** The page is looked at again, or the network is back: ask at once, and trust no line that does not answer. */
  private wake(): void {
    if (this.ended || !this.begun) return;
    this.polling.abort();
    if (this.opening === undefined) this.probe();
    else if (this.line) this.down(true);
    // The line is asked, too, so a failure tells nothing new. Clocks may have gone on while the device slept.
    if (!this.polls && document.visibilityState === 'visible') void this.ask(0).catch(() => undefined);
  }

  // --- commands

  private acknowledged(id: string, seq: number): void {
    this.answered(id, ({ done }) => {
      if (this.seq >= seq) done();
      else this.awaited.push({ seq, done });
    });
    if (!this.trusted) void this.catchUp(seq);
  }

  private rejected(error: Refused, id: string | undefined): void {
    if (id === undefined) {
      if (error.isFinal) this.end(error);
      else this.named = error.retryAfter;
    } else if (error.isPassing) void this.waits.nap(error.retryAfter, 0).then(() => this.request(id));
    else this.answered(id, ({ failed }) => failed(error));
  }

  private answered(id: string, settle: (item: Pending) => void): void {
    const item = this.pending.get(id);
    if (!item) return;
    this.pending.delete(id);
    this.source.outbox?.forget(id);
    settle(item);
  }

  /** Send a command past the line, again and again until it is answered. */
  private async request(id: string): Promise<void> {
    const item = this.pending.get(id);
    if (!item || item.requested) return;
    item.requested = true;
    const isNeeded = (): boolean => this.pending.has(id);
    await this.insist(async () => {
      try {
        this.acknowledged(id, await this.source.carryOut(item.command));
      } catch (error) {
        if (!(error instanceof Refused) || error.isPassing) throw error;
        this.answered(id, ({ failed }) => failed(error));
      }
    }, isNeeded);
    item.requested = false;
  }

  // --- the end

  private end(error: Refused): void {
    if (this.ended) return;
    this.stop();
    for (const [id, { failed }] of this.pending) {
      if (error.code !== 'outdated') this.source.outbox?.forget(id); // a newer page sends it
      failed(error);
    }
    this.pending.clear();
    this.events.refused(error);
  }

  private stop(): void {
    this.ended = true;
    clearTimeout(this.deadline);
    this.waits.end();
    this.polling.abort();
    this.line?.close();
    this.line = undefined;
    this.source.close();
  }

  private tell(state: LinkState): void {
    if (state === this.told) return;
    this.told = state;
    this.events.state(state);
  }
}
