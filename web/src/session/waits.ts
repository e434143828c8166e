/** Waiting between two tries, and the end of all waiting when the page wakes up. */

const FIRST = 300;
const LONGEST = 5000;
/** The longest wait between two tries where there is no server of ours. */
export const QUIET = 30_000;
/** The longest delay of a server that is kept. A longer one may be a mistake, and beyond 24 days timers fire at once. */
const LONGEST_NAMED = 3_600_000;
/** Milliseconds between two looks at the clock, and by how much a look may be late before the device has slept. */
const LOOK = 5000;
const LATE = 5000;

export class Waits {
  private readonly naps = new Set<() => void>();
  private looking: ReturnType<typeof setInterval> | undefined;
  private looked = Date.now();

  /** `wake` is called when the page is looked at again, the network is back, or a timer was late. */
  constructor(
    private readonly wake: () => void,
    private readonly offline: () => void,
  ) {}

  begin(): void {
    addEventListener('online', this.rouse);
    addEventListener('offline', this.offline);
    document.addEventListener('visibilitychange', this.seen);
    this.looked = Date.now();
    this.looking = setInterval(this.look, LOOK);
  }

  end(): void {
    removeEventListener('online', this.rouse);
    removeEventListener('offline', this.offline);
    document.removeEventListener('visibilitychange', this.seen);
    clearInterval(this.looking);
    this.endNaps();
  }

  /** Wait before the next try: as long as the server has named, else longer each time. Ends early when the page wakes up. */
  nap(named: number | undefined, tries: number, longest = LONGEST): Promise<void> {
    // Pages that were cut off together do not all come back in the same moment.
    const usual = Math.min(longest, FIRST * 2 ** tries) * (0.8 + 0.4 * Math.random());
    return this.wait(named === undefined ? usual : Math.min(named, LONGEST_NAMED));
  }

  /** End all waits, as the server answers, and wait for what comes of that. */
  rest(ms: number): Promise<void> {
    this.endNaps();
    return this.wait(ms);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const over = (): void => {
        clearTimeout(timer);
        this.naps.delete(over);
        done();
      };
      const timer = setTimeout(over, ms);
      this.naps.add(over);
    });
  }

  private endNaps(): void {
    for (const over of [...this.naps]) over();
  }

  private readonly rouse = (): void => {
    this.looked = Date.now();
    this.wake();
    this.endNaps();
  };

  private readonly seen = (): void => {
    if (document.visibilityState === 'visible') this.rouse();
  };

  /** Timers stand still while a device sleeps. */
  private readonly look = (): void => {
    const isLate = Date.now() - this.looked > LOOK + LATE;
    this.looked = Date.now();
    if (isLate) this.rouse();
  };
}
