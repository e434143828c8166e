/** A review on the page: what is shown, what is known so far, and what was tried. */
import type { Trail } from '../board/marks.ts';
import { positionOf, type Position } from '../game/position.ts';
import { EngineError, IllegalMove, NotationError, type Engine } from '../engine/index.ts';
import { loaded } from '../local/engine.ts';
import { Facts } from '../local/facts.ts';
import { readRecord } from '../local/study.ts';
import { api, Refused } from '../net/api.ts';
import { Replay } from './replay.svelte.ts';
import { luckFor, networkFor, reviewCrew } from './engine.ts';
import type { ReviewCrew } from './crew.ts';
import type { ChanceCourse, Swing } from './graph.ts';
import { summary } from './luck.ts';
import type { Comment } from './recordlines.ts';
import { crc32, ranked } from './judge.ts';
import { LivePosition } from './live.svelte.ts';
import { NoMoves, ReviewedRecord } from './record.ts';
import { Steps } from './steps.ts';
import type { Decision, SeatReview, Split, Values } from './types.ts';
import { Variation } from './variation.svelte.ts';
import { waysOf, type Way } from './ways.ts';

/** Nodes for each decision, as in `cartagena review`. */
export const NODES = 3000;
/** Changes of win chance that the graph marks. */
const COSTLY = 0.08;
const LUCKY = 0.06;
/** Decisions that are worth another look. */
const WRONG: readonly Decision['kind'][] = ['mistake', 'blunder'];

export class ReviewModel {
  readonly replay = new Replay();
  /** It searches as the judge does, so that the same view has the same numbers. */
  readonly live = new LivePosition(NODES);
  /** The seat whose knowledge is shown; 0 shows all cards. */
  seat = $state(0);
  /** The splits by what single seats could know, of those that were asked for. */
  private views: ReadonlyMap<number, Split> = $state.raw(new Map());
  decisions: ReadonlyMap<number, Decision> = $state.raw(new Map());
  parts: Split | undefined = $state.raw();
  comments: readonly Comment[] = $state.raw([]);
  private variation: Variation | undefined = $state.raw();
  /** Why the game cannot be judged here, as a code; empty while all is well. */
  failed = $state('');
  /** Whether the value that measures luck could not be fetched; decisions are judged without it. */
  lacksLuck = $state(false);
  /** The record with its comments; undefined where the server reviews the game. */
  record: ReviewedRecord | undefined = $state.raw();
  private steps: Steps = $state.raw(new Steps());
  /** The level that judges. */
  judgedBy = $state('');
  private engine: Engine | undefined;
  private crew: ReviewCrew | undefined;

  /**
   * Read a record and begin to judge it. Raises Refused; then what was open before goes on, as it does where the record is no
   * longer wanted by the time it was read.
   */
  async open(text: string, { nodes = NODES, isWanted = (): boolean => true } = {}): Promise<void> {
    const shown = await readRecord(text);
    const engine = (await loaded().catch(() => undefined))?.engine;
    if (!isWanted()) return;
    const record = engine && finished(engine, text);
    const served = record ? undefined : await api.reviewRecord(text);
    if (!isWanted()) return;
    this.stop();
    this.engine = engine;
    [this.parts, this.line, this.failed, this.seat] = [undefined, undefined, '', 0];
    this.lacksLuck = false;
    this.decisions = new Map();
    this.views = new Map();
    this.record = record;
    this.comments = record?.comments() ?? [];
    if (record)
      this.steps = new Steps(
        record.choices.map(({ number }) => number),
        record.record.moves.length,
      );
    if (served) this.take(served);
    this.replay.open(text, shown);
    if (record) void this.judge(record, nodes);
  }

  /** Show the review of the server, for a browser that cannot run the engine. */
  private take({ decisions, seats, draws, shares, course }: Awaited<ReturnType<typeof api.reviewRecord>>): void {
    this.decisions = new Map(decisions.map((decision) => [decision.number, decision]));
    this.steps = new Steps([...this.decisions.keys()], course.length - 1);
    this.parts = { seats, draws, choices: shares, course };
  }

  /** Whether this browser has the engine: without it there is no live evaluation, and no view of a seat. */
  get hasEngine(): boolean {
    return this.record !== undefined;
  }

  private async judge(record: ReviewedRecord, nodes: number): Promise<void> {
    const opening = this.replay.textAt(0);
    const [network, luck] = await Promise.all([networkFor(opening), luckFor(opening)]);
    if (this.record !== record) return;
    const crew = await reviewCrew([network, luck]);
    if (this.record !== record) {
      crew.close();
      return;
    }
    this.crew = crew;
    this.judgedBy = network ? 'admiral' : 'captain';
    try {
      if (luck) this.parts = await crew.split(record.record.toString());
      else this.lacksLuck = true;
      await crew.judge(record.choices, { nodes, seed: 0 }, (decision) => {
        if (this.crew === crew) this.decisions = new Map([...this.decisions, [decision.number, decision]]);
      });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (this.crew === crew) this.failed = error.message;
    } finally {
      crew.close();
      if (this.crew === crew) this.crew = undefined;
    }
  }

