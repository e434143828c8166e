/** The engine of this page for reviews: workers are started when a review or an analysis needs them. */
import { loaded } from '../local/engine.ts';
import { LiveEvaluator, ReviewCrew } from './crew.ts';
import type { StudyWorker } from './tasks.ts';

const newWorker = (): StudyWorker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }) as unknown as StudyWorker;

/** One core is left for the page and the live evaluation. */
const size = (): number => Math.max(1, Math.min(6, (navigator.hardwareConcurrency || 2) - 1));

export async function reviewCrew(): Promise<ReviewCrew> {
  const { code, data } = await loaded();
  return new ReviewCrew(Array.from({ length: size() }, newWorker), code, data);
}

export async function liveEvaluator(): Promise<LiveEvaluator> {
  const { code, data } = await loaded();
  return new LiveEvaluator(newWorker(), code, data);
}
