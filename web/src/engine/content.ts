/** The hash of a rule set's content, as `RuleSet.content_hash` of `rulesets/model.py` makes it. */
import type { DealSetup } from './commitment.ts';
import type { EngineData } from './data.ts';
import { ruleSet } from './rulesets.ts';
import { sha256 } from './sha256.ts';

/** The hash of all that a game of this set-up depends on. Throws NotationError for a rule set that does not exist. */
export function contentHash(data: EngineData, setup: Omit<DealSetup, 'seats'>): string {
  const { edition, options } = ruleSet(data, setup.rules);
  const chosen: Readonly<Record<string, unknown>> = {
    may_pass: options.pass === 1,
    may_return: options.return === 1,
    crew: options.crew === 1,
    actions: options.actions,
    cards: options.cards,
    style: setup.style ?? edition.style,
    pirates: setup.pirates ?? edition.pirates,
    deal: setup.deal ?? edition.deal,
    islands: [setup.pieces ?? edition.pieces],
  };
  return sha256(edition.content.replace(/"<(\w+)>"/g, (_, name: string) => JSON.stringify(chosen[name])));
}
