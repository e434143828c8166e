/** The live evaluation of the shown position. */
import type { Trail } from '../board/marks.ts';
import { adviceTrails } from '../table/show.ts';
import type { LiveEvaluator } from './crew.ts';
import { liveEvaluator, networkFor } from './engine.ts';
import type { Live } from './tasks.ts';

/** Nodes after which the evaluation rests, unless others are given. */
const NODES = 8_000;

export class LivePosition {
  private found: { readonly position: string; readonly live: Live } | undefined = $state.raw();
  /** True where the engine cannot run. */
  missing = $state(false);
  constructor(private readonly nodes = NODES) {}

  private evaluator: Promise<LiveEvaluator | undefined> | undefined;
  private asked = 0;
  /** The networks that the evaluator has. */
  private readonly brought = new Set<string>();

  /** What is known of a position so far; undefined for another one than the last that was asked for. */
  of(position: string): Live | undefined {
    return this.found?.position === position ? this.found.live : undefined;
  }

  /** The arrows of the turn that the engine likes best in a position. */
  trails(position: string): Trail[] {
    const { turns: [best] = [], seat = 0 } = this.of(position) ?? {};
    return adviceTrails(best?.ways ?? [], seat);
  }

  /** Evaluate a position from the knowledge of a seat, or with all cards known (seat 0). */
  async show(position: string, seat: number): Promise<void> {
    const asked = ++this.asked;
    this.found = undefined;
    this.evaluator ??= liveEvaluator().catch(() => undefined);
    const evaluator = await this.evaluator;
    const network = evaluator && (await networkFor(position));
    this.missing = evaluator === undefined;
    if (asked !== this.asked) return;
    if (network && !this.brought.has(network.file)) evaluator.bring(network);
    if (network) this.brought.add(network.file);
    const told = (live: Live): void => {
      if (asked === this.asked) this.found = { position, live };
    };
    evaluator?.show(position, seat, this.nodes, told, () => this.restart(evaluator));
  }

  /** Let the next position start another worker after an error in this one. */
  private restart({ isBroken }: LiveEvaluator): void {
    if (!isBroken) return;
    this.evaluator = undefined;
    this.brought.clear();
    this.missing = true;
  }

  hide(): void {
    this.asked++;
    this.found = undefined;
    void this.evaluator?.then((found) => found?.stop());
  }

  close(): void {
    this.asked++;
    void this.evaluator?.then((found) => found?.close());
    this.evaluator = undefined;
  }
}
