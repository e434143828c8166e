/** When the page has fetched all that it needs now, so that what only later pages need delays nothing. */

/** Milliseconds without a fetch after which the page is quiet. */
const QUIET = 1000;
/** Milliseconds after which it is taken for quiet anyway: some pages fetch news again and again. */
const LONGEST = 15_000;

/** Wait until the page is loaded and has then fetched nothing for a while. */
export async function quiet(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done, { once: true }));
  await document.fonts.ready;
  await new Promise<void>((done) => {
    const finish = (): void => {
      watcher.disconnect();
      [still, longest].forEach(clearTimeout);
      done();
    };
    const watcher = new PerformanceObserver(() => {
      clearTimeout(still);
      still = setTimeout(finish, QUIET);
    });
    let still = setTimeout(finish, QUIET);
    const longest = setTimeout(finish, LONGEST);
    watcher.observe({ type: 'resource' });
  });
}
