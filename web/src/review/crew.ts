/** The workers of a review: decisions are shared among them, in the order of the record. */
import { EngineError, type EngineData } from '../engine/index.ts';
import { newVariants } from '../engine/rulesets.ts';
import type { Choice, Effort } from './judge.ts';
import type { StudyAnswer, Live, Network, StudyWorker, StudyTask } from './tasks.ts';
import type { Decision, Split } from './types.ts';

const DEAD = 'The engine could not be started; load the page again.';

type Sent = Exclude<StudyTask, { kind: 'load' | 'network' | 'variants' | 'stop' }>;
type Question = Sent extends infer Each ? (Each extends Sent ? Omit<Each, 'id'> : never) : never;

/** Hears the answers to a question, or why there is none. */
interface Asker {
  readonly heard: (answer: StudyAnswer) => void;
  readonly failed: (error: Error) => void;
}

/** One worker and the questions that it has not answered. */
class Hand {
  private readonly waiting = new Map<number, Asker>();
  private last = 0;
  /** Why the worker answers nothing any more. */
  private problem: string | undefined;
  private readonly variants: ReturnType<typeof newVariants>;

  constructor(
    private readonly worker: StudyWorker,
    code: WebAssembly.Module,
    data: EngineData,
  ) {
    this.variants = newVariants(data);
    worker.onmessage = ({ data: answer }) => this.hear(answer);
    worker.onerror = () => this.close(DEAD);
    worker.postMessage({ kind: 'load', code, data });
  }

  get isBroken(): boolean {
    return this.problem !== undefined;
  }

  ask(question: Question): Promise<StudyAnswer> {
    return new Promise((heard, failed) => this.send(question, { heard, failed }));
  }

  /** Hear every answer to a question until another one is asked. */
  protected follow(question: Question, asker: Asker): void {
    this.waiting.clear();
    this.send(question, asker);
  }

  private send(question: Question, asker: Asker): void {
    if (this.problem !== undefined) return asker.failed(new EngineError(this.problem));
    const id = ++this.last;
    this.waiting.set(id, asker);
    const editions = this.variants();
    if (editions) this.worker.postMessage({ kind: 'variants', editions });
    this.worker.postMessage({ ...question, id } as StudyTask);
  }

  /** Give the worker a network, so that the strongest level judges. */
  bring(network: Network): void {
    this.worker.postMessage({ kind: 'network', ...network });
  }

  stop(): void {
    this.waiting.clear();
    this.worker.postMessage({ kind: 'stop' });
  }

  /** End the worker; what is asked is refused, and what will be too. */
  close(why = 'The review was closed.'): void {
    this.problem ??= why;
    this.worker.terminate();
    for (const { failed } of this.waiting.values()) failed(new EngineError(this.problem));
    this.waiting.clear();
  }

  private hear(answer: StudyAnswer): void {
    const asked = this.waiting.get(answer.id);
    if (answer.kind !== 'live') this.waiting.delete(answer.id);
    if (answer.kind === 'error') asked?.failed(new EngineError(answer.message));
    else asked?.heard(answer);
  }
}

export class ReviewCrew {
  private readonly hands: readonly Hand[];
  private closed = false;

  constructor(workers: readonly StudyWorker[], code: WebAssembly.Module, data: EngineData) {
    this.hands = workers.map((worker) => new Hand(worker, code, data));
  }

  /** Give all workers a network. */
  bring(network: Network): void {
    for (const hand of this.hands) hand.bring(network);
  }

  /** Split a record into luck and decisions, by all cards (seat 0) or by what a seat could know. */
  async split(record: string, seat = 0): Promise<Split> {
    const hand = this.hands.find(({ isBroken }) => !isBroken) ?? this.hands[0];
    const answer = await hand?.ask({ kind: 'split', record, seat });
    if (answer?.kind !== 'split') throw new EngineError(DEAD);
    return answer.split;
  }

  /** Judge choices; each decision is told as soon as it is known. */
  async judge(choices: readonly Choice[], effort: Effort, told: (decision: Decision) => void): Promise<void> {
    const waiting = [...choices];
    const work = async (hand: Hand): Promise<void> => {
      for (let next = waiting.shift(); next && !this.closed; next = waiting.shift()) {
        const answer = await hand.ask({ kind: 'judge', ...next, ...effort }).catch((error: unknown) => {
          if (this.closed || !hand.isBroken || this.hands.every(({ isBroken }) => isBroken)) throw error;
          return undefined;
        });
        if (!answer) return void waiting.unshift(next); // for the workers that are left
        if (answer.kind === 'decision' && !this.closed) told(answer.decision);
      }
    };
    // A worker that is done looks again: another one may have broken and left its choice.
    do await Promise.all(this.hands.filter(({ isBroken }) => !isBroken).map(work));
    while (waiting.length > 0 && !this.closed && this.hands.some(({ isBroken }) => !isBroken));
    if (waiting.length > 0 && !this.closed) throw new EngineError(DEAD);
  }

  close(): void {
    this.closed = true;
    for (const hand of this.hands) hand.close();
  }
}

/** Evaluates the position that is shown, in a worker of its own. Another position replaces the one before. */
export class LiveEvaluator extends Hand {
  /** Evaluate a position from the knowledge of a seat, or with all cards known (seat 0). */
  show(
    position: string,
    seat: number,
    nodes: number,
    told: (live: Live) => void,
    failed: (error: Error) => void = () => undefined,
  ): void {
    const heard = (answer: StudyAnswer): void => {
      if (answer.kind === 'live') told(answer.live);
    };
    this.follow({ kind: 'live', position, seat, nodes }, { heard, failed });
  }
}
