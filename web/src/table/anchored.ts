/** Keeps a floating box beside what it speaks of: above it where there is room, else below, and always on the page. */
const GAP = 8;

export interface Floating {
  /** The node spoken of; nothing: the lower middle of the ground. */
  readonly target: Element | null;
  /** The node to stay within where there is no target. */
  readonly ground: Element | null;
}

export function anchored(node: HTMLElement, floating: Floating) {
  let now = floating;
  const place = (): void => {
    const { innerWidth, innerHeight } = window;
    const own = node.getBoundingClientRect();
    const box = now.target?.getBoundingClientRect();
    const ground = now.ground?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const middle = box ? box.x + box.width / 2 : ground.x + ground.width / 2;
    const above = box ? box.y - own.height - GAP : ground.bottom - own.height - 2 * GAP;
    const top = box && above < GAP ? box.bottom + GAP : above;
    const left = Math.max(GAP, Math.min(innerWidth - own.width - GAP, middle - own.width / 2));
    node.style.left = `${left}px`;
    node.style.top = `${Math.max(GAP, Math.min(innerHeight - own.height - GAP, top))}px`;
    node.style.setProperty('--tip', `${Math.max(14, Math.min(own.width - 14, middle - left))}px`);
    node.dataset['side'] = !box ? 'none' : top > above ? 'below' : 'above';
  };
  place();
  addEventListener('resize', place);
  return {
    update(next: Floating) {
      now = next;
      place();
    },
    destroy: () => removeEventListener('resize', place),
  };
}

/** Put the hint on the half of the board where it covers nothing that it speaks of. */
export function dodge(node: HTMLElement): void {
  const [spot, ground] = [document.querySelector('.ring.hint'), document.querySelector('.board')].map((found) =>
    found?.getBoundingClientRect(),
  );
  if (spot && ground && spot.y - ground.y < ground.height / 2) node.style.marginTop = 'auto';
}
