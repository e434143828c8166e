/** `go` in Web Workers, with stop, limits and progress. The page stays free meanwhile. */
import { named, type EngineData } from './data.ts';
import { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import { bestTurns } from './lines.ts';
import { Memories, type GameMemory } from './memory.ts';
import type { Reply, Request } from './messages.ts';
import { joined, NO_PAST, resultOf, type Found, type Limits, type Past, type Result } from './result.ts';
import type { After } from './root.ts';
import { newVariants } from './rulesets.ts';
import { Task } from './task.ts';

/** What is needed of a `Worker`. */
export interface WorkerLike<Asked = Request, Told = Reply> {
  postMessage(request: Asked): void;
  terminate(): void;
  onmessage: ((event: { data: Told }) => void) | null;
  onerror?: ((event: never) => void) | null;
}

export interface Going {
  readonly result: Promise<Result>;
  /** End the search; `result` is then what it has found. */
  stop(): void;
}

export interface PlayerOptions {
  /** Get the content of a network's file, which the strongest level needs; by default it is fetched beside the page. */
  readonly network?: (file: string) => Promise<ArrayBuffer>;
}

type Crew = readonly WorkerLike[];

async function fetched(file: string): Promise<ArrayBuffer> {
  const response = await fetch(file);
  if (!response.ok) throw new EngineError(`${file} cannot be loaded.`);
  return response.arrayBuffer();
}

export class EnginePlayer {
  private readonly workers: Crew;
  private readonly tasks = new Map<number, Task>();
  /** What levels remember of their games, once one is played. */
  private memories: Promise<Memories> | undefined;
  private readonly network: (file: string) => Promise<ArrayBuffer>;
  private readonly files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  private last = 0;
  /** Why nothing can be asked any more. */
  private problem: string | undefined;
  private readonly variants: ReturnType<typeof newVariants>;

  /** With several workers the trees of a search are shared among them; the result is the same. */
  constructor(
    workers: WorkerLike | Crew,
    private readonly code: WebAssembly.Module,
    private readonly data: EngineData,
    options: PlayerOptions = {},
  ) {
    this.workers = 'postMessage' in workers ? [workers] : workers;
    this.network = options.network ?? fetched;
    this.variants = newVariants(data);
    this.workers.forEach((worker, number) => {
      worker.onmessage = ({ data: reply }) => {
        this.hear(number, reply);
      };
      worker.onerror = () => {
        this.end('The engine could not be started; load the page again.');
      };
      worker.postMessage({ kind: 'load', code, data });
    });
  }

  /** True after an error in a worker, or when the engine was closed: every question is refused. */
  get isBroken(): boolean {
    return this.problem !== undefined;
  }

  /** Let a level choose from the view of the seat that must choose; it knows nothing else of the position. */
  go(
    position: string,
    level: string,
    limits: Limits = {},
    progress: (result: Result) => void = () => undefined,
  ): Going {
    const id = ++this.last;
    const { game, ...rest } = limits;
    const trees = named(this.data.styles, level)?.trees ?? 0;
    const crew = this.workers.slice(0, Math.max(1, trees));
    const remembered = game === undefined ? undefined : this.memoryOf(`${level} ${limits.seed ?? 0} ${game}`);
    const asked = (past: Past): Promise<readonly Reply[]> =>
      this.ask(
        id,
        crew,
        (worker) => ({ kind: 'go', id, position, level, limits: rest, past, trees: sharedTrees(trees, crew, worker) }),
        (part) => progress(resultOf(part)),
      );
    const found = remembered ? remembered.then((memory) => asked(memory.past(position))) : asked(NO_PAST);
    const result = this.answer(id, crew, found, limits)
      .then(async (answer) => this.played(position, level, answer, await remembered))
      .finally(() => this.tell(crew, { kind: 'forget', id }));
    return {
      result,
      // What is to be stopped may still wait for its memory.
      stop: () => void (remembered ?? Promise.resolve()).then(() => this.tell(crew, { kind: 'stop', id })),
    };
  }

  private async memoryOf(game: string): Promise<GameMemory> {
    this.memories ??= Engine.load(this.code, this.data).then((engine) => new Memories(engine));
    return (await this.memories).of(game);
  }

  /** End the workers and every search in them. */
  close(): void {
    this.end('The engine was closed.');
  }

  /** Send each worker its part of a question. */
  private ask(
    id: number,
    crew: Crew,
    part: (worker: number) => Request,
    progress?: (found: Found) => void,
  ): Promise<readonly Reply[]> {
    if (this.problem !== undefined) return Promise.reject(new EngineError(this.problem));
    const editions = this.variants();
    if (editions) this.tell(this.workers, { kind: 'variants', editions });
    const task = new Task(crew.length, progress);
    this.tasks.set(id, task);
    crew.forEach((worker, number) => {
      worker.postMessage(part(number));
    });
    return task.replies.finally(() => this.tasks.delete(id));
  }

  private async answer(
    id: number,
    crew: Crew,
    asked: Promise<readonly Reply[]>,
    { turns = 0 }: Limits,
  ): Promise<[Result, Found?]> {
    const replies = await asked;
    const [whole] = replies.flatMap((reply) => (reply.kind === 'result' ? [reply.result] : []));
    if (whole) return [whole];
    const [first, ...others] = replies.flatMap((reply) => ('found' in reply ? [reply.found] : []));
    if (!first) throw new EngineError('The engine has not answered.');
    const found = joined([first, ...others]);
    const lines = turns > 0 ? await bestTurns(found, turns, this.data, (moves) => this.after(id, crew, moves)) : [];
    return [{ ...resultOf(found), turns: lines }, found];
  }

  private async after(id: number, crew: Crew, moves: readonly string[]): Promise<After> {
    const replies = await this.ask(id, crew, () => ({ kind: 'after', id, moves }));
    const afters = replies.flatMap((reply) => (reply.kind === 'after' ? [reply.after] : []));
    const trees = afters.flatMap((after) => after.trees ?? []).sort((a, b) => a.number - b.number);
    return { end: afters[0]?.end ?? '', trees: trees.length ? trees : undefined };
  }

  /** The answer with the move that the level plays in its game, which it remembers. */
  private played(
    position: string,
    level: string,
    [result, found]: [Result, Found?],
    memory: GameMemory | undefined,
  ): Result {
    if (!memory) return result;
    const move = memory.chosen(
      position,
      level,
      result.moves.map((each) => each.move),
    );
    return { ...result, move, why: found?.why[move] ?? result.why };
  }

  private tell(crew: Crew, request: Request): void {
    for (const worker of crew) worker.postMessage(request);
  }

  /** Refuse what is asked and what will be. A part of an answer is none, so all workers end with the first. */
  private end(message: string): void {
    this.problem ??= message;
    for (const worker of this.workers) worker.terminate();
    for (const task of this.tasks.values()) task.fail(this.problem);
  }

  private hear(number: number, reply: Reply): void {
    if (reply.kind === 'need') void this.bring(number, reply.file);
    else this.tasks.get(reply.id)?.put(number, reply);
  }

  /** Hand a network's file to a worker; it is loaded once for all of them, and again after a failure. */
  private async bring(number: number, file: string): Promise<void> {
    const loading = this.files.get(file) ?? this.network(file).then((content) => new Uint8Array(content));
    this.files.set(file, loading);
    const content = await loading.catch(() => {
      this.files.delete(file);
      return `The network ${file} cannot be loaded; choose another level, or try again.`;
    });
    this.workers[number]?.postMessage({ kind: 'network', file, content });
  }
}

/** The numbers of the trees that one worker searches. */
function sharedTrees(trees: number, crew: Crew, worker: number): number[] {
  return Array.from({ length: trees }, (_, tree) => tree).filter((tree) => tree % crew.length === worker);
}