  /** Show what a seat could know, and split the game by that; 0 shows all cards. */
  async see(seat: number): Promise<void> {
    this.seat = seat;
    const { record } = this;
    if (!seat || !record || this.views.has(seat)) return;
    const luck = await luckFor(this.replay.textAt(0));
    if (this.record !== record) return;
    const crew = await reviewCrew([luck], 1);
    try {
      const found = await crew.split(record.record.toString(), seat);
      if (this.record === record) this.views = new Map([...this.views, [seat, found]]);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (this.record === record) this.failed = error.message;
    } finally {
      crew.close();
    }
  }

  stop(): void {
    const { crew } = this;
    this.crew = undefined;
    crew?.close();
  }

  close(): void {
    this.stop();
    this.line = undefined;
    this.record = undefined;
    this.live.close();
    this.replay.pause();
  }

  /** The variation that is shown or played. */
  get line(): Variation | undefined {
    return this.variation;
  }

  /** Show another variation or none. On the board of the one before nothing moves or sounds any more. */
  set line(line: Variation | undefined) {
    this.variation?.close();
    this.variation = line;
  }

  // --- progress and results

  get total(): number {
    return this.steps.numbers.length;
  }

  get isDone(): boolean {
    return this.total > 0 && this.decisions.size === this.total;
  }

  /** The decision of a step, unless the seat whose knowledge is shown could not judge it. */
  decisionAt(step: number): Decision | undefined {
    const found = this.decisions.get(this.steps.choiceOf(step));
    return found && (this.seat === 0 || found.seat === this.seat) ? found : undefined;
  }

  /** The split of the game as it is shown: by all cards, or by what the seat could know. */
  private get shownParts(): Split | undefined {
    return this.seat ? this.views.get(this.seat) : this.parts;
  }

  /** The luck of the cards of a step for each seat; undefined without any that the seat was shown. */
  luckAt(step: number): Values | undefined {
    const { steps, shownParts: parts } = this;
    if (!parts) return undefined;
    const [from, end] = [steps.choiceOf(step), steps.endOf(step)];
    const drawn = parts.draws.filter(({ number }) => number > from && number <= end);
    return drawn.length
      ? parts.seats.map((_, seat) => drawn.reduce((sum, { luck }) => sum + (luck[seat] ?? 0), 0))
      : undefined;
  }

  /** All seats in numbers, or only the one whose knowledge is shown. */
  get seats(): SeatReview[] {
    const { shownParts: parts, seat } = this;
    const found = parts ? summary([...this.decisions.values()], parts, this.replay.tags) : [];
    return seat ? found.filter((each) => each.seat === seat) : found;
  }

  /** The reader's own seat: the one that was marked, or that of the only person; 0 where there is none. */
  get own(): number {
    const people = this.replay.seats.flatMap(({ level }, index) => (level ? [] : [index + 1]));
    return this.replay.you || (people.length === 1 ? (people[0] ?? 0) : 0);
  }

  /** The seat that the game is told of: the reader's own or the one that is looked at, else the winner's. */
  get subject(): SeatReview | undefined {
    const { seats, own } = this;
    return seats.find(({ seat }) => seat === (this.seat || own)) ?? seats.toSorted((a, b) => b.result - a.result)[0];
  }

  /** The steps that were mistakes, of the reader's seat where there is one. */
  get mistakes(): number[] {
    return Array.from({ length: this.total }, (_, index) => index + 1).filter((step) => {
      const decision = this.decisionAt(step);
      return decision && WRONG.includes(decision.kind) && (!this.own || decision.seat === this.own);
    });
  }

  /** The mistakes of the reader's seat as puzzles: the position as the seat saw it, the best turn, and what the mistake cost. */
  get lessons() {
    const { engine, record } = this;
    return this.mistakes.flatMap((step) => {
      const decision = this.decisionAt(step);
      const position = record?.record.positions[(decision?.number ?? 0) - 1];
      const best = decision && this.bestInstead(decision);
      if (!engine || !position || !best) return [];
      const view = engine.format(engine.view(position, decision.seat));
      const name = `own-${crc32(`${view} ${best.moves}`).toString(36)}`;
      return [{ name, position: view, solution: best.moves, margin: decision.cost }];
    });
  }

  /** The best turn that does not begin with the move that was played. */
  private bestInstead({ turns, seat, move }: Decision): Decision['turns'][number] | undefined {
    return ranked(turns, seat).find(({ moves }) => moves.split(' ')[0] !== move);
  }

