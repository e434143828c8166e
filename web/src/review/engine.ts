/** The engine of this page for reviews: workers are started when a review or an analysis needs them. */
import { loaded, networkFile } from '../local/engine.ts';
import { LiveEvaluator, ReviewCrew } from './crew.ts';
import type { Network, StudyWorker } from './tasks.ts';

const newWorker = (): StudyWorker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }) as unknown as StudyWorker;

/** One core is left for the page and the live evaluation. */
const size = (): number => Math.max(1, Math.min(6, (navigator.hardwareConcurrency || 2) - 1));

/** A network for a position; undefined where there is none, or where it cannot be fetched. */
async function fetchedFor(position: string, kind: 'fileFor' | 'luckFor'): Promise<Network | undefined> {
  const { engine } = await loaded();
  const file = engine.networks[kind](engine.parse(position))?.file;
  const content = file && (await networkFile(file).catch(() => undefined));
  return file && content ? { file, content } : undefined;
}

/** The network of the strongest level for a position, if there is one. */
export const networkFor = (position: string): Promise<Network | undefined> => fetchedFor(position, 'fileFor');

/** The frozen network by which luck is measured in the game of a position. */
export const luckFor = (position: string): Promise<Network | undefined> => fetchedFor(position, 'luckFor');

/** Workers that are brought some networks: to judge by the strongest level, and to measure luck. */
export async function reviewCrew(
  networks: readonly (Network | undefined)[],
  workers: number = size(),
): Promise<ReviewCrew> {
  const { code, data } = await loaded();
  const crew = new ReviewCrew(Array.from({ length: workers }, newWorker), code, data);
  for (const network of networks) if (network) crew.bring(network);
  return crew;
}

export async function liveEvaluator(): Promise<LiveEvaluator> {
  const { code, data } = await loaded();
  return new LiveEvaluator(newWorker(), code, data);
}
