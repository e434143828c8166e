/** What can be played: what the server offers, or what this browser offers by itself where no server is reachable. */
import { api, NO_SERVER, OFFLINE, Refused } from '../net/api.ts';
import type { About } from '../net/wire.ts';

export interface Offer {
  readonly about: About;
  /** Whether a server answers; without one all persons sit at this device. */
  readonly server: boolean;
  /** Whether a server may be there again: nothing has answered at all. */
  readonly lost: boolean;
}

/** The codes by which a static host, or none at all, answers in place of a server. */
const ALONE = [OFFLINE, NO_SERVER, 'no-such-page'];

/** Whether it failed because no server of ours answers. */
export const isUnreachable = (error: unknown): error is Refused =>
  error instanceof Refused && ALONE.includes(error.code);

/** The code for a browser without a server that cannot fetch what it needs to play by itself. */
export const NOT_DOWNLOADED = 'not-downloaded';

export async function findOffer(): Promise<Offer> {
  try {
    return { about: await askServer(), server: true, lost: false };
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const here = await offerHere().catch((problem: unknown) => {
      throw problem instanceof Refused && problem.code === NOT_DOWNLOADED ? error : problem;
    });
    return { ...here, lost: error.code === OFFLINE };
  }
}

/** What this browser offers by itself. Raises Refused where the engine cannot be fetched, or cannot run in this browser. */
export async function offerHere(): Promise<Offer> {
  try {
    const { aboutHere } = await import('./tables.ts');
    return { about: await aboutHere(), server: false, lost: true };
  } catch (error) {
    if (error instanceof Refused && error.code !== 'engine-missing') throw error;
    throw new Refused(NOT_DOWNLOADED, 'What playing without the server needs cannot be fetched.');
  }
}

/** The server's offer. At this address a static site has a file that tells of no levels (`cartagena site`). */
async function askServer(): Promise<About> {
  const told: Partial<About> | string = await api.about();
  if (typeof told === 'object' && told.levels) return told as About;
  throw new Refused(NO_SERVER, 'There is no server here.');
}

/** What the rules of a name decide. */
export interface RuleFacts {
  readonly name: string;
  readonly pass: boolean;
}

/** What the rule set of a name decides, options included; nothing where the name or the engine cannot be read. */
export async function factsOf(name: string): Promise<RuleFacts | undefined> {
  try {
    const [{ loaded }, { ruleSet }] = await Promise.all([import('./engine.ts'), import('../engine/rulesets.ts')]);
    return { name, pass: ruleSet((await loaded()).data, name).options.pass === 1 };
  } catch {
    return undefined; // the edition's own rules are shown
  }
}

/** The level chosen last, else a middle one on offer. */
export function suitingLevel(levels: readonly string[], last: string): string | undefined {
  if (levels.includes(last)) return last;
  return levels.includes('sailor') ? 'sailor' : levels[Math.floor((levels.length - 1) / 2)];
}
