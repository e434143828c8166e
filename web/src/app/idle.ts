/** Wait until the page has nothing to do, half a second at most. */
export const idle = (): Promise<unknown> =>
  new Promise((done) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(done, { timeout: 500 });
    else setTimeout(done);
  });
