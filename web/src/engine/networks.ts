/** The weights of the evaluation: those of the data, and networks, which are files of their own. */
import { named, type EngineData, type NetworkFile } from './data.ts';
import { EngineError } from './errors.ts';
import type { Position } from './notation.ts';
import { hexOf, sha256Of } from './sha256.ts';

const MAGIC = 'CARTNET1';

/** Gunzip bytes. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

export class Networks {
  private readonly loaded = new Map<string, Uint8Array>();

  constructor(private readonly data: EngineData) {}

  /** The network that was trained for a game, its seats and its sizes. */
  fileFor({ rules, seats, table }: Position): NetworkFile | undefined {
    const found = named(this.data.networks, setName(rules.edition.game, seats));
    const fits = found && Object.entries(found.sizes).every(([place, size]) => table[Number(place)] === BigInt(size));
    return fits ? found : undefined;
  }

  /** The frozen network by which luck is measured in a game, with any sizes of it. */
  luckFor({ rules, seats }: Position): NetworkFile | undefined {
    return named(this.data.networks, `luck-${setName(rules.edition.game, seats)}`);
  }

  /** The network that a level needs for a position and that is not loaded yet. */
  missing(position: Position, level: string): NetworkFile | undefined {
    if (named(this.data.styles, level)?.weights !== 'network') return undefined;
    const found = this.fileFor(position);
    return found && !this.loaded.has(found.file) ? found : undefined;
  }

  /** Take the content of a network's file. */
  async add(file: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    const about = Object.values(this.data.networks).find((each) => each.file === file);
    if (!about || hexOf(sha256Of(content)) !== about.sha256) {
      throw new EngineError(`${file.slice(0, 40)} is damaged or belongs to another version; load the page again.`);
    }
    const inside = await unpacked(content);
    if (new TextDecoder().decode(inside.slice(0, MAGIC.length)) !== MAGIC)
      throw new EngineError(`${file} is not a network.`);
    const header = new DataView(inside).getUint32(MAGIC.length, true);
    this.loaded.set(file, new Uint8Array(inside.slice(MAGIC.length + 4 + header)));
  }

  /** The weights of a kind for a position: numbers, or the bytes of a network. */
  weightsOf(view: Position, kind: string): readonly number[] | Uint8Array {
    const { game } = view.rules.edition;
    const { hand, tuned } = this.data.weights;
    const network = kind === 'network' ? this.fileFor(view) : kind === 'luck' ? this.luckFor(view) : undefined;
    const found =
      kind === 'hand' ? hand[game] : network ? this.loaded.get(network.file) : tuned[setName(game, view.seats)];
    if (!found) throw new EngineError(network ? `${network.file} is not loaded.` : `There are no weights for ${game}.`);
    return found;
  }
}

/** The name of the weights or the network for a game and a number of seats. */
const setName = (game: string, seats: number): string => `${game}-${seats === 2 ? '2' : 'many'}`;
