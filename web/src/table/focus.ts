/** Keeps the keyboard's place: where a move takes the focused node away, the next best one at the table gets the focus. */
const NAMED = ['place', 'card', 'action'] as const;

interface Held {
  readonly kind: (typeof NAMED)[number] | 'other';
  readonly name: string;
}

const BOARD: Held = { kind: 'other', name: '' };

function heldBy(node: Element): Held {
  for (const kind of NAMED) {
    const name = (node.closest(`[data-${kind}]`) as HTMLElement | SVGElement | null)?.dataset[kind];
    if (name !== undefined) return { kind, name };
  }
  return BOARD;
}

/** Whether a person sees a node. (`checkVisibility` is new in Safari 17.4.) */
const isSeen = (node: Element): boolean =>
  node.getClientRects().length > 0 && getComputedStyle(node).visibility === 'visible';

/**
 * The node that had the focus if it is still there, else another place or card in its stead, else any place, else the
 * board. No action stands for another one.
 */
function bestOf(root: ParentNode, { kind, name }: Held): HTMLElement | SVGElement | undefined {
  const exact = kind === 'other' ? [] : [`[data-${kind}='${CSS.escape(name)}']`];
  const same = kind === 'place' || kind === 'card' ? [...exact, `[data-${kind}]`] : exact;
  const found = [...same, '[data-place]', '.board'].flatMap((selector) => [
    ...root.querySelectorAll<HTMLElement | SVGElement>(selector),
  ]);
  return found.find(isSeen);
}

export function keepFocus(root: HTMLElement) {
  let held: Held | undefined;
  let frame = 0;
  const focused = ({ target }: FocusEvent): void => {
    const node = target as Element;
    // A question comes and goes: afterwards the focus is where it was before.
    if (node.closest('[role=alertdialog]')) held ??= BOARD;
    else if (node.closest('.curtain'))
      held = BOARD; // the next person begins on the board
    else held = root.contains(node) ? heldBy(node) : undefined;
  };
  const pressed = ({ target }: PointerEvent): void => {
    const { activeElement, body } = document;
    const isFocused = activeElement !== body && activeElement?.contains(target as Node);
    if (!isFocused) held = undefined; // a click on nothing lets go; one on something else focuses it
  };
  const check = (): void => {
    if (held && document.activeElement === document.body) bestOf(root, held)?.focus({ preventScroll: true });
  };
  // A browser takes the focus from a hidden node only when it draws the next frame.
  const soon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => (frame = requestAnimationFrame(check)));
  };
  const observer = new MutationObserver(soon);
  observer.observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['class', 'data-ready'],
  });
  document.addEventListener('focusin', focused);
  document.addEventListener('pointerdown', pressed);
  return {
    destroy() {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', pressed);
    },
  };
}
