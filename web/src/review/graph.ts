/** The win chances of a game as points of a picture. */
import type { Values } from './types.ts';

/** A swing that is worth a mark: a decision that cost a lot, or a card that changed a lot. */
export interface Swing {
  readonly step: number;
  readonly seat: number;
  readonly change: number;
  readonly kind: 'decision' | 'card';
}

/** What the graph shows: the win chances after each step that has them. */
export interface ChanceCourse {
  readonly steps: number;
  readonly points: readonly { readonly step: number; readonly value: Values }[];
  readonly swings: readonly Swing[];
}

/** The size of the picture in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const xOf = (step: number, steps: number, { width }: Size): number => (steps ? (step / steps) * width : 0);
export const yOf = (value: number, { height }: Size): number => height * (1 - value);

/** The line of one seat, as the data of a path. */
export function lineOf({ points, steps }: ChanceCourse, seat: number, box: Size): string {
  const spots = points.map(
    ({ step, value }) => `${xOf(step, steps, box).toFixed(1)} ${yOf(value[seat - 1] ?? 0, box).toFixed(1)}`,
  );
  return spots.map((spot, at) => `${at ? 'L' : 'M'}${spot}`).join('');
}

/** The win chances at a step: those of the last point up to it. */
export function valueAt({ points }: ChanceCourse, step: number): Values | undefined {
  return points.findLast((point) => point.step <= step)?.value;
}

/** The step at a place of the picture, from 0 to 1 of its width. */
export const stepAt = (share: number, steps: number): number => Math.max(0, Math.min(steps, Math.round(share * steps)));

const STRIDES: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -Infinity,
  End: Infinity,
};

/** The step that a key leads to, or undefined for other keys. */
export function keyedStep(key: string, step: number, steps: number): number | undefined {
  const stride = STRIDES[key];
  return stride === undefined ? undefined : Math.max(0, Math.min(steps, step + stride));
}
