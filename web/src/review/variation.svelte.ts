/** A line that was not played in the game: played now on a table of its own, or shown move by move. */
import { positionOf, type Position } from '../game/position.ts';
import { Trial } from '../learn/trial.svelte.ts';
import { moveText } from '../local/notation.ts';
import { tryPosition } from '../local/study.ts';
import { Refused } from '../net/api.ts';
import type { StudyPosition } from '../net/wire.ts';

/** Where a line begins: instead of a step of the game, from the position before it, with these moves first. */
export interface LineStart {
  readonly step: number;
  readonly opening: string;
  readonly lead: readonly string[];
}

/** Moves in notation as choices, each with the cards dealt after it. */
export function grouped(moves: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const move of moves) {
    if (move.startsWith('+') && groups.length > 0) groups.at(-1)?.push(move);
    else groups.push([move]);
  }
  return groups;
}

export class Variation {
  /** The choices shown so far, of a line that is shown. */
  at = $state(0);
  /** True where the line cannot be played. */
  broken = $state(false);
  private positions: readonly StudyPosition[] = $state.raw([]);

  private constructor(
    readonly root: LineStart,
    /** The table on which the line is played; undefined for a line that is shown. */
    readonly trial: Trial | undefined,
  ) {}

  /** Play a line from a position. */
  static played(start: string, root: LineStart): Variation {
    const trial = new Trial(start);
    void trial.reset();
    return new Variation(root, trial);
  }

  /** Show a line from its beginning, or from its end. */
  static shown(root: LineStart, atEnd = false): Variation {
    const found = new Variation(root, undefined);
    void found.walk(atEnd);
    return found;
  }

  /** The moves of the line, dealt cards included. */
  get moves(): string[] {
    const played = (this.trial?.model.log ?? []).flatMap(({ move, cards }) =>
      move ? [moveText(move), ...(cards ?? [])] : [],
    );
    return [...this.root.lead, ...played];
  }

  get length(): number {
    return Math.max(0, this.positions.length - 1);
  }

  get text(): string {
    return this.trial ? this.trial.text : (this.positions[this.at]?.text ?? this.root.opening);
  }

  get position(): Position | undefined {
    const json = this.positions[this.at]?.position;
    return this.trial ? this.trial.model.position : json && positionOf(json);
  }

  /** Leave the line: where it is played, nothing goes on. */
  close(): void {
    this.trial?.close();
  }

  go(to: number): void {
    this.at = Math.max(0, Math.min(this.length, to));
  }

  private async walk(atEnd: boolean): Promise<void> {
    const groups = grouped(this.root.lead);
    try {
      this.positions = await Promise.all(
        [...groups, []].map((_, size) => tryPosition(this.root.opening, groups.slice(0, size).flat())),
      );
      this.at = atEnd ? this.length : Math.min(1, this.length);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.broken = true;
    }
  }
}
