/** A position to try on the table view. The engine of this browser applies the rules, and nothing is stored. */
import { sleep } from '../engine/messages.ts';
import { positionOf } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import { tryPosition } from '../local/study.ts';
import { Refused } from '../net/api.ts';
import { fits, type MoveJson, type Option, type StudyPosition, type TableEvent } from '../net/wire.ts';
import { personAt, type Scene } from '../session/scene.ts';
import { TableModel } from '../table/model.svelte.ts';
import { refusalWords } from '../table/words.ts';
import type { Lesson } from './lessons.ts';

/** What a trial is about beside the position, for those that differ from an open board. */
interface TrialWay {
  /** Play moves from a position. */
  readonly walk: (position: string, moves: readonly (MoveJson | string)[]) => Promise<StudyPosition>;
  /** The seat that is played; 0: whichever must choose. */
  readonly seat: number;
}

/** How long each move is shown at least that is played for the reader, in milliseconds. */
const READABLE = 900;

const OPEN: TrialWay = { walk: tryPosition, seat: 0 };

export class Trial {
  readonly model: TableModel;
  /** The position that is shown, in notation. */
  text = $state('');
  problem = $state('');
  /** The server's own words about a position that cannot be read. */
  detail = $state('');
  private texts: string[] = [];
  private number = 0;
  private asked = 0;

  constructor(
    private readonly opening: string,
    private readonly after: (move: MoveJson, found: StudyPosition) => void = () => undefined,
    private readonly way: TrialWay = OPEN,
  ) {
    this.model = new TableModel((option) => this.play(option));
  }

  async reset(): Promise<void> {
    this.texts = [];
    const found = await this.ask(this.opening, []);
    if (found) this.model.set(this.scene(found, []));
  }

  private async play(option: Option): Promise<void> {
    const from = this.text;
    const found = await this.ask(from, [option.move]);
    if (!found) return;
    this.advance(from, found);
    this.after(option.move, found);
  }

  /** Play moves in notation one after the other from the opening, at a pace to follow. */
  async show(moves: readonly string[]): Promise<void> {
    await this.reset();
    for (const move of moves) {
      const from = this.text;
      const found = await this.ask(from, [move]);
      if (!found) return;
      this.advance(from, found, READABLE);
    }
  }

  /** Leave the board: nothing moves or sounds any more. */
  close(): void {
    this.asked++;
    this.model.close();
  }

  private advance(from: string, found: StudyPosition, least = 0): void {
    this.texts.push(from);
    const events = found.steps.map((step): TableEvent => ({ seq: ++this.number, at: 0, type: 'move', ...step }));
    this.model.push(this.scene(found, events), least);
  }

  readonly undo = async (): Promise<void> => {
    const text = this.texts.at(-1);
    const found = text === undefined ? undefined : await this.ask(text, []);
    if (!found) return;
    this.texts.pop();
    this.reopened();
    const log = this.model.log.slice(0, -1);
    this.model.set({ ...this.scene(found, []), events: log });
  };

  /** The position is one before the last move again. */
  protected reopened(): void {
    // Only a lesson has said something about that move.
  }

  /** The answer; undefined if it is a refusal or if another request followed. */
  private async ask(position: string, moves: (MoveJson | string)[]): Promise<StudyPosition | undefined> {
    const asked = ++this.asked;
    try {
      [this.problem, this.detail] = ['', ''];
      const found = await this.way.walk(position, moves);
      // Drawn in a task of its own, so that what moves on the page is not held up.
      await sleep();
      return asked === this.asked ? found : undefined;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem = error.code === 'illegal' && !error.reason ? t('position.broken') : refusalWords(error);
      this.detail = error.code === 'illegal' ? error.message : '';
      return undefined;
    }
  }

  private scene(found: StudyPosition, events: readonly TableEvent[]): Scene {
    const { turn } = found.position;
    const { seat } = this.way;
    const possible = this.texts.length > 0;
    this.text = found.text;
    return {
      key: found.text,
      position: positionOf(found.position),
      options: seat && turn.chooser !== seat ? null : found.options,
      undo: { possible, reason: possible ? null : 'nothing-to-undo', message: null },
      seats: found.position.hands.map((_, index) => personAt(index + 1)),
      events,
      viewer: seat || turn.chooser || turn.seat || found.outcome?.winner || 1,
      actions: turn.actions,
      outcome: found.outcome,
    };
  }
}

/** A lesson: seat 1 is played, and every move is answered. */
export class LessonTrial extends Trial {
  /** What is to be said about the last move. */
  verdict: 'open' | 'wrong' | 'done' = $state('open');

  constructor(private readonly lesson: Lesson) {
    super(lesson.position, (move, found) => this.judge(move, found), { walk: tryPosition, seat: 1 });
  }

  override reset(): Promise<void> {
    this.reopened();
    return super.reset();
  }

  protected override reopened(): void {
    this.verdict = 'open';
    this.model.isDone = false;
  }

  private judge(move: MoveJson, { options }: StudyPosition): void {
    const { goal } = this.lesson;
    const isPossible = (offered: readonly Option[]): boolean => offered.some((option) => fits(option.move, goal));
    // A move is on the way if it makes the goal possible, or if any move may come before it.
    const isStep = isPossible(options?.legal ?? []) && (goal.kind === 'end' || !isPossible(this.model.options.legal));
    if (fits(move, goal)) this.verdict = 'done';
    else if (this.verdict !== 'done') this.verdict = isStep ? 'open' : 'wrong';
    this.model.isDone = this.verdict === 'done';
  }
}
