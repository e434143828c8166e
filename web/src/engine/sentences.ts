/** Why a move is not legal, as a sentence: those of `game/reasons.py`, which come with the data. */
import { numberOf } from './data.ts';
import type { Program } from './module.ts';
import type { Position } from './notation.ts';

const SPOTS: Readonly<Record<string, string>> = { s: 'the start', b: 'the sloop', n: 'the nest' };
const PARTS = /^(?:([1-9])@)?(?:drop|(\w*))[:<+]?(.*)$/;

/** The reason as a sentence about this move in this position, without a full stop. */
export function sentence({ data }: Program, { rules, table, words }: Position, move: string, code: string): string {
  const word = (name: string): number => Number(words[numberOf(data.layout, name)] ?? 0n);
  const colour = (seat: number): string => data.colours[seat] ?? `seat ${seat + 1}`;
  const [, seat, from = '', card = ''] = PARTS.exec(move) ?? [];
  const [dropper, mover] = [word('DROPPER') - 1, colour(word('TURN'))];
  const parts: Readonly<Record<string, string | number>> = {
    rules: rules.name,
    move: move.slice(0, 20),
    card,
    place: SPOTS[from] ?? `field ${from}`,
    seat: Number(seat ?? 0),
    owner: seat ? colour(Number(seat) - 1) : mover,
    mover,
    holder: dropper >= 0 ? colour(dropper) : mover,
    dropper: colour(dropper),
    actions: Number(table[numberOf(data.layout, 'T_ACTIONS')] ?? 0n),
  };
  return (data.sentences[code] ?? code).replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ''));
}
