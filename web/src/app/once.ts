/** A click that is not the second of a double click: where a button asks "sure?" in its own place, that answers nothing. */
export const once =
  (work: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail < 2) work();
  };