  /** The step after which a seat's win chance had changed most. */
  turningStep(seat: SeatReview): number {
    return seat.turning_point ? this.steps.stepOf(seat.turning_point.number) : 0;
  }

  get course(): ChanceCourse {
    const { shownParts: parts } = this;
    const steps = this.replay.length;
    if (!parts) return { steps, points: [], swings: [] };
    const valueAfter = (step: number): Values => parts.course[this.steps.endOf(step)] ?? [];
    const points = Array.from({ length: steps + 1 }, (_, step) => ({ step, value: valueAfter(step) }));
    return { steps, points, swings: this.swings(steps) };
  }

  private swings(steps: number): Swing[] {
    return Array.from({ length: steps }, (_, index) => index + 1).flatMap((step) => {
      const decision = this.decisionAt(step);
      const costly: Swing[] =
        decision && decision.cost >= COSTLY
          ? [{ step, seat: decision.seat, change: -decision.cost, kind: 'decision' }]
          : [];
      const mover = this.replay.steps[step - 1]?.seat ?? 1;
      const luck = this.luckAt(step)?.[mover - 1] ?? 0;
      return Math.abs(luck) >= LUCKY ? [...costly, { step, seat: mover, change: luck, kind: 'card' } as const] : costly;
    });
  }

  // --- what is shown

  /** The shown position in notation, with all cards. */
  get text(): string {
    return this.line ? this.line.text : this.replay.textAt();
  }

  /** The shown position, as far as the seat may know it. */
  get position(): Position | undefined {
    const whole = this.line ? this.line.position : this.replay.position;
    const { engine, seat, text } = this;
    return seat && engine && whole
      ? positionOf(new Facts(engine, engine.view(engine.parse(text), seat)).json())
      : whole;
  }

  /** Whether the seat whose knowledge is shown could not see the cards that another seat drew. */
  hides(seat: number): boolean {
    return this.seat > 0 && seat !== this.seat && this.record?.record.opening.rules.edition.hidden === true;
  }

  /** The best turn instead of a step, with the places where its pirates end. */
  betterAt(step: number): Way[] {
    const decision = this.decisionAt(step);
    const position = this.record?.record.positions[(decision?.number ?? 0) - 1];
    const moves = (decision && this.bestInstead(decision)?.moves.split(' ')) ?? [];
    if (!decision || !position || !this.engine || !moves.length) return [];
    return waysOf(this.engine, this.engine.view(position, decision.seat), moves);
  }

  /** The way of the last move, and arrows for the engine's best turn. */
  get trails(): Trail[] {
    return [...(this.line ? [] : this.replay.trails), ...this.live.trails(this.text)];
  }

  // --- comments and variations

  comment(step: number, words: string): void {
    this.change(step, () => ({ words }));
  }

  private change(step: number, changes: (said: Comment) => Partial<Comment>): void {
    this.comments = this.comments.map((said, at) => (at === step - 1 ? { ...said, ...changes(said) } : said));
  }

  /** Play on from the shown step. The last step of a game that was resigned is played again in the variation. */
  tryOn(): void {
    const { at, length } = this.replay;
    const step = Math.min(at + 1, length);
    this.line = Variation.played(this.replay.textAt(at), {
      step,
      opening: this.replay.textAt(step - 1),
      lead: step > at ? [] : this.movesOf(at),
    });
  }

  /** Show a variation that was kept. */
  showLine(step: number, moves: readonly string[]): void {
    this.replay.lookAt(step - 1);
    this.line = Variation.shown({ step, opening: this.replay.textAt(step - 1), lead: moves });
  }

  /** Keep the variation that was played in the record. */
  keepLine(): void {
    const { line } = this;
    if (!line || line.moves.length === 0) return;
    const moves = [...line.moves];
    this.change(line.root.step, ({ lines }) => ({ lines: [...lines, moves] }));
    this.line = Variation.shown({ ...line.root, lead: moves }, true);
  }

  /** Take the variation that is shown out of the record. */
  dropLine({ root, moves }: Variation): void {
    this.change(root.step, ({ lines }) => ({ lines: lines.filter((line) => line.join() !== moves.join()) }));
    this.line = undefined;
  }

  private movesOf(step: number): string[] {
    const { record } = this;
    if (!record) return [];
    return record.record.moves.slice(this.steps.choiceOf(step) - 1, this.steps.endOf(step)).map(({ move }) => move);
  }

  /** The record with everything that was added here. */
  get annotated(): string {
    return this.record?.text(this.comments, this.decisions) ?? this.replay.text;
  }
}

/** The record of a finished game. Raises Refused. */
function finished(engine: Engine, text: string): ReviewedRecord {
  try {
    return new ReviewedRecord(engine, text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new Refused(
      error instanceof NoMoves
        ? 'no-moves'
        : error instanceof NotationError || error instanceof IllegalMove
          ? 'illegal'
          : 'not-over',
      error.message,
    );
  }
}
