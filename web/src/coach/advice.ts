/** What the captain would play from a view, and how good that is. Everything is found from the view alone. */
import type { Engine } from '../engine/index.ts';
import { chancesOf, EFFORT } from '../local/chances.ts';
import type { Mind } from '../local/engine.ts';
import { Facts } from '../local/facts.ts';
import { ADVISER } from '../local/levels.ts';
import { moveText } from '../local/moves.ts';
import type { Option } from '../net/wire.ts';
import { CLASSES } from '../review/judge.ts';

/** The smallest loss of win chance that counts as a mistake. */
export const MISTAKE = CLASSES.inaccuracy;

export interface Advice {
  /** The captain's moves up to the end of the turn or the first dealt card. */
  readonly options: readonly Option[];
  /** Codes of the reasons: the first of each move. */
  readonly why: readonly string[];
  /** The position that they lead to. */
  readonly end: string;
  /** The seat's chance of winning then. */
  readonly value: number;
}

/** A turn that was played, compared with the captain's. */
export interface Comparison {
  readonly kind: 'same' | 'good' | 'worse';
  readonly mine: number;
  readonly best: number;
  readonly advice: Advice;
}

/** Reasons that say little about a whole turn. */
const EMPTY = ['best-value', 'only-move', 'saves-actions'];

/** The moves of a turn as they are shown, the reasons for them, and where they lead. */
function walked(engine: Engine, view: string, moves: readonly string[]): Omit<Advice, 'value'> {
  let position = engine.parse(view);
  const options: Option[] = [];
  const codes: string[] = [];
  for (const move of moves) {
    const option = new Facts(engine, position).options().legal.find((each) => moveText(each.move) === move);
    const [code = ''] = engine.why(position, move);
    if (option) options.push(option);
    codes.push(code);
    position = engine.apply(position, move);
  }
  return { options, why: [...new Set(codes)].filter((code) => !EMPTY.includes(code)), end: engine.format(position) };
}

/** Let the captain choose a turn for the seat whose view this is. */
export async function adviceFor(mind: Mind, view: string, seat: number): Promise<Advice> {
  const found = await mind.player.go(view, ADVISER, { ...EFFORT, turns: 1 }).result;
  const turn = walked(mind.engine, view, found.turns[0]?.moves ?? [found.move]);
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
