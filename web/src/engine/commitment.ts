/** The promise of a deal: a hash that binds the secret and what else the deal follows from, as `game/fair_deal.py` makes it. */
import { hexOf, sha256 } from './sha256.ts';

const SECRET_BYTES = 32;

/** What a deal follows from besides chance. Sizes that are not given are those of the rule set. */
export interface DealSetup {
  readonly rules: string;
  readonly seats: number;
  readonly style?: string | null | undefined;
  readonly pirates?: number | null | undefined;
  readonly pieces?: number | null | undefined;
  readonly deal?: number | null | undefined;
}

/** What a commitment binds besides the secret. */
export interface Terms extends DealSetup {
  readonly table: string;
  /** Whether lots are drawn for the seats. */
  readonly lots: boolean;
  /** The hash of the rule set's content. The third form has it and binds the chairs that the set-up gives to computers. */
  readonly content?: string | undefined;
  readonly computers?: readonly number[] | undefined;
}

/** A new random secret in hexadecimal digits. */
export const newSecret = (): string => hexOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** The terms as they are hashed. */
export function termsText(terms: Terms): string {
  const { table, rules, seats, style, pirates, pieces, deal, lots, content, computers } = terms;
  const sizes = `pirates=${pirates ?? '-'} pieces=${pieces ?? '-'} deal=${deal ?? '-'}`;
  const second = `table=${table} rules=${rules} seats=${seats} style=${style ?? 'printed'} ${sizes} lots=${lots ? 'yes' : 'no'}`;
  return content ? `${second} content=${content} computers=${(computers ?? []).join(',') || '-'}` : second;
}

/** The hash of the secret and the terms, which is shown before the deal. */
export const commitment = (secret: string, terms: Terms): string =>
  sha256(`cartagena-promise${terms.content ? '-3' : ''}:${secret}:${termsText(terms)}`);

/** The first form, which binds the secret only. */
export const firstCommitment = (secret: string): string => sha256(`cartagena-deal:${secret}`);
