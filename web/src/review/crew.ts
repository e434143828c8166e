/** The workers of a review: decisions are shared among them, in the order of the record. */
import { EngineError, type EngineData } from '../engine/index.ts';
import { newVariants } from '../engine/rulesets.ts';
import type { Choice, Effort } from './judge.ts';
import type { StudyAnswer, Live, Network, StudyWorker, StudyTask } from './tasks.ts';
import type { Decision, Split } from './types.ts';

const DEAD = 'The engine could not be started; load the page again.';

type Sent = Exclude<StudyTask, { kind: 'load' | 'network' | 'variants' | 'stop' }>;
type Question = Sent extends infer Each ? (Each extends Sent ? Omit<Each, 'id'> : never) : never;

/** One worker and the questions that it has not answered. */
class Hand {
  private readonly waiting = new Map<
    number,
    { heard: (answer: StudyAnswer) => void; failed: (error: Error) => void }
  >();

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
    worker.onerror = () => this.end(DEAD);
    worker.postMessage({ kind: 'load', code, data });
  }

  get isBroken(): boolean {
    return this.problem !== undefined;
  }

  ask(id: number, question: Question): Promise<StudyAnswer> {
    return new Promise((heard, failed) => {
      this.send(id, question, heard, failed);
    });
  }

  /** Hear every answer to a question until another one is asked. */
  follow(id: number, question: Question, heard: (answer: StudyAnswer) => void, failed: (error: Error) => void): void {
    this.waiting.clear();
    this.send(id, question, heard, failed);
  }

  private send(
    id: number,
    question: Question,
    heard: (answer: StudyAnswer) => void,
    failed: (error: Error) => void,
  ): void {
    if (this.problem !== undefined) return failed(new EngineError(this.problem));
    this.waiting.set(id, { heard, failed });
    const editions = this.variants();
    if (editions) this.worker.postMessage({ kind: 'variants', editions });
    this.worker.postMessage({ ...question, id } as StudyTask);
  }

  bring(network: Network): void {
    this.worker.postMessage({ kind: 'network', ...network });
  }

  stop(): void {
    this.waiting.clear();
    this.worker.postMessage({ kind: 'stop' });
  }

  /** End the worker; what is asked is refused, and what will be too. */
  end(why = 'The review was closed.'): void {
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
  private last = 0;
  private closed = false;

  constructor(workers: readonly StudyWorker[], code: WebAssembly.Module, data: EngineData) {
    this.hands = workers.map((worker) => new Hand(worker, code, data));
  }

  /** Give all workers a network, so that the strongest level judges. */
  bring(network: Network): void {
    for (const hand of this.hands) hand.bring(network);
  }

  /** Split a record into luck and decisions, by all cards (seat 0) or by what a seat could know. */
  async split(record: string, seat = 0): Promise<Split> {
    const hand = this.hands.find(({ isBroken }) => !isBroken) ?? this.hands[0];
    const answer = await hand?.ask(++this.last, { kind: 'split', record, seat });
    if (answer?.kind !== 'split') throw new EngineError(DEAD);
    return answer.split;
  }

  /** Judge choices; each decision is told as soon as it is known. */
  async judge(choices: readonly Choice[], effort: Effort, told: (decision: Decision) => void): Promise<void> {
    const waiting = [...choices];
    const work = async (hand: Hand): Promise<void> => {
      for (let next = waiting.shift(); next && !this.closed; next = waiting.shift()) {
        const answer = await hand.ask(++this.last, { kind: 'judge', ...next, ...effort }).catch((error: unknown) => {
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
    for (const hand of this.hands) hand.end();
  }
}

/** Evaluates the position that is shown, in a worker of its own. Another position replaces the one before. */
export class LiveEvaluator {
  private readonly hand: Hand;
  private last = 0;

  constructor(worker: StudyWorker, code: WebAssembly.Module, data: EngineData) {
    this.hand = new Hand(worker, code, data);
  }

  /** Give the worker a network, so that the strongest level searches. */
  bring(network: Network): void {
    this.hand.bring(network);
  }

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
    this.hand.follow(++this.last, { kind: 'live', position, seat, nodes }, heard, failed);
  }

  /** True after an error in the worker: nothing is evaluated any more. */
  get isBroken(): boolean {
    return this.hand.isBroken;
  }

  stop(): void {
    this.hand.stop();
  }

  close(): void {
    this.hand.end();
  }
}
