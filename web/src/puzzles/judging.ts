/** How much worse a turn is than the best one, and how a rival answers it. The engine of this browser judges. */
import { EngineError, type Engine, type Position } from '../engine/index.ts';
import { chancesOf } from '../local/chances.ts';
import type { Mind } from '../local/engine.ts';
import { Facts } from '../local/facts.ts';
import { ADVISER } from '../local/levels.ts';
import { moveFields } from '../local/notation.ts';
import type { Option } from '../net/wire.ts';

export interface Judgement {
  /** The seat's chance of winning after its turn and after the best one, from 0 to 1. */
  readonly mine: number;
  readonly best: number;
  /** What a rival would do next, where that can be told. */
  readonly reply: { readonly seat: number; readonly option: Option } | undefined;
}

/** A rival's move as it is shown; the rival may play a card that the seat cannot see. */
function optionOf(engine: Engine, position: Position, move: string): Option {
  return (
    new Facts(engine, position).option(move) ?? {
      move: moveFields(move),
      to: engine.landing(position, move) || null,
      cards: 0,
      passed: [],
    }
  );
}

/** Compare the end of a turn with the end of the best one, as a level judges them, or the adviser where its network is missing. */
export async function judge(mind: Mind, end: string, goal: string, seat: number, level = ADVISER): Promise<Judgement> {
  const { engine } = mind;
  const both = async (by: string) =>
    [await chancesOf(mind, goal, seat, by), await chancesOf(mind, end, seat, by)] as const;
  const [best, mine] = await both(level).catch((error: unknown) => {
    if (level !== ADVISER && error instanceof EngineError) return both(ADVISER);
    throw error;
  });
  const position = engine.parse(end);
  const rival = engine.chooser(position);
  const reply =
    rival && rival !== seat && mine.move ? { seat: rival, option: optionOf(engine, position, mine.move) } : undefined;
  return { mine: mine.value, best: Math.max(best.value, mine.value), reply };
}
