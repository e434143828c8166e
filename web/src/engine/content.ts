/** The hash of a rule set's content, as `RuleSet.content_hash` of `rulesets/model.py` makes it. */
import type { DealSetup } from './commitment.ts';
import type { EngineData } from './data.ts';
import { ruleSet, type RuleSet } from './rulesets.ts';
import { sha256 } from './sha256.ts';

/** The sizes of a game: those of the set-up, else the edition's. A variant's are fixed. */
export function sizesOf({ edition }: RuleSet, setup: Omit<DealSetup, 'seats'>) {
  const { style, pirates, pieces, deal }: Partial<DealSetup> = edition.variant ? {} : setup;
  return {
    style: style ?? edition.style,
    pirates: pirates ?? edition.pirates,
    pieces: pieces ?? edition.pieces,
    deal: deal ?? edition.deal,
  };
}

/** The hash of all that a game of this set-up depends on. Throws NotationError for a rule set that does not exist. */
export function contentHash(data: EngineData, setup: Omit<DealSetup, 'seats'>): string {
  const rules = ruleSet(data, setup.rules);
  const { options } = rules;
  const sizes = sizesOf(rules, setup);
  const chosen: Readonly<Record<string, unknown>> = {
    may_pass: options.pass === 1,
    may_return: options.return === 1,
    crew: options.crew === 1,
    actions: options.actions,
    cards: options.cards,
    ...sizes,
    islands: [sizes.pieces],
  };
  return sha256(rules.edition.content.replace(/"<(\w+)>"/g, (_, name: string) => JSON.stringify(chosen[name])));
}
