/** What a board that shows moves is doing: one named state at a time, and waits that end with it. */

export type Mode =
  /** The game as it is. */
  | { readonly name: 'idle' }
  /** A move is on its way to the table. */
  | { readonly name: 'sending' }
  /** Moves are shown as they come. */
  | { readonly name: 'playing' }
  /** Moves are shown again. */
  | { readonly name: 'replaying' }
  /** The game is shown as it was. */
  | { readonly name: 'looking-back' }
  /** The table is left: nothing is shown and nothing sounds any more. */
  | { readonly name: 'closed' };

export class Modes {
  mode: Mode = $state.raw({ name: 'idle' });
  /** End the wait within the mode early. */
  protected endWait: () => void = () => undefined;

  is(...names: Mode['name'][]): boolean {
    return names.includes(this.mode.name);
  }

  close(): void {
    this.enter({ name: 'closed' });
  }

  /** Begin a mode; the waits of the one before are over. What is closed stays closed. */
  protected enter<M extends Mode>(mode: M): M {
    if (!this.is('closed')) this.mode = mode;
    this.endWait();
    return mode;
  }

  /** Wait within a mode. Returns whether it still lasts. Moves that come are not waited for while no one sees them. */
  protected async wait(mine: Mode, ms: number): Promise<boolean> {
    const skips = (): boolean => mine.name === 'playing' && document.visibilityState === 'hidden';
    if (this.mode === mine && ms > 0 && !skips())
      await new Promise<void>((done) => {
        const over = (): void => {
          clearTimeout(timer);
          document.removeEventListener('visibilitychange', hidden);
          this.endWait = () => undefined;
          done();
        };
        const hidden = (): void => {
          if (skips()) over();
        };
        const timer = setTimeout(over, ms);
        document.addEventListener('visibilitychange', hidden);
        this.endWait = over;
      });
    return this.mode === mine;
  }
}
