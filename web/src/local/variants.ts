/** Rules of one's own: a server checks them and hands them out as numbers, which the engine of this page plays by. */
import { addVariant, UnknownVariant, variantName, type Edition } from '../engine/index.ts';
import { madeOnce } from '../engine/messages.ts';
import { api, Refused } from '../net/api.ts';
import { loaded } from './engine.ts';

const ask = madeOnce(async (text) => {
  const { data } = await loaded();
  const checked = await api.checkVariant(text);
  // Rules that sizes say have no tag; a record that has one is read by it all the same.
  return addVariant(data, checked.text || text, checked.edition as unknown as Edition);
});

/** Let the engine know the rules of a tag `Variant`, or of a set-up in JSON. Returns their name in this page. Raises Refused. */
export async function knowVariant(text: string): Promise<string> {
  const { data } = await loaded();
  const base = /"base": ?"([^"]*)"/.exec(text)?.[1] ?? '';
  const name = variantName(base, text);
  return Object.hasOwn(data.editions, name) ? name : ask(text);
}

/** Read a record, once more when the engine knows its rules, if they are its own. Raises Refused. */
export async function withVariant<T>(read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnknownVariant)) throw error;
    await knowVariant(error.tag).catch((problem: unknown) => {
      if (!(problem instanceof Refused) || problem.code === 'illegal') throw problem;
      throw new Refused('variant-unknown', 'The record has rules of its own, which only a server can check.');
    });
    return read();
  }
}
