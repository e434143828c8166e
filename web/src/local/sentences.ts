/** Why a move is not legal, as a sentence; the same ones as the server's (`game/reasons.py`). */
import type { Engine, Position } from '../engine/index.ts';
import { moveFields } from './moves.ts';

const COLOURS = ['blue', 'red', 'yellow', 'green', 'brown'];
const SENTENCES: Readonly<Record<string, string>> = {
  'not-in-this-game': '{rules} has no move {move} on this board',
  'game-is-over': 'the game is over',
  'card-is-due': 'a card is to be dealt first',
  'no-card-is-due': 'no card is to be dealt now',
  'no-such-card-left': 'no card {card} can come: none is left to be dealt',
  'drop-is-due': '{dropper} has too many cards and must drop one first',
  'no-drop-is-due': 'no seat has to drop a card now',
  'no-actions-left': 'all {actions} actions of this turn are taken; end it',
  'no-pirate-there': 'no {owner} pirate stands on {place}',
  'card-not-held': '{holder} holds no card {card}',
  'already-home': 'a pirate that is home stays there',
  'sloop-is-away': 'the sloop lies at the other island',
  'sloop-is-full': 'three {owner} pirates are aboard already',
  'nothing-behind': 'no field behind {place} has one or two pirates',
  'no-return': 'this rule set lets no pirate go back from the sloop',
  'not-in-the-tunnel': 'a pirate that has not set out cannot go back',
  'own-pirate': 'only pirates of other colours can be pushed',
  'no-such-seat': 'there is no seat {seat} at this table',
  'nothing-ahead': 'no field ahead on this island has one or two pirates, and no pirate is pushed into the nest',
  'nobody-aboard': 'no {mover} pirate is aboard, so {mover} may not sail',
  'nobody-ashore': 'no {mover} pirate is left on the first island, so {mover} may not fetch the sloop',
  'must-act': 'at least one action must be taken before the turn ends',
};
const SPOTS: Readonly<Record<string, string>> = { s: 'the start', b: 'the sloop', n: 'the nest' };

const colour = (seat: number): string => COLOURS[seat] ?? `seat ${seat + 1}`;

/** The reason as a sentence about this move in this position, without a full stop. */
export function sentence(engine: Engine, position: Position, move: string, code: string): string {
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
  return (SENTENCES[code] ?? code).replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ''));
}
