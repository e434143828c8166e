/** Something that a person wants done and that may be refused: whether it is under way, and why it failed. */
import { failureWords } from './words.ts';

export class Attempt {
  busy = $state(false);
  problem = $state('');
  private readonly words: (error: unknown) => string;

  /** `words` says why it failed. */
  constructor(words = failureWords) {
    this.words = words;
  }

  readonly make = async (work: () => Promise<unknown>): Promise<void> => {
    [this.busy, this.problem] = [true, ''];
    try {
      await work();
    } catch (error) {
      this.problem = this.words(error);
    }
    this.busy = false;
  };
}
