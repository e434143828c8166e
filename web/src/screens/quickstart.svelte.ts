/** A game that starts with one click: on the server or, where that fails or takes too long, in this browser. */
import { settings } from '../app/settings.svelte.ts';
import { sleep } from '../engine/messages.ts';
import { isUnreachable, NOT_DOWNLOADED, offerHere, suitingLevel, type Offer } from '../local/offer.ts';
import { OFFLINE, Refused } from '../net/api.ts';

/** Milliseconds that the server has before the person may choose to play without it. */
const PROMPT = 1000;
/** Milliseconds in which what playing here needs is fetched, or counts as not downloaded. */
const DOWNLOAD = 5000;

/** The offer of this browser, if what it needs is fetched in time. */
const inTime = (here: Promise<Offer>): Promise<Offer> =>
  Promise.race([
    here,
    sleep(DOWNLOAD).then(() => {
      throw new Refused(NOT_DOWNLOADED, 'What playing without the server needs is not here.');
    }),
  ]);

/** The work, unless the signal ends it: then it fails like a request to a server that is away. */
const unlessEnded = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(new Refused(OFFLINE, 'The server is not waited for.')));
    }),
  ]);

export class QuickStart {
  /** A game is being set up. */
  busy = $state(false);
  /** The server keeps the person waiting; `ready` once the game can start in this browser. */
  wait: 'slow' | 'ready' | undefined = $state();
  /** Why no game starts, or none without the server. */
  problem: unknown = $state.raw();
  private request = new AbortController();
  private closed = false;

  /**
   * Set up a game against the computer, or for two people where there is none. Returns the table's name; nothing if the
   * person has left the page meanwhile, or if there is a problem.
   */
  async begin(rules: string, offered: Promise<Offer>): Promise<string | undefined> {
    [this.busy, this.problem] = [true, undefined];
    try {
      return (await this.onServer(rules, offered)) ?? (await this.inBrowser(rules));
    } catch (error) {
      [this.busy, this.problem] = [false, error];
      return undefined;
    }
  }

  /** Wait for the server no longer and start here. An answer that comes later is not heard. */
  readonly here = (): void => this.request.abort();

  /** The person leaves the page: nothing is started any more. */
  close(): void {
    this.closed = true;
    this.request.abort();
  }

  /** The table that the server sets up; nothing where there is no server, or where the person waits for it no longer. */
  private async onServer(rules: string, offered: Promise<Offer>): Promise<string | undefined> {
    const request = (this.request = new AbortController());
    const prompt = setTimeout(() => void this.prepare(request.signal), PROMPT);
    try {
      const offer = await unlessEnded(offered, request.signal);
      return offer.server ? await unlessEnded(this.setUp(rules, offer, request.signal), request.signal) : undefined;
    } catch (error) {
      if (isUnreachable(error)) return undefined;
      throw error;
    } finally {
      clearTimeout(prompt);
      request.abort();
      this.wait = undefined;
    }
  }

  private async inBrowser(rules: string): Promise<string | undefined> {
    if (this.closed) return undefined;
    if (this.problem) throw this.problem; // it is known not to start here
    const offer = await inTime(offerHere());
    return this.closed ? undefined : this.setUp(rules, offer);
  }

  /** Tell that the server is slow, and find out whether the game can start here. */
  private async prepare(signal: AbortSignal): Promise<void> {
    const tell = async (here: Promise<Offer>): Promise<void> => {
      const problem = await here.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (signal.aborted) return;
      this.problem = problem;
      if (!problem) this.wait = 'ready';
    };
    this.wait = 'slow';
    const here = offerHere();
    await tell(inTime(here));
    await tell(here);
  }

  private async setUp(rules: string, { about, server }: Offer, signal?: AbortSignal): Promise<string> {
    const { playNow } = await import('./quick.ts').catch(() => {
      throw new Refused(OFFLINE, 'A part of this page cannot be fetched.');
    });
    return playNow(rules, suitingLevel(about.levels, settings.level), server, signal);
  }
}
