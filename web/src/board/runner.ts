/** Lets a figure run along its way instead of jumping. */
import type { Place } from '../game/position.ts';
import { hold } from './drag.svelte.ts';
import type { Point } from './path.ts';

export interface Run extends Point {
  readonly place: Place;
  /** 1: normal; 0: no movement at all. */
  readonly pace: number;
  readonly run: (from: Place, to: Place) => Point[];
  /** Changes with the layout of the board: then no figure runs. */
  readonly size: object;
}

const SHORTEST = 200;
const LONGEST = 350;

/** How long a run over that many places takes. */
export function runTime(steps: number, pace: number): number {
  return Math.min(LONGEST, SHORTEST + steps * 12) * pace;
}

export function prefersStillness(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function runner(node: SVGGElement, first: Run) {
  let now = first;
  return {
    update(next: Run) {
      const before = now;
      now = next;
      const moved = before.x !== next.x || before.y !== next.y;
      if (!moved || before.size !== next.size || next.pace === 0 || prefersStillness()) return;
      if (before.place !== next.place && hold.takeDrop()) return;
      const middle = before.place === next.place ? [] : next.run(before.place, next.place).slice(1, -1);
      const points = [before, ...middle, next];
      const outer = node.parentElement;
      outer?.parentElement?.appendChild(outer);
      node.animate(
        points.map((point) => ({ transform: `translate(${point.x}px, ${point.y}px)` })),
        { duration: runTime(middle.length, next.pace), easing: 'ease-in-out' },
      );
    },
  };
}
