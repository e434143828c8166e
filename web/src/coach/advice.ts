/** What the captain would play from a view, and how good that is. Everything is found from the view alone. */
import type { Engine } from '../engine/index.ts';
import { chancesOf, EFFORT } from '../local/chances.ts';
import type { Mind } from '../local/engine.ts';
import { turnOf, type ShownTurn } from '../local/facts.ts';
import { ADVISER } from '../local/levels.ts';
import { CLASSES } from '../review/judge.ts';

/** The smallest loss of win chance that counts as a mistake. */
export const MISTAKE = CLASSES.inaccuracy;

/** The captain's turn, up to its end or the first dealt card, and the seat's chance of winning then. */
export interface Advice extends ShownTurn {
  readonly value: number;
}

/** A turn that was played, compared with the captain's. */
export interface Comparison {
  readonly kind: 'same' | 'good' | 'worse';
  readonly mine: number;
  readonly best: number;
  readonly advice: Advice;
}

/** Let the captain choose a turn for the seat whose view this is. */
export async function adviceFor(mind: Mind, view: string, seat: number): Promise<Advice> {
  const found = await mind.player.go(view, ADVISER, { ...EFFORT, turns: 1 }).result;
  const turn = turnOf(mind.engine, view, found.turns[0]?.moves ?? [found.move]);
  return { ...turn, value: (await chancesOf(mind, turn.end, seat)).value };
}

/** Where a move leads, if the turn then ends as far as it can be known: with the turn, a due card or another seat's choice. */
export function endAfter(engine: Engine, view: string, move: string, seat: number): string | undefined {
  const after = engine.apply(engine.parse(view), move);
  return engine.chooser(after) === seat ? undefined : engine.format(after);
}

/** Compare the end of a turn with the captain's advice. */
export async function compared(mind: Mind, advice: Advice, end: string, seat: number): Promise<Comparison> {
  const mine = end === advice.end ? advice.value : (await chancesOf(mind, end, seat)).value;
  const best = Math.max(advice.value, mine);
  return { kind: end === advice.end ? 'same' : best - mine < CLASSES.good ? 'good' : 'worse', mine, best, advice };
}
