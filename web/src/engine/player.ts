/** `go` in a Web Worker, with stop, limits and progress. The page stays free meanwhile. */
import type { EngineData } from './data.ts';
import { EngineError } from './errors.ts';
import type { Reply, Request } from './messages.ts';
import type { Limits, Result } from './search.ts';

/** What is needed of a `Worker`. */
export interface WorkerLike {
  postMessage(request: Request): void;
  terminate(): void;
  onmessage: ((event: { data: Reply }) => void) | null;
}

export interface Going {
  readonly result: Promise<Result>;
  /** End the search; `result` is then what it has found. */
  stop(): void;
}

interface Waiting {
  resolve(result: Result): void;
  reject(error: Error): void;
  progress(result: Result): void;
}

export class EnginePlayer {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(
    private readonly worker: WorkerLike,
    code: WebAssembly.Module,
    data: EngineData,
  ) {
    worker.onmessage = (event) => {
      this.hear(event.data);
    };
    worker.postMessage({ kind: 'load', code, data });
  }

  /** Search from the view of the seat that must choose; the search knows nothing else of the position. */
  go(position: string, level: string, limits: Limits = {}, progress: (result: Result) => void = () => undefined): Going {
    const id = ++this.last;
    const result = new Promise<Result>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress });
    });
    this.worker.postMessage({ kind: 'go', id, position, level, limits });
    return {
      result,
      stop: () => {
        this.worker.postMessage({ kind: 'stop', id });
      },
    };
  }

  /** End the worker and every search in it. */
  close(): void {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new EngineError('The engine was closed.'));
    this.waiting.clear();
  }

  private hear(reply: Reply): void {
    const found = this.waiting.get(reply.id);
    if (!found) return;
    if (reply.kind === 'progress') {
      found.progress(reply.result);
      return;
    }
    this.waiting.delete(reply.id);
    if (reply.kind === 'error') found.reject(new EngineError(reply.message));
    else found.resolve(reply.result);
  }
}
