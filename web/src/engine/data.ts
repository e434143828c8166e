/** The shape of `cartagena.json`, which is built together with `cartagena.wasm`. */
type Changes = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

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
  readonly table: readonly string[];
  readonly plan: readonly number[];
  readonly changes: Changes;
}

/** How a searching player searches. */
export interface Style {
  readonly trees: number;
  readonly time: number;
  readonly nodes: number;
  readonly weights: string;
  readonly settings: { readonly '2': readonly number[]; readonly many: readonly number[] };
}

export interface EngineData {
  readonly build: string;
  readonly sha256: string;
  readonly layout: Readonly<Record<string, number>>;
  readonly search: Readonly<Record<string, number>>;
  readonly reasons: readonly string[];
  readonly faults: readonly string[];
  readonly editions: Readonly<Record<string, Edition>>;
  readonly styles: Readonly<Record<string, Style>>;
  readonly weights: {
    readonly tuned: Readonly<Record<string, readonly number[]>>;
    readonly hand: Readonly<Record<string, readonly number[]>>;
  };
}

/** A named number of the data. */
export function numberOf(numbers: Readonly<Record<string, number>>, name: string): number {
  const found = numbers[name];
  if (found === undefined) throw new Error(`cartagena.json has no number ${name}`);
  return found;
}
