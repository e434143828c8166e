/** The coach of one seat: asks before a costly turn is final, and tells afterwards what the captain would have done. */
import { sleep } from '../engine/messages.ts';
import type { Mind } from '../local/engine.ts';
import { moveText, viewText } from '../local/notation.ts';
import type { Option, Update } from '../net/wire.ts';
import { adviceFor, compared, endAfter, MISTAKE, type Advice, type Comparison } from './advice.ts';

/** A move waits for the coach at most so long, in milliseconds; then it is played without a question. */
const PATIENCE = 1500;
/** Positions whose advice is kept. */
const MOST_KEPT = 8;

export interface TurnQuestion extends Comparison {
  /** Play the turn all the same (true), or take it back (false). */
  readonly answer: (isSure: boolean) => void;
}

export class Coach {
  question: TurnQuestion | undefined = $state.raw();
  /** What is told about the last turn. */
  lesson: Comparison | undefined = $state.raw();
  /** The view at the turn's beginning, or after the last card: what was chosen since can be taken back. */
  private start = '';
  private version = 0;
  private readonly kept = new Map<string, Promise<Advice>>();
  /** What was final in the present turn, until it is told. */
  private made: Promise<Comparison | undefined>[] = [];

  constructor(
    private readonly mind: () => Promise<Mind>,
    private readonly patience = PATIENCE,
  ) {}

  /** Look at the table as the seat sees it. The advice is found while the person thinks. */
  see({ version, position, options, undo, events, you }: Update): void {
    if (version !== this.version) this.question?.answer(false);
    this.version = version;
    if (!position) return;
    // One update may hold the turns of all others: then only their moves show that the turn is over.
    const last = events.findLast(({ type }) => type === 'move');
    const isOver = position.turn.seat !== you.seat || (last?.type === 'move' && last.seat !== you.seat);
    if (isOver && this.made.length > 0) void this.tell();
    if (!options) return;
    if (!undo.possible) this.start = viewText(position);
    if (this.start) void this.advice(this.start, you.seat).catch(() => undefined);
  }

  /** Whether a move is played: false where the person, asked by the coach, takes it back. */
  async allows({ position, you: { seat } }: Update, { move }: Option, asks: boolean): Promise<boolean> {
    if (!position || !this.start) return true;
    this.lesson = undefined;
    const comparing = this.compare(viewText(position), moveText(move), seat).catch(() => undefined);
    const found = asks ? await Promise.race([comparing, sleep(this.patience)]) : undefined;
    if (found && found.best - found.mine >= MISTAKE && !(await this.ask(found))) return false;
    this.made.push(comparing);
    return true;
  }

  /** End a question that waits, without playing the turn: the coach goes. */
  leave(): void {
    this.question?.answer(false);
  }

  private ask(found: Comparison): Promise<boolean> {
    return new Promise((done) => {
      const answer = (isSure: boolean): void => {
        this.question = undefined;
        done(isSure);
      };
      this.question = { ...found, answer };
    });
  }

  /** Compare a move that ends the turn, as far as that can be known, with the captain's turn; nothing for other moves. */
  private async compare(view: string, move: string, seat: number): Promise<Comparison | undefined> {
    const mind = await this.mind();
    const end = endAfter(mind.engine, view, move, seat);
    return end === undefined ? undefined : compared(mind, await this.advice(this.start, seat), end, seat);
  }

  private advice(view: string, seat: number): Promise<Advice> {
    const known = this.kept.get(view) ?? this.mind().then((mind) => adviceFor(mind, view, seat));
    this.kept.delete(view);
    this.kept.set(view, known);
    known.catch(() => this.kept.delete(view));
    for (const old of [...this.kept.keys()].slice(0, -MOST_KEPT)) this.kept.delete(old);
    return known;
  }

  /** Tell about the costliest part of the turn that is over. */
  private async tell(): Promise<void> {
    const made = this.made;
    this.made = [];
    const found = (await Promise.all(made)).flatMap((each) => each ?? []);
    this.lesson = found.sort((a, b) => b.best - b.mine - (a.best - a.mine))[0];
  }
}
