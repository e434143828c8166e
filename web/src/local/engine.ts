/** The engine of this page: fetched once, when it is needed first. */
import { code as codeUrl, data as dataUrl } from 'virtual:engine';
import { networks } from 'virtual:networks';
import { Engine, EnginePlayer, LoadError, type EngineData, type WorkerLike } from '../engine/index.ts';
import { madeOnce } from '../engine/messages.ts';
import { Refused } from '../net/api.ts';

interface Loaded {
  readonly engine: Engine;
  readonly code: WebAssembly.Module;
  readonly data: EngineData;
}

let loading: Promise<Loaded> | undefined;
let thinking: EnginePlayer | undefined;

async function fetched(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Refused('engine-missing', 'The engine cannot be fetched.');
  return new Uint8Array(await response.arrayBuffer());
}

async function load(): Promise<Loaded> {
  if (codeUrl === '') throw new Refused('engine-missing', 'This page was built without the engine.');
  const [bytes, text] = await Promise.all([fetched(codeUrl), fetched(dataUrl)]).catch((error: unknown) => {
    throw error instanceof Refused ? error : new Refused('engine-missing', 'The engine cannot be fetched.');
  });
  try {
    const data = JSON.parse(new TextDecoder().decode(text)) as EngineData;
    const engine = await Engine.load(bytes, data);
    return { engine, code: engine.program.module, data };
  } catch (error) {
    // Data that is no JSON is damaged; code and browser are checked by the engine.
    throw new Refused(
      `engine-${error instanceof LoadError ? error.code : 'mixed'}`,
      'This page cannot run the engine.',
    );
  }
}

/** The engine. Raises Refused where it cannot be fetched or run; the next call tries again. */
export async function loaded(): Promise<Loaded> {
  loading ??= load();
  return loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
}

/** One core is left for the page; more workers than trees would idle. */
const crewSize = (): number => Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

const newWorker = (): WorkerLike =>
  new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }) as unknown as WorkerLike;

/** The content of a network's file, which is fetched once, and again after a failure. */
export const networkFile = madeOnce((file) => fetched(networks[file] ?? file));

/** The players, in workers of their own; new ones after an error in a worker. */
export async function player(): Promise<EnginePlayer> {
  const { code, data } = await loaded();
  const network = async (file: string): Promise<ArrayBuffer> => (await networkFile(file)).buffer;
  if (thinking?.isBroken) thinking = undefined;
  thinking ??= new EnginePlayer(Array.from({ length: crewSize() }, newWorker), code, data, { network });
  return thinking;
}

/** The rules and the players together. */
export interface Mind {
  readonly engine: Engine;
  readonly player: EnginePlayer;
}

export async function mind(): Promise<Mind> {
  const { engine } = await loaded();
  return { engine, player: await player() };
}

/** End the worker; the next one to ask starts another. */
export function restartPlayer(): void {
  thinking?.close();
  thinking = undefined;
}
