/** Why a move is not legal, as a sentence: those of `game/reasons.py`, which come with the engine's data. */
import { CREWS } from '../board/pirates.ts';
import type { Engine, Position } from '../engine/index.ts';
import { moveFields } from './notation.ts';

const SPOTS: Readonly<Record<string, string>> = { s: 'the start', b: 'the sloop', n: 'the nest' };

const colour = (seat: number): string => CREWS[seat]?.colour ?? `seat ${seat + 1}`;

/** The reason as a sentence about this move in this position, without a full stop. */
export function sentence(engine: Engine, position: Position, move: string, code: string): string {
  const { sentences } = engine.program.data;
  const word = (name: string): number => Number(position.words[engine.number(name)] ?? 0n);
  const { from = '', card = '', seat } = moveFields(move);
  const dropper = word('DROPPER') - 1;
  const mover = colour(word('TURN'));
  const parts: Readonly<Record<string, string | number>> = {
    rules: position.rules.name,
    move,
    card: card ?? '',
    place: SPOTS[from ?? ''] ?? `field ${from ?? ''}`,
    seat: seat ?? 0,
    owner: seat ? colour(seat - 1) : mover,
    mover,
    holder: dropper >= 0 ? colour(dropper) : mover,
    dropper: colour(dropper),
    actions: Number(position.table[engine.number('T_ACTIONS')] ?? 0n),
  };
  return (sentences[code] ?? code).replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ''));
}
