/** Dragging a pirate or a card with mouse, pen or finger: it is lifted, follows the pointer, snaps to targets and drops. */
import type { Place } from '../game/position.ts';

const FAR = 8;

/** A pirate or a card that can be dragged. */
interface Piece {
  readonly seat?: number | undefined;
  readonly card?: string | undefined;
  /** The place it was taken from; nothing for a card. */
  readonly from?: Place | undefined;
  readonly size: number;
}

/** What follows the pointer. */
export interface Held extends Piece {
  readonly x: number;
  readonly y: number;
  readonly snapped: boolean;
}

class Hold {
  held: Held | undefined = $state.raw();
  private dropped = -Infinity;

  /** Something was put down on its target: it must not run there again. */
  drop(): void {
    this.dropped = performance.now();
  }

  /** Whether a figure that moves now was put there by hand; true once for each drop. */
  takeDrop(): boolean {
    const fresh = performance.now() - this.dropped < 2000;
    this.dropped = -Infinity;
    return fresh;
  }
}

export const hold = new Hold();

export interface Under {
  readonly place: Place;
  readonly target: boolean;
  readonly box: DOMRect;
}

/** The place at a point: what can be picked there, else the nearest of the places that reach there. */
export function nodeAt(x: number, y: number): Element | undefined {
  const nodes = document.elementsFromPoint(x, y);
  const marked = nodes[0]?.closest('[data-place]');
  if (marked || !nodes[0]?.closest('[data-spot]')) return marked ?? undefined;
  const far = (node: Element): number => {
    const box = node.getBoundingClientRect();
    return Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
  };
  return nodes
    .filter((node) => node.matches('[data-spot]'))
    .reduce((best, next) => (far(next) < far(best) ? next : best));
}

export function under(x: number, y: number): Under | undefined {
  const node = nodeAt(x, y);
  const place = node?.getAttribute('data-place') ?? node?.getAttribute('data-spot');
  if (!node || !place) return undefined;
  return {
    place,
    target: /target|source/.test(node.getAttribute('data-kinds') ?? ''),
    box: node.getBoundingClientRect(),
  };
}

export interface Grip extends Piece {
  /** Whether it can be lifted at all. */
  readonly loose: boolean;
  readonly lifted: () => void;
  readonly put: (place: Place) => void;
}

/** Follow a pointer that went down until it comes up. */
export function follow(start: PointerEvent, grip: Grip): void {
  if (start.button !== 0) return;
  const { loose, lifted, put, ...piece } = grip;
  let far = false;
  const move = (event: PointerEvent): void => {
    if (event.pointerId !== start.pointerId) return;
    if (!far) {
      if (!loose || Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR) return;
      far = true;
      lifted();
    }
    const below = under(event.clientX, event.clientY);
    const snapped = below?.target === true && below.place !== piece.from;
    const x = snapped ? below.box.x + below.box.width / 2 : event.clientX;
    const y = snapped ? below.box.y + below.box.height / 2 : event.clientY;
    hold.held = { ...piece, x, y, snapped };
  };
  const end = (event: PointerEvent): void => {
    if (event.pointerId !== start.pointerId) return;
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    hold.held = undefined;
    if (event.type !== 'pointerup' || !far) return;
    const below = under(event.clientX, event.clientY);
    if (!below || below.place === piece.from) return;
    if (below.target) hold.drop();
    put(below.place);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
