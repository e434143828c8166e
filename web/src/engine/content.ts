/** The hash of a rule set's content, as `RuleSet.content_hash` of `rulesets/model.py` makes it. */
import type { DealSetup } from './commitment.ts';
import type { EngineData } from './data.ts';
import { ruleSet } from './rulesets.ts';
import { sha256 } from './sha256.ts';

/** A value as Python's `json.dumps(value, sort_keys=True)` writes it. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) {
    const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped);
  }
  const names = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${names.map(([name, each]) => `${pythonJson(name)}: ${pythonJson(each)}`).join(', ')}}`;
}

/** The hash of all that a game of this set-up depends on. Throws NotationError for a rule set that does not exist. */
export function contentHash(data: EngineData, setup: Omit<DealSetup, 'seats'>): string {
  const { edition, options } = ruleSet(data, setup.rules);
  const { pieces } = setup;
  return sha256(
    pythonJson({
      ...edition.content,
      may_pass: options.pass === 1,
      may_return: options.return === 1,
      crew: options.crew === 1,
      actions: options.actions,
      cards: options.cards,
      style: setup.style ?? edition.style,
      pirates: setup.pirates ?? edition.pirates,
      deal: setup.deal ?? edition.deal,
      islands: pieces === null || pieces === undefined || edition.nest ? edition.islands : [pieces],
    }),
  );
}
