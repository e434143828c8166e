/** The built engine, the vectors that Python writes, and workers in the same thread. */
import { readFileSync } from 'node:fs';
import type { DealSetup, EngineData, Entry, Limits, WorkerLike } from '../src/engine/index.ts';
import type { Reply, Request } from '../src/engine/messages.ts';
import { thinker } from '../src/engine/thinking.ts';

interface About {
  position: string;
  turn: number;
  options: [string, string][];
  after: string | null;
  refusals: [string, string][];
  view: string;
}
interface Searched {
  view: string;
  level: string;
  nodes: number;
  seed: number;
  visits: Record<string, number>;
}
interface Decided {
  view: string;
  level: string;
  limits: Limits;
  answer: unknown;
}
interface Dealt {
  setup: DealSetup;
  secret: string;
  salts: string[];
  commitment: string;
  lots: number[];
  record: string;
}

const read = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(path, import.meta.url)));
const json = (path: string): unknown => JSON.parse(new TextDecoder().decode(read(path)));

export const data = json('../../src/cartagena/data/cartagena.json') as EngineData;
export const code = new WebAssembly.Module(read('../../src/cartagena/data/cartagena.wasm'));
export const network = (file: string): Promise<ArrayBuffer> =>
  Promise.resolve(read(`../../src/cartagena/players/data/${file}`).buffer);
export const vectors = json('../../tests/conformance/vectors.json') as {
  positions: About[];
  wrong: string[];
  searches: Searched[];
  decisions: Decided[];
  'stand-offs': { level: string; decisions: [number, string, string][] }[];
  deals: Dealt[];
  misfits: DealSetup[];
  record: [string, string, { tags: Record<string, string>; opening: string; moves: Entry[] }];
  'wrong records': string[];
};

/** In place of `fetch`: the engine's files from the disk. */
export function fetchFile(url: string): Promise<Response> {
  const file = new URL(url.replace(/^\/@fs/, '').replace(/\?.*$/, ''), new URL('..', import.meta.url));
  return Promise.resolve(new Response(readFileSync(file) as Uint8Array<ArrayBuffer>));
}

/** A worker in the same thread. */
export function worker(): WorkerLike {
  const found: WorkerLike = { onmessage: null, terminate: () => undefined, postMessage: () => undefined };
  const hear = thinker((reply: Reply) => found.onmessage?.({ data: reply }));
  found.postMessage = (request: Request) => void hear(request);
  return found;
}
