/** Something that a person wants done and that may be refused: whether it is under way, and why it failed. */
import { Refused } from '../net/api.ts';
import { failureWords } from './words.ts';

export class Attempt {
  busy = $state(false);
  private error: unknown = $state.raw();

  /** `words` says why it failed. */
  constructor(private readonly words = failureWords) {}

  /** Why it failed, in words; empty where it did not. */
  get problem(): string {
    return this.error === undefined ? '' : this.words(this.error);
  }

  /** The refusal of the server, where that is why. */
  get refused(): Refused | undefined {
    return this.error instanceof Refused ? this.error : undefined;
  }

  readonly make = async (work: () => Promise<unknown>): Promise<void> => {
    [this.busy, this.error] = [true, undefined];
    try {
      await work();
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  };
}
