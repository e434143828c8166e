/** Visits to a table in a test: windows that note what their person is told, and time that passes when the test says so. */
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Engine } from '../src/engine/index.ts';
import type { Happening } from '../src/session/state.ts';
import { TableVisit } from '../src/table/visit.svelte.ts';
import type { LocalTable } from '../src/local/table.ts';
import type { TableEvent } from '../src/net/wire.ts';
import { Network, Server, TABLE } from './network.ts';

/** How finely a test looks at its windows, in milliseconds. */
const GLANCE = 50;

/** A window with a table, what it was told, and what its person was shown to be amiss: each trouble as it came and went. */
export class Window {
  readonly told: Happening[] = [];
  troubles: string[] = [];
  private silence = 0;
  private silent = 0;

  constructor(readonly visit: TableVisit) {
    visit.on((happening) => this.told.push(happening));
    void visit.open();
  }

  /** Forget what was shown so far. */
  clear(): void {
    this.troubles = [];
    this.takeSilence();
  }

  /** The longest time for which the window was behind, or its move unanswered, without a word about it, since the last call. */
  takeSilence(): number {
    const found = this.silence;
    this.silence = this.silent = 0;
    return found;
  }

  look(seq: number, since = 0): void {
    const { trouble, latest, model, state } = this.visit;
    if (trouble !== (this.troubles.at(-1) ?? '')) this.troubles.push(trouble);
    const isUnsaid = !trouble || state === 'polling';
    const isBehind = (latest?.seq ?? 0) < seq || model.is('sending');
    this.silent = isBehind && isUnsaid ? this.silent + since : 0;
    this.silence = Math.max(this.silence, this.silent);
  }

  count(kind: Happening['kind']): number {
    return this.told.filter((happening) => happening.kind === kind).length;
  }

  /** The person plays the first move that is offered. */
  play(): Promise<void> {
    const [option] = this.visit.model.options.legal;
    if (!option) throw new Error('nothing to play');
    return this.visit.model.picks.play(option);
  }

  /** The window shows the table as it truly is, every event once, and nothing is amiss any more. */
  expectTruth(table: LocalTable, events: readonly TableEvent[]): void {
    const { error, latest, model } = this.visit;
    expect(error).toBeUndefined();
    expect([latest?.seq, latest?.version]).toEqual([table.seq, table.version]);
    expect(model.log.map(({ seq }) => seq)).toEqual(events.flatMap(({ seq, type }) => (type === 'undo' ? [] : seq)));
    expect(model.outcome).toEqual(table.outcome ?? null);
  }
}

/** Let time pass in small steps, after each of which the windows note what they show. */
export async function watch(
  windows: readonly Window[],
  ms: number,
  seq: () => number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (let gone = 0; gone < ms; gone += GLANCE) {
    await vi.advanceTimersByTimeAsync(GLANCE);
    await between();
    for (const window of windows) window.look(seq(), GLANCE);
  }
}

/** A server and its network, new for every test of a file, with the windows that visit its table. */
export class ServerRig {
  engine!: Engine;
  server!: Server;
  network!: Network;
  windows: Window[] = [];

  constructor() {
    beforeAll(async () => {
      this.engine = await Server.load();
    });
    beforeEach(() => {
      vi.useFakeTimers();
      this.start(new Server(this.engine));
    });
    afterEach(() => {
      for (const { visit } of this.windows.splice(0)) visit.close();
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
  }

  start(server: Server): void {
    this.server = server;
    this.network = new Network(server);
  }

  async open(settling = 200): Promise<Window> {
    const window = new Window(new TableVisit(TABLE));
    this.windows.push(window);
    await this.watch(settling);
    window.clear();
    return window;
  }

  watch(ms: number): Promise<void> {
    return watch(this.windows, ms, () => this.server.table.seq);
  }

  expectTruth(): void {
    for (const window of this.windows) window.expectTruth(this.server.table, this.server.events);
  }
}
