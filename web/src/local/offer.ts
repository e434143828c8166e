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

export async function findOffer(): Promise<Offer> {
  try {
    return { about: await askServer(), server: true, lost: false };
  } catch (error) {
    if (!(error instanceof Refused) || !ALONE.includes(error.code)) throw error;
    const here = await import('./tables.ts')
      .then(({ aboutHere }) => aboutHere())
      .catch((problem: unknown) => {
        // Where a part cannot be fetched, the line is what is missing; else this browser cannot run the engine.
        throw problem instanceof Refused && problem.code !== 'engine-missing' ? problem : error;
      });
    return { about: here, server: false, lost: error.code === OFFLINE };
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
