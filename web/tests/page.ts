/** A page without pixels: what it listens to and what the browser keeps for it. */
import { vi } from 'vitest';

export class Page {
  visibilityState: 'visible' | 'hidden' = 'visible';
  private readonly heard = new Map<string, Set<() => void>>();
  private readonly kept = new Map<string, string>();

  constructor() {
    const addEventListener = (name: string, work: () => void): void =>
      void this.heard.set(name, (this.heard.get(name) ?? new Set()).add(work));
    const removeEventListener = (name: string, work: () => void): void => void this.heard.get(name)?.delete(work);
    const listening = { addEventListener, removeEventListener };
    const document = { baseURI: 'http://table.test/', title: 'Cartagena', documentElement: {}, ...listening };
    Object.defineProperty(document, 'visibilityState', { get: () => this.visibilityState });
    const globals = { document, window: {}, ...listening, localStorage: this.storage };
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    this.keep('cartagena.settings', { pace: 'fast' });
  }

  /** How many characters were read from the storage and written to it. */
  carried = 0;

  private get storage() {
    const { kept } = this;
    const count = (text: string): string => {
      this.carried += text.length;
      return text;
    };
    return {
      getItem: (key: string) => (kept.has(key) ? count(kept.get(key) ?? '') : null),
      setItem: (key: string, text: string) => kept.set(key, count(text)),
      removeItem: (key: string) => kept.delete(key),
      key: (at: number) => count([...kept.keys()][at] ?? ''),
      get length() {
        return kept.size;
      },
    };
  }

  /** How many listeners the page has. */
  get listening(): number {
    return [...this.heard.values()].reduce((sum, { size }) => sum + size, 0);
  }

  keep(key: string, value: unknown): void {
    this.kept.set(key, JSON.stringify(value));
  }

  /** An event of the page: `online`, `visibilitychange` … */
  event(name: string): void {
    for (const work of [...(this.heard.get(name) ?? [])]) work();
  }

  look(state: 'visible' | 'hidden'): void {
    this.visibilityState = state;
    this.event('visibilitychange');
  }
}
