/** A puzzle on the board: the person plays a turn, and it is compared with the solution by where it leads. */
import type { Engine } from '../engine/index.ts';
import { Trial } from '../learn/trial.svelte.ts';
import { loaded, mind } from '../local/engine.ts';
import { turnOf, type ShownTurn } from '../local/facts.ts';
import { playInView } from '../local/study.ts';
import type { Puzzle } from './choice.ts';
import { judge, type Judgement } from './judging.ts';

/** Win chance by which a turn may be behind the best one of an own game and still be right. */
const CLOSE = 0.02;

interface Verdict {
  /** The position that it is about. */
  readonly text: string;
  readonly kind: 'right' | 'wrong' | 'shown';
  readonly judgement?: Judgement;
}

export class Solving {
  readonly trial: Trial;
  private verdict: Verdict | undefined = $state.raw();
  private readonly moves: readonly string[];
  private readonly solution: ShownTurn;

  private constructor(
    private readonly engine: Engine,
    readonly puzzle: Puzzle,
    readonly seat: number,
    private readonly told: (isRight: boolean) => void,
  ) {
    this.moves = puzzle.solution.split(' ');
    this.solution = turnOf(engine, puzzle.position, this.moves);
    this.trial = new Trial(puzzle.position, () => void this.check(), { walk: playInView, seat });
  }

  /** Set a puzzle up. Raises Refused where the engine cannot run. */
  static async of(puzzle: Puzzle, told: (isRight: boolean) => void): Promise<Solving> {
    const { engine } = await loaded();
    const found = new Solving(engine, puzzle, engine.chooser(engine.parse(puzzle.position)), told);
    await found.trial.reset();
    return found;
  }

  get state(): 'open' | Verdict['kind'] {
    return this.verdict?.text === this.trial.text ? this.verdict.kind : 'open';
  }

  /** How bad the wrong turn on the board is; nothing while that is found out. */
  get judgement(): Judgement | undefined {
    return this.state === 'wrong' ? this.verdict?.judgement : undefined;
  }

  /** Codes of the reasons for the solution. */
  get reasons(): readonly string[] {
    return this.solution.why;
  }

  private get isOwn(): boolean {
    return this.puzzle.rating === 0;
  }

  /** Where the solution leads. */
  private get goal(): string {
    return this.solution.end;
  }

  readonly again = (): void => void this.trial.reset();

  readonly show = (): void => {
    if (this.state !== 'right') this.told(false);
    this.verdict = { text: this.goal, kind: 'shown' };
    void this.trial.show(this.moves);
  };

  /** Judge the turn once it is over, as far as it can be known before a card is dealt. */
  private async check(): Promise<void> {
    const { text } = this.trial;
    if (this.engine.chooser(this.engine.parse(text)) === this.seat) return;
    const isRight = text === this.goal;
    this.verdict = { text, kind: isRight ? 'right' : 'wrong' };
    if (isRight || !this.isOwn) this.told(isRight);
    if (isRight) return;
    const judgement = await mind()
      .then((found) => judge(found, text, this.goal, this.seat, this.puzzle.judge))
      .catch(() => undefined);
    // Only the puzzles that come with the page were tried for a second turn that is as good.
    const isClose = judgement !== undefined && judgement.best - judgement.mine < CLOSE;
    if (this.isOwn) this.told(isClose);
    if (!judgement || this.state !== 'wrong' || this.verdict.text !== text) return;
    if (this.isOwn && isClose) {
      this.verdict = { text, kind: 'right' };
      return;
    }
    this.verdict = { text, kind: 'wrong', judgement };
    this.trial.model.picks.hintMove = judgement.reply?.option;
  }
}
