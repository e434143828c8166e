/** The record under review: its choices, comments and variations, and its text with the review in it. */
import { EngineError, GameRecord, type Engine, type Entry } from '../engine/index.ts';
import type { Choice } from './judge.ts';
import { resultOf } from './luck.ts';
import { readComment, writeComment, type Comment } from './recordlines.ts';
import type { Decision } from './types.ts';

const DIGITS = 4;

/** Round as Python does for these numbers. */
const rounded = (value: number): number => Number(value.toFixed(DIGITS));

/** What is said of a decision in the record: class, points lost and the best turn. A good one has none. */
export function remark({ kind, cost, turns, best }: Decision): string {
  if (kind === 'best' || kind === 'good') return '';
  return `[%review ${kind} -${(100 * cost).toFixed(1)} better ${turns[0]?.moves ?? best}]`;
}

/** A record in which nothing was played. */
export class NoMoves extends EngineError {}

export class ReviewedRecord {
  readonly record: GameRecord;
  /** The choices with the positions before them; step k of a replay is choice k - 1. */
  readonly choices: readonly Choice[];

  constructor(
    private readonly engine: Engine,
    text: string,
  ) {
    this.record = GameRecord.parse(engine, text);
    resultOf(engine, this.record);
    if (this.record.moves.length === 0) throw new NoMoves('This record has no moves.');
    this.choices = this.record.moves.flatMap(({ move }, index) =>
      move.startsWith('+')
        ? []
        : [{ number: index + 1, move, position: engine.format(this.record.positions[index] ?? this.record.opening) }],
    );
  }

  /** The comment of a step, and the variations that are played instead of it. */
  comments(): Comment[] {
    return this.choices.map(({ number }) => readComment(this.record.moves[number - 1]?.comment ?? ''));
  }

  /** The record with comments, variations and, as far as they are known, judged decisions. */
  text(comments: readonly Comment[], decisions: ReadonlyMap<number, Decision>): string {
    const steps = new Map(this.choices.map(({ number }, index) => [number, index]));
    const moves = this.record.moves.map((entry, index): Entry => {
      const step = steps.get(index + 1);
      if (step === undefined) return entry;
      const decision = decisions.get(index + 1);
      const said = comments[step] ?? { words: '', lines: [] };
      const values = decision ? decision.after.map(rounded) : entry.eval;
      return {
        move: entry.move,
        comment: writeComment(said, decision ? remark(decision) : ''),
        ...(values ? { eval: values } : {}),
      };
    });
    return new GameRecord(this.engine, this.record.opening, moves, this.record.tags).toString();
  }
}
