/** The steps of a replay and the numbers of a record's moves: a step is a choice with the cards dealt after it. */
export class Steps {
  /** `numbers` are those of the choices, from 1; `moves` counts the deals too. */
  constructor(
    readonly numbers: readonly number[] = [],
    private readonly moves = 0,
  ) {}

  /** The number of the choice of a step, from 1; 0 for the opening. */
  choiceOf(step: number): number {
    return this.numbers[step - 1] ?? 0;
  }

  /** The number of the move that ends a step, its deals included. */
  endOf(step: number): number {
    return (this.numbers[step] ?? this.moves + 1) - 1;
  }

  /** The step that a move belongs to. */
  stepOf(number: number): number {
    return this.numbers.findLastIndex((choice) => choice <= number) + 1;
  }
}
