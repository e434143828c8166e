/** Outlines of the places that are no fields: walls with battlements, and clearings with a soft edge. */
import type { Box } from './layout.ts';

const TOOTH = 9;

/** Battlements from left to right along a line; the path goes on from where it stands. */
function battlements(width: number): string {
  const teeth = Math.max(1, Math.floor(width / (2 * TOOTH)));
  const step = width / (2 * teeth);
  return `v-7h${step.toFixed(1)}v7h${step.toFixed(1)}`.repeat(teeth);
}

/** A wall with battlements on its upper edge. */
export function wall({ x, y, width, height }: Box): string {
  return `M${x} ${y + height}V${y + 7}${battlements(width)}V${y + height}z`;
}

/** A closed soft outline that nearly fills a box. */
export function clearing({ x, y, width, height }: Box): string {
  const steps = 28;
  const points = Array.from({ length: steps }, (_, i) => {
    const turn = (i / steps) * 2 * Math.PI;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const reach = 0.5 * (0.97 + 0.025 * Math.sin(5 * turn + 1) + 0.02 * Math.cos(3 * turn));
    return [
      x + width * (0.5 + reach * Math.sign(c) * Math.abs(c) ** 0.45),
      y + height * (0.5 + reach * Math.sign(s) * Math.abs(s) ** 0.45),
    ] as const;
  });
  const middle = (i: number): string => {
    const [a, b] = [points[i % steps], points[(i + 1) % steps]];
    return a && b ? `${((a[0] + b[0]) / 2).toFixed(1)} ${((a[1] + b[1]) / 2).toFixed(1)}` : '';
  };
  return `M${middle(0)}${points.map((_, i) => `Q${points[(i + 1) % steps]?.map((n) => n.toFixed(1)).join(' ')} ${middle(i + 1)}`).join('')}z`;
}
