/** A question that several workers answer, each its part. */
import { EngineError } from './errors.ts';
import type { Reply } from './messages.ts';
import { joined, type Found } from './result.ts';

export class Task {
  /** All parts, when every worker has answered. */
  readonly replies: Promise<readonly Reply[]>;
  private readonly parts = new Map<number, Reply>();
  private resolve: (replies: readonly Reply[]) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly size: number,
    private readonly progress: (found: Found) => void = () => undefined,
  ) {
    this.replies = new Promise((resolve, reject) => {
      [this.resolve, this.reject] = [resolve, reject];
    });
  }

  /** Take the answer of a worker, or how far it has come. */
  put(worker: number, reply: Reply): void {
    this.parts.set(worker, reply);
    const parts = [...this.parts.values()];
    if (reply.kind === 'error') this.fail(reply.message);
    else if (reply.kind === 'progress') {
      const [first, ...others] = parts.flatMap((part) => ('found' in part ? [part.found] : []));
      if (first) this.progress(joined([first, ...others]));
    } else if (parts.length === this.size && parts.every(({ kind }) => kind !== 'progress')) this.resolve(parts);
  }

  fail(message: string): void {
    this.reject(new EngineError(message));
  }
}
