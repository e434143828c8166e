/** The WebAssembly module and its memory. Addresses are numbers; words are 64 bits wide. */
import type { EngineData } from './data.ts';
import { LoadError } from './errors.ts';

type Address = number;
type Call = (...given: number[]) => number;

/** The functions of `backends/wasm/exports.py`: the rules, positions as facts, and whole games. */
type Rule =
  'legal' | 'chooser' | 'due' | 'weight' | 'step' | 'pass_turn' | 'becalmed' | 'view' | 'reason' | 'destination';
type Fact = 'undo_wall' | 'describe' | 'compose' | 'options' | 'lay' | 'deal_first';
type Game = 'opening' | 'draw' | 'rollout' | 'trace';
/** Those of `players/compiled/exports.py`: searching in trees, levels that answer at once, the value of a game, repeated moves. */
type Tree = 'tree_size' | 'empty_tree' | 'search' | 'known' | 'iterations' | 'sums' | 'deepest';
type Level = 'turn_size' | 'best_turn' | 'why' | 'deckhand' | 'sailor' | 'split';
type Memory = 'barred' | 'least_repeated' | 'remember';
export type Name = Rule | Fact | Game | Tree | Level | Memory;

/** The section of `cartagena.wasm` that says from which sources it was compiled. */
const SECTION = 'cartagena';
/** A module with one function that returns a vector. */
const VECTOR = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];
const TOO_OLD =
  'This browser is too old for the engine: it needs WebAssembly with SIMD (Chrome 91, Firefox 89, Safari 16.4 or newer).';

/** Whether this browser can run the engine. */
const canRun = (): boolean => typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(VECTOR));

/** Throw unless code and data were built together. */
function checkBuild(module: WebAssembly.Module, data: EngineData): void {
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  if (section && typeof data?.code === 'string' && new TextDecoder().decode(section) === data.code) return;
  throw new LoadError('cartagena.wasm and cartagena.json belong to different versions; load the page again.', 'mixed');
}

export class Program {
  readonly call: Readonly<Record<Name, Call>>;
  private readonly memory: WebAssembly.Memory;
  private top: Address;

  private constructor(
    readonly module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    readonly data: EngineData,
  ) {
    const found = instance.exports;
    this.call = found as unknown as Record<Name, Call>;
    this.memory = found['memory'] as WebAssembly.Memory;
    this.top = (((found['__heap_base'] as WebAssembly.Global).value as number) + 15) & ~15;
  }

  /** Compile the code. The data must come from the same build. */
  static async load(code: BufferSource | WebAssembly.Module, data: EngineData): Promise<Program> {
    if (!canRun()) throw new LoadError(TOO_OLD, 'old');
    try {
      const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
      checkBuild(module, data);
      return new Program(module, await WebAssembly.instantiate(module), data);
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError) && !(error instanceof WebAssembly.LinkError)) throw error;
      throw new LoadError('cartagena.wasm is damaged, or this browser cannot run it; load the page again.', 'mixed');
    }
  }

  /** Run some work and release the memory that it has taken. */
  within<T>(work: () => T): T {
    const before = this.top;
    try {
      return work();
    } finally {
      this.top = before;
    }
  }

  /** Run some work that waits, and release the memory that it has taken. Nothing else may take memory meanwhile. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.top;
    try {
      return await work();
    } finally {
      this.top = before;
    }
  }

  /** The address of so many words that are zero. */
  room(words: number): Address {
    const at = this.top;
    this.top += words * 8;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    new Uint8Array(this.memory.buffer, at, words * 8).fill(0);
    return at;
  }

  /** The words at an address; they are valid until more memory is taken. */
  words(at: Address, size: number): BigInt64Array {
    return new BigInt64Array(this.memory.buffer, at, size);
  }

  numbers(at: Address, size: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, size);
  }

  put(list: ArrayLike<bigint>): Address {
    const at = this.room(list.length);
    this.words(at, list.length).set(list);
    return at;
  }

  putNumbers(list: ArrayLike<number>): Address {
    const at = this.room(list.length);
    this.numbers(at, list.length).set(list);
    return at;
  }

  /** Put weights of the evaluation: numbers, or the bytes of a network, which are no ordinary numbers. */
  putWeights(weights: readonly number[] | Uint8Array): Address {
    if (!(weights instanceof Uint8Array)) return this.putNumbers(weights);
    const at = this.room(Math.ceil(weights.length / 8));
    new Uint8Array(this.memory.buffer, at, weights.length).set(weights);
    return at;
  }
}
