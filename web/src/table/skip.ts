/** A tap or a key while computers play shows their moves at once, and does nothing else. */
import { settings } from '../app/settings.svelte.ts';
import type { TableModel } from './model.svelte.ts';

interface Skipping {
  readonly model: TableModel;
  /** A shared device waits for its next person. */
  readonly covered: boolean;
}

/** What works while others play, too: a tap there, or Enter, is meant for it. */
const CONTROLS = 'a, button, input, textarea, select, summary, dialog, .side, .notes a, .notes button';
/** Pirates and cards are picked only in the viewer's turn. */
const PIECES = ':is(.board, .hand) :not(.notes *)';
const TYPING = 'input, textarea, select, dialog';

const isFree = (target: EventTarget | null): boolean => {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return !control || control.matches(PIECES);
};

/** Whether a key would do something at the table: letters only where the settings let them. */
function isPressed({ key, target, repeat, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (repeat || ctrlKey || metaKey || altKey || shiftKey) return false;
  if (document.querySelector('dialog[open]') || (target instanceof Element && target.closest(TYPING))) return false;
  return key === 'Enter' || key === ' ' ? isFree(target) : settings.keys && key.length === 1;
}

export function skips(root: HTMLElement, first: Skipping): { update: (next: Skipping) => void; destroy: () => void } {
  let now = first;
  /** The click that follows belongs to a tap or a key that has skipped. */
  let isSpent = false;
  const skip = (event: Event, isMeant: boolean): void => {
    isSpent = isMeant && !now.covered && now.model.canSkip;
    if (!isSpent) return;
    event.stopImmediatePropagation();
    if (event.type === 'keydown') event.preventDefault();
    now.model.skip();
  };
  const down = (event: PointerEvent): void => skip(event, event.button === 0 && isFree(event.target));
  const press = (event: KeyboardEvent): void => skip(event, isPressed(event));
  const click = (event: MouseEvent): void => {
    if (!isSpent) return;
    isSpent = false;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  root.addEventListener('pointerdown', down, { capture: true });
  root.addEventListener('click', click, { capture: true });
  addEventListener('keydown', press, { capture: true });
  return {
    update: (next) => void (now = next),
    destroy: () => {
      root.removeEventListener('pointerdown', down, { capture: true });
      root.removeEventListener('click', click, { capture: true });
      removeEventListener('keydown', press, { capture: true });
    },
  };
}
