/** Hints by the engine of this browser, from what the page shows to the asking seat. */
import { EngineError } from '../engine/index.ts';
import { sleep } from '../engine/messages.ts';
import type { Hint, Update } from '../net/wire.ts';
import { Refused } from '../net/api.ts';
import { mind } from './engine.ts';
import { ADVISER, STRONGEST } from './levels.ts';
import { moveFields, viewText } from './notation.ts';

/** The most that a hint may cost. */
const LIMITS = { time: 1, nodes: 6000 };
/** Milliseconds that a hint waits for a network, which a slow line may hold back. */
const PATIENCE = 25_000;

/** What the strongest level would play, how good that is, and why. The adviser answers where no network is or can be fetched. */
export async function hintHere({ version, position, options }: Update): Promise<Hint> {
  if (!position || !options) throw new Refused('not-your-turn', 'Hints are given to the seat that must choose.');
  const view = viewText(position);
  const { engine, player } = await mind();
  const ask = async (level: string): Promise<Hint> => {
    const { move, value, why } = await player.go(view, level, LIMITS).result;
    return { version, level, answer: { move: moveFields(move), value: [...value], why: [...why] } };
  };
  if (!engine.networks.fileFor(engine.parse(view))) return ask(ADVISER);
  const strongest = ask(STRONGEST).catch((error: unknown) => {
    if (error instanceof EngineError) return undefined;
    throw error;
  });
  return (await Promise.race([strongest, sleep(PATIENCE)])) ?? ask(ADVISER);
}
