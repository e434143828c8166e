/** A finished game as one seat saw it, as `study/seat_view.py` has it: views in the place of positions. */
import type { Engine, GameRecord, Position } from '../engine/index.ts';
import { winnerOf } from './judge.ts';
import { HIDDEN, resultOf, splitCourse, Valuation } from './luck.ts';
import type { Split, Values } from './types.ts';

/** Deals of the hidden cards over which the value of a view is the mean. */
const DEALS = 32;

/** The value of a seat's views. It depends on the view alone. */
class SeatValuation extends Valuation {
  constructor(
    engine: Engine,
    private readonly seat: number,
  ) {
    super(engine);
  }

  /** Whether the value of a view is the mean over the cards that are due, which the seat must be shown. */
  protected override looksAhead(view: Position): boolean {
    if (!super.looksAhead(view)) return false;
    return this.word(view, 'ROW_DUE') > 0 || this.engine.hidden(view, this.word(view, 'TURN') + 1) === 0;
  }

  protected override after(view: Position, card: string): Position {
    return this.engine.view(this.engine.dealt(view, card), this.seat);
  }

  /** The mean evaluation of a view, or the result of a game that is over. */
  protected override look(view: Position): Values {
    if (winnerOf(this.engine, view) !== undefined) return super.look(view);
    const seats = Array.from({ length: view.seats }, (_, index) => index);
    const isHidden = seats.some((index) => this.engine.hidden(view, index + 1) > 0);
    const values = this.engine.deals(view, isHidden ? DEALS : 1).map((deal) => super.look(deal));
    return seats.map((index) => values.reduce((sum, each) => sum + (each[index] ?? 0), 0) / values.length);
  }
}

/** Split a record by what one seat, from 1, could know: its own cards and all that lay open. */
export function seatSplit(engine: Engine, record: GameRecord, seat: number): Split {
  const views = record.positions.map((position) => engine.view(position, seat));
  const seen = ({ move }: { readonly move: string }, index: number): string => {
    const [before, after] = [record.positions[index], views[index + 1]];
    if (!move.startsWith('+') || !before || !after || before.words[engine.number('ROW_DUE')]) return move;
    return engine.hidden(after, Number(before.words[engine.number('TURN')] ?? 0n) + 1) ? HIDDEN : move;
  };
  return splitCourse(
    engine,
    { positions: views, moves: record.moves.map(seen), result: resultOf(engine, record) },
    new SeatValuation(engine, seat),
  );
}
