/** What a page and its workers tell each other. */
import type { EngineData } from './data.ts';
import type { Past } from './levels.ts';
import type { Found, Limits, Result } from './result.ts';
import type { After } from './search.ts';

export interface Question {
  readonly position: string;
  readonly level: string;
  readonly limits: Limits;
  /** The numbers of the trees that this worker searches. */
  readonly trees: readonly number[];
  readonly past: Past;
}

export type Request =
  | { readonly kind: 'load'; readonly code: WebAssembly.Module; readonly data: EngineData }
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
