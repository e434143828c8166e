/** What a page and its worker tell each other. */
import type { EngineData } from './data.ts';
import type { Limits, Result } from './search.ts';

export type Request =
  | { readonly kind: 'load'; readonly code: WebAssembly.Module; readonly data: EngineData }
  | { readonly kind: 'go'; readonly id: number; readonly position: string; readonly level: string; readonly limits: Limits }
  | { readonly kind: 'stop'; readonly id: number };

export type Reply =
  | { readonly kind: 'progress' | 'result'; readonly id: number; readonly result: Result }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };
