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

/** Follows something picked up outside the board, a card: tells when it is lifted and on which place it is put down. */
export function followDrag(start: PointerEvent, lifted: () => void, put: (place: Place) => void): void {
  let far = false;
  const move = (event: PointerEvent): void => {
    if (far || Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR) return;
    far = true;
    lifted();
  };
  const end = (event: PointerEvent): void => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    const place = far && event.type === 'pointerup' ? placeUnder(event.clientX, event.clientY) : undefined;
    if (place !== undefined) put(place);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
