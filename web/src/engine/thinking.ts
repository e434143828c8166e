/** The worker's side of `go`, without the worker: it searches in slices and hears `stop` between them. */
import { Engine } from './engine.ts';
import type { Reply, Request } from './messages.ts';

const SLICE = 20;
const PROGRESS = 250;

/** Wait until messages that have arrived are handled. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export function thinker(tell: (reply: Reply) => void): (request: Request) => Promise<void> {
  let loaded: { code: WebAssembly.Module; data: Parameters<typeof Engine.load>[1] } | undefined;
  const stopped = new Set<number>();

  async function go(request: Extract<Request, { kind: 'go' }>): Promise<void> {
    if (!loaded) throw new Error('the engine is not loaded');
    // A new instance for every search: its memory goes back to the browser as a whole.
    const engine = await Engine.load(loaded.code, loaded.data);
    const search = engine.search(engine.parse(request.position), request.level, request.limits);
    let [slice, told] = [performance.now(), performance.now()];
    while (search.step() && !stopped.has(request.id)) {
      if (performance.now() - slice < SLICE) continue;
      if (performance.now() - told >= PROGRESS) {
        tell({ kind: 'progress', id: request.id, result: search.result() });
        told = performance.now();
      }
      await pause();
      slice = performance.now();
    }
    tell({ kind: 'result', id: request.id, result: search.result() });
  }

  return async (request) => {
    if (request.kind === 'load') loaded = request;
    else if (request.kind === 'stop') stopped.add(request.id);
    else {
      try {
        await go(request);
      } catch (error) {
        tell({ kind: 'error', id: request.id, message: error instanceof Error ? error.message : String(error) });
      } finally {
        stopped.delete(request.id);
      }
    }
  };
}
