/** Dragging with mouse, pen or finger: picks the place it began on, then the place it ended on. */
import type { Place } from '../game/position.ts';

const FAR = 12;

export function placeUnder(x: number, y: number): Place | undefined {
  const node = document.elementFromPoint(x, y)?.closest('[data-place]');
  return node?.getAttribute('data-place') ?? undefined;
}

export class DragTracker {
  private from: { place: Place; x: number; y: number } | undefined;
  private picked = false;

  constructor(private readonly pick: (place: Place) => void) {}

  readonly down = (event: PointerEvent): void => {
    const place = placeUnder(event.clientX, event.clientY);
    this.from = place === undefined ? undefined : { place, x: event.clientX, y: event.clientY };
    this.picked = false;
  };

  readonly move = (event: PointerEvent): void => {
    if (!this.from || this.picked) return;
    if (Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) < FAR) return;
    this.picked = true;
    this.pick(this.from.place);
  };

  readonly up = (event: PointerEvent): void => {
    const from = this.from;
    this.from = undefined;
    if (!from || !this.picked) return;
    const place = placeUnder(event.clientX, event.clientY);
    if (place !== undefined && place !== from.place) this.pick(place);
  };

  readonly cancel = (): void => {
    this.from = undefined;
  };
}
