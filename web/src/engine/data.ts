/** The shape of `cartagena.json`, which is built together with `cartagena.wasm`. */
type Changes = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** What an option of a rule set's name changes. */
export type OptionWord = 'pass' | 'return' | 'crew' | 'actions' | 'cards';

/** A game in one edition. The switches are 0 or 1. */
export interface Edition {
  readonly game: string;
  readonly letters: string;
  readonly freebooters: boolean;
  readonly nest: boolean;
  readonly row: number;
  readonly hidden: boolean;
  readonly pieces: number;
  readonly pirates: number;
  readonly actions: number;
  readonly cards: number;
  readonly pass: number;
  readonly return: number;
  readonly crew: number;
  /** Cards of a hand at the start. */
  readonly deal: number;
  readonly style: string;
  /** Board pieces of each island. */
  readonly islands: readonly number[];
  readonly printed: readonly string[];
  /** The options that a name may have, in their fixed order, and the value that each of them brings. */
  readonly options: Readonly<Record<string, readonly [OptionWord, number]>>;
  /** The text that the hash of a rule set's content is made of, with `"<name>"` for what can be chosen. */
  readonly content: string;
  /** The text of all cards in writing order, with their numbers. */
  readonly faces: readonly (readonly [string, number])[];
  readonly table: readonly string[];
  readonly plan?: readonly number[];
  readonly changes: Changes;
  /** For a variant: what else its deal depends on. Its options and sizes are fixed. */
  readonly variant?: {
    /** The name of the base with its options. */
    readonly rules: string;
    /** Cards of each sign. */
    readonly counts: readonly number[];
    /** Cards that seat 1, 2 and so on are dealt beyond the others. */
    readonly extra: readonly number[];
    /** The board of every game; empty where pieces are laid. */
    readonly board: string;
    /** The tag `Variant` of records. */
    readonly text?: string;
  };
}

/** How a searching player searches, and its own limits. */
export interface Style {
  readonly trees: number;
  readonly time: number;
  readonly nodes: number;
  readonly weights: string;
  readonly settings: {
    readonly open: readonly number[];
    readonly hidden: readonly number[];
    readonly many: readonly number[];
  };
}

/** A network, which is a file of its own. `sizes` are the numbers that a rule table must have, by their places. */
export interface NetworkFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly game: string;
  readonly sizes: Readonly<Record<string, number>>;
}

/** The parts of a list of facts (`backends/wasm/facts.py`): where they begin, and the sizes of the lists. */
interface FactsData {
  /** The names of the first numbers. */
  readonly names: readonly string[];
  readonly row: number;
  readonly piles: number;
  /** How many piles there are. */
  readonly number: number;
  readonly places: number;
  readonly signs: number;
  readonly size: number;
  readonly choices: number;
}

type Numbers = Readonly<Record<string, number>>;

export interface EngineData {
  /** The digest of all sources. */
  readonly build: string;
  /** The digest of the sources of the code, which `cartagena.wasm` also has. */
  readonly code: string;
  readonly sha256: string;
  readonly layout: Numbers;
  readonly facts: FactsData;
  readonly plan: Numbers;
  readonly search: Numbers;
  readonly repetition: Numbers;
  readonly reasons: readonly string[];
  /** Why a move is not legal, by code, with places for what it is about. */
  readonly sentences: Readonly<Record<string, string>>;
  /** The colours of the seats, in English. */
  readonly colours: readonly string[];
  readonly faults: readonly string[];
  /** Why a move cannot be taken back, by the number that the engine tells; empty where it can. */
  readonly walls: readonly string[];
  /** The same as sentences, by code. */
  readonly undo: Readonly<Record<string, string>>;
  /** The codes of reasons for a move, in the order of their bits. */
  readonly why: readonly string[];
  /** By name. Rules of one's own are added under names of this page (`variantName`). */
  readonly editions: Record<string, Edition>;
  /** The levels, weakest first. */
  readonly levels: readonly string[];
  /** The levels that search. */
  readonly styles: Readonly<Record<string, Style>>;
  readonly networks: Readonly<Record<string, NetworkFile>>;
  readonly weights: {
    readonly tuned: Readonly<Record<string, readonly number[]>>;
    readonly hand: Readonly<Record<string, readonly number[]>>;
  };
}

/** A named number of the data. */
export function numberOf(numbers: Numbers, name: string): number {
  const found = numbers[name];
  if (found === undefined) throw new Error(`cartagena.json has no number ${name}`);
  return found;
}

/** A value of the data by a name from outside, or undefined. */
export function named<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
