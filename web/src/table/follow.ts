/** Keeps a list that grows at its end, unless its reader has scrolled back. */

/** How near to the end a reader is at the end, in pixels. */
const NEAR = 24;

export function followEnd(list: HTMLElement) {
  let isAtEnd = true;
  let top = 0;
  const toEnd = (): void => {
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    top = list.scrollTop;
  };
  // Only a reader scrolls up. A list that has got lower is away from its end, too, when it is told of its own scrolling.
  const scrolled = (): void => {
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    isAtEnd = isNear || (isAtEnd && list.scrollTop >= top);
    top = list.scrollTop;
  };
  const growing = new MutationObserver(toEnd);
  growing.observe(list, { childList: true, subtree: true });
  // A list that gets another height stays where it was read.
  const sizing = new ResizeObserver(toEnd);
  sizing.observe(list);
  list.addEventListener('scroll', scrolled, { passive: true });
  toEnd();
  return {
    destroy() {
      growing.disconnect();
      sizing.disconnect();
      list.removeEventListener('scroll', scrolled);
    },
  };
}
