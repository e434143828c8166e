/** The worker's side of `go`, without the worker: it searches in slices and hears `stop` between them. */
import { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import { atOnce } from './levels.ts';
import type { Reply, Request } from './messages.ts';
import { Search } from './search.ts';

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;
type Content = Of<'network'>['content'];

/** One decision; its search is kept until it is forgotten, because the page may ask what it knows. */
interface Decision {
  stopped: boolean;
  search?: Search;
}

export function thinker(tell: (reply: Reply) => void): (request: Request) => Promise<void> {
  let loaded: Of<'load'> | undefined;
  const decisions = new Map<number, Decision>();
  const networks = new Map<string, Content>();
  const awaited = new Map<string, ((content: Content) => void)[]>();

  /** The content of a network's file, for which the page is asked once. */
  async function network(id: number, file: string): Promise<Uint8Array<ArrayBuffer>> {
    let content = networks.get(file);
    content ??= await new Promise<Content>((resolve) => {
      awaited.set(file, [...(awaited.get(file) ?? []), resolve]);
      tell({ kind: 'need', id, file });
    });
    if (typeof content === 'string') throw new EngineError(content);
    return content;
  }

  async function go({ id, position, level, limits, trees, past }: Of<'go'>): Promise<void> {
    if (!loaded) throw new EngineError('The engine is not loaded.');
    const decision: Decision = { stopped: false };
    decisions.set(id, decision);
    // A new instance for every decision: its memory goes back to the browser as a whole.
    const engine = await Engine.load(loaded.code, loaded.data);
    const parsed = engine.parse(position);
    const missing = engine.networks.missing(parsed, level);
    if (missing) await engine.networks.add(missing.file, await network(id, missing.file));
    const result = atOnce(engine, parsed, level, limits, past);
    if (result) {
      tell({ kind: 'result', id, result });
      return;
    }
    const search = (decision.search = Search.from(engine, parsed, level, limits, trees));
    search.step(); // there must be an answer
    for await (const _ of search.slices(() => !decision.stopped)) tell({ kind: 'progress', id, found: search.found() });
    tell({ kind: 'found', id, found: search.found() });
  }

  function end({ kind, id }: Of<'stop' | 'forget'>): void {
    const decision = decisions.get(id);
    if (decision) decision.stopped = true;
    if (kind === 'forget') decisions.delete(id);
  }

  function take({ file, content }: Of<'network'>): void {
    if (typeof content !== 'string') networks.set(file, content);
    for (const resolve of awaited.get(file) ?? []) resolve(content);
    awaited.delete(file);
  }

  function look({ id, moves }: Of<'after'>): void {
    const search = decisions.get(id)?.search;
    if (!search) throw new EngineError('The search is forgotten.');
    tell({ kind: 'after', id, after: search.after(moves) });
  }

  async function hear(request: Request): Promise<void> {
    if (request.kind === 'load') loaded = request;
    else if (request.kind === 'go') await go(request);
    else if (request.kind === 'variants') Object.assign(loaded?.data.editions ?? {}, request.editions);
    else if (request.kind === 'network') take(request);
    else if (request.kind === 'after') look(request);
    else end(request);
  }

  return async (request) => {
    try {
      await hear(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if ('id' in request) tell({ kind: 'error', id: request.id, message });
    }
  };
}
