/** A browser without a server: its store, its workers and its windows, each of which can fail as a table in the browser must outlive. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, vi } from 'vitest';
import type { WorkerLike } from '../src/engine/index.ts';
import type { StoredTable } from '../src/local/events.ts';
import type { LocalTable } from '../src/local/table.ts';
import type { TableEvent } from '../src/net/wire.ts';
import { fetchFile, worker } from './engine.ts';
import { Page } from './page.ts';
import { watch, Window } from './visiting.ts';

/** Time stands still for the page alone: the store and the messages between windows go on. */
const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;
/** How often the event loop goes round before a window is looked at again. */
const ROUNDS = 12;

const ALONE = [
  { kind: 'here', name: 'Ann' },
  { kind: 'computer', level: 'deckhand' },
];

const round = (): Promise<void> => new Promise((done) => setImmediate(done));

export class Device {
  page!: Page;
  windows: Window[] = [];
  table = '';
  /** The windows do not hear one another. */
  isDeaf = false;
  /** How many questions to a worker break it. */
  breaking = 0;
  private channels = new Set<EventTarget>();
  private thinking: Promise<void> = Promise.resolve();

  constructor() {
    beforeEach(() => this.start());
    afterEach(() => {
      for (const { visit } of this.windows.splice(0)) visit.close();
      vi.useRealTimers();
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
    });
  }

  private start(): void {
    vi.useFakeTimers({ toFake: [...FAKED] });
    this.page = new Page();
    [this.isDeaf, this.breaking, this.thinking, this.channels] = [false, 0, Promise.resolve(), new Set()];
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const device = this;
    class Channel extends EventTarget {
      constructor() {
        super();
        device.channels.add(this);
      }

      postMessage(data: unknown): void {
        const text = structuredClone(data);
        const others = [...device.channels].filter((other) => other !== this && !device.isDeaf);
        setImmediate(() => others.forEach((other) => other.dispatchEvent(new MessageEvent('message', { data: text }))));
      }
    }
    vi.stubGlobal('indexedDB', new IDBFactory());
    vi.stubGlobal('BroadcastChannel', Channel);
    vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
    vi.stubGlobal('Worker', function () {
      return device.worker();
    });
    vi.stubGlobal('fetch', fetchFile);
  }

  private worker(): WorkerLike {
    const made = worker();
    const { postMessage } = made;
    made.postMessage = (request) => {
      if (request.kind === 'load') return postMessage(request);
      void this.thinking.then(() => (this.breaking-- > 0 ? made.onerror?.({} as never) : postMessage(request)));
    };
    return made;
  }

  /** Let the computer think until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.thinking = new Promise((done) => (release = done));
    return release;
  }

  /** Set up a table, by default for Ann and a computer, and open it. */
  async begin(seats: readonly object[] = ALONE): Promise<Window> {
    vi.resetModules();
    const { createTable } = await import('../src/local/tables.ts');
    this.table = await createTable({ rules: 'jamaica-en', seats, lots: false } as Parameters<typeof createTable>[0]);
    return this.open();
  }

  /** Open the table in a window: with modules of its own, so that it shares nothing with the others but the store. */
  async open(): Promise<Window> {
    vi.resetModules();
    const { TableVisit } = await import('../src/table/visit.svelte.ts');
    const window = new Window(new TableVisit(this.table));
    this.windows.push(window);
    while (!window.visit.latest && !window.visit.error) await this.watch(50);
    await this.watch(1000);
    window.clear();
    return window;
  }

  watch(ms: number): Promise<void> {
    return watch(
      this.windows,
      ms,
      () => 0,
      async () => {
        for (let rounds = 0; rounds < ROUNDS; rounds++) await round();
      },
    );
  }

  /** Wait until something holds. */
  async until(what: () => boolean, most = 400): Promise<void> {
    for (let looks = 0; !what(); looks++) {
      if (looks > most) throw new Error('it does not come about');
      await this.watch(250);
    }
  }

  /** The table as it is stored, and what is told of it. */
  async truth(): Promise<{ table: LocalTable; events: readonly TableEvent[] }> {
    const [{ findTable }, { replayed }, { updateOf }] = await Promise.all([
      import('../src/local/store.ts'),
      import('../src/local/open.ts'),
      import('../src/local/updates.ts'),
    ]);
    const stored: StoredTable = await findTable(this.table);
    const table = await replayed(stored);
    return { table, events: updateOf(table, { after: 0, thinking: 0 }).events };
  }

  /** Every window shows what is stored. */
  async expectTruth(): Promise<void> {
    const { table, events } = await this.truth();
    for (const window of this.windows) window.expectTruth(table, events);
  }
}
