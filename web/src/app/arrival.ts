/** After a navigation: the focus goes to the heading of the new page, and on the way back the page stands where it was left. */
const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

const headingNow = (): HTMLElement | null => document.querySelector('h1');

let stop: () => void = () => undefined;

/**
 * Wait for the page that replaces the one shown now. Its words may be fetched first and its lists grow later, so this goes
 * on until all is done, the reader does something, or another page is wanted.
 */
export function arrive(height: number): void {
  stop();
  const old = headingNow();
  let greeted = false;
  const settle = (): void => {
    const heading = headingNow();
    if (!heading || heading === old) return;
    if (!greeted) greet();
    greeted = true;
    scrollTo(0, height);
    if (Math.abs(scrollY - height) < 1) stop();
  };
  const changes = new MutationObserver(settle);
  stop = () => {
    changes.disconnect();
    for (const gesture of GESTURES) removeEventListener(gesture, stop, { capture: true });
  };
  for (const gesture of GESTURES) addEventListener(gesture, stop, { capture: true, passive: true });
  changes.observe(document.body, { childList: true, subtree: true });
}

/** Focus the heading, unless the page has put the focus somewhere itself. */
export function greet(): void {
  const heading = headingNow();
  if (!heading || (document.activeElement && document.activeElement !== document.body)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
