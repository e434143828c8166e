/** Something that is told for a while and then goes away by itself, whatever else happens meanwhile. */

export class Notice<T> {
  shown: T | undefined = $state.raw();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `span`: how long something is shown, in milliseconds. */
  constructor(private readonly span: number) {}

  /** Show something, in place of what is shown. */
  show(what: T): void {
    clearTimeout(this.timer);
    this.shown = what;
    this.timer = setTimeout(() => this.clear(), this.span);
  }

  /** Take away what is shown. */
  readonly clear = (): void => {
    clearTimeout(this.timer);
    this.shown = undefined;
  };
}

/** How long it is told that a player has left or come back, what was said, and how a game ended, in milliseconds. */
export const SPANS = { player: 9000, talk: 6000, scene: 3000 } as const;
