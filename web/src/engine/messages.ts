/** What a page and its workers tell each other, and waiting for it. */
import type { Edition, EngineData } from './data.ts';
import type { Found, Limits, Past, Result } from './result.ts';
import type { After } from './root.ts';

/** Wait so many milliseconds, or with none until messages that have come are handled. */
export const sleep = (ms = 0): Promise<undefined> => new Promise((done) => setTimeout(done, ms));

/** A function that makes each thing once, and again after a failure. */
export function madeOnce<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    made.set(name, found);
    found.catch(() => made.delete(name));
    return found;
  };
}

export interface Question {
  readonly position: string;
  readonly level: string;
  readonly limits: Limits;
  /** The numbers of the trees that this worker searches. */
  readonly trees: readonly number[];
  readonly past: Past;
}

/** What a worker needs before it can answer. */
export type Load =
  | { readonly kind: 'load'; readonly code: WebAssembly.Module; readonly data: EngineData }
  | { readonly kind: 'variants'; readonly editions: Readonly<Record<string, Edition>> };

export type Request =
  | Load
  | ({ readonly kind: 'go'; readonly id: number } & Question)
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'forget'; readonly id: number }
  | { readonly kind: 'after'; readonly id: number; readonly moves: readonly string[] }
  | { readonly kind: 'network'; readonly file: string; readonly content: Uint8Array<ArrayBuffer> | string };

export type Reply =
  | { readonly kind: 'progress' | 'found'; readonly id: number; readonly found: Found }
  | { readonly kind: 'result'; readonly id: number; readonly result: Result }
  | { readonly kind: 'after'; readonly id: number; readonly after: After }
  | { readonly kind: 'need'; readonly id: number; readonly file: string }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };
