/** The engine of this page: fetched once, when it is needed first. */
import { code as codeUrl, data as dataUrl, networks } from 'virtual:engine';
import { Engine, EnginePlayer, type EngineData, type WorkerLike } from '../engine/index.ts';
import { Refused } from '../net/api.ts';
import { hexOf, sha256Of } from '../engine/sha256.ts';

interface Loaded {
  readonly engine: Engine;
  readonly code: WebAssembly.Module;
  readonly data: EngineData;
}

/** A module with one SIMD instruction. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

let loading: Promise<Loaded> | undefined;
let thinking: EnginePlayer | undefined;

export const canThink = (): boolean => codeUrl !== '' && typeof WebAssembly === 'object' && WebAssembly.validate(SIMD);

async function fetched(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Refused('engine-missing', 'The engine cannot be fetched.');
  return new Uint8Array(await response.arrayBuffer());
}

/** The hash by the browser where it offers one, which is much faster. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto as Partial<Crypto>;
  return hexOf(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256Of(bytes));
}

async function load(): Promise<Loaded> {
  if (codeUrl === '') throw new Refused('engine-missing', 'This page was built without the engine.');
  if (!canThink()) throw new Refused('engine-old', 'This browser cannot run the engine.');
  const [bytes, text] = await Promise.all([fetched(codeUrl), fetched(dataUrl)]).catch((error: unknown) => {
    throw error instanceof Refused ? error : new Refused('engine-missing', 'The engine cannot be fetched.');
  });
  try {
    const data = JSON.parse(new TextDecoder().decode(text)) as EngineData;
    if ((await hashOf(bytes)) !== data.sha256) throw new Refused('engine-mixed', 'The parts of the engine are of different versions.');
    const code = await WebAssembly.compile(bytes);
    return { code, data, engine: await Engine.load(code, data) };
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('engine-old', 'This browser cannot run the engine.');
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

const newWorker = (): WorkerLike => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }) as unknown as WorkerLike;

/** The content of a network's file. */
export const networkFile = (file: string): Promise<Uint8Array<ArrayBuffer>> => fetched(networks[file] ?? file);

/** The players, in workers of their own. */
export async function player(): Promise<EnginePlayer> {
  const { code, data } = await loaded();
  const network = async (file: string): Promise<ArrayBuffer> => (await networkFile(file)).buffer;
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
