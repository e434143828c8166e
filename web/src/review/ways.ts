/** Moves of a turn with the places where their pirates end, for arrows and pictures. */
import type { Engine, Position } from '../engine/index.ts';
import { moveFields } from '../local/notation.ts';
import type { MoveJson } from '../net/wire.ts';

export interface Way {
  readonly move: MoveJson;
  /** The place where the pirate ends, or an empty text. */
  readonly to: string;
}

export function waysOf(engine: Engine, root: Position, moves: readonly string[]): Way[] {
  let position = root;
  return moves.map((move) => {
    const to = engine.options(position).find((option) => option.move === move)?.to ?? '';
    position = engine.apply(position, move);
    return { move: moveFields(move), to };
  });
}
