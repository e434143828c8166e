/**
 * The moves that a level made in its games, so that two of them do not wait for each other without end. The same as
 * `players/repetition.py`, by the text of views: cards do not matter, only where the pirates and the sloop are.
 */
import { numberOf, type EngineData } from './data.ts';
import type { Past } from './result.ts';

const TURN = /^([0-9]+)\.([0-9]+)[^!]*(?:!([0-9]+))?$/;

interface Standing {
  readonly key: string;
  /** The seat that chooses, from 1. */
  readonly seat: string;
  readonly isDrop: boolean;
  readonly isFirst: boolean;
}

/** What matters of a view: the places of all pirates and the sloop, and how far the turn has come. */
function standing(view: string): Standing {
  const words = view.trim().split(' ');
  const [, turn = '', used = '', dropper] = TURN.exec(words[8] ?? '') ?? [];
  return {
    key: [words[2], words[7], turn, used].join(' '),
    seat: dropper ?? turn,
    isDrop: dropper !== undefined,
    isFirst: used === '0',
  };
}

/** True where a pirate moves forward, which ends a stand-off because pirates never retreat in the nest. */
const bringsOn = (move: string): boolean => /^(?!drop).*:|@/.test(move);

/** The moves that one seat made in one game, counted by the places of the pirates. */
class Memory {
  private readonly past = new Map<string, Map<string, number>>();
  private last = '';
  private again = 0;
  private turns = 0;

  constructor(private readonly constant: (name: string) => number) {}

  private get patience(): number {
    return this.turns < this.constant('LATE') ? this.constant('PATIENCE') : 1;
  }

  /** The moves that were made too often here. */
  barred(view: string): string[] {
    const past = this.past.get(standing(view).key) ?? new Map<string, number>();
    return [...past].filter(([, times]) => times >= this.patience).map(([move]) => move);
  }

  /** The best move that was not made too often here, or the least frequent one if all were. */
  best(view: string, ranked: readonly string[]): string {
    const past = this.past.get(standing(view).key) ?? new Map<string, number>();
    const barred = this.barred(view).length > 0;
    const order = barred ? [...ranked].sort((a, b) => Number(bringsOn(b)) - Number(bringsOn(a))) : ranked;
    const excess = (move: string): number => Math.max(0, (past.get(move) ?? 0) - this.patience + 1);
    return order.reduce((best, move) => (excess(move) < excess(best) ? move : best), order[0] ?? '');
  }

  /** Remember that a move was made. Dropping a card moves no pirate and does not count. */
  note(view: string, move: string): void {
    const { key, isDrop, isFirst } = standing(view);
    if (isDrop || this.isAskedAgain(view)) return;
    this.turns += Number(isFirst);
    if (this.past.size >= this.constant('MOST')) this.past.clear();
    const past = this.past.get(key) ?? new Map<string, number>();
    this.past.set(key, past.set(move, (past.get(move) ?? 0) + 1));
  }

  private isAskedAgain(view: string): boolean {
    this.again = view === this.last ? this.again + 1 : 0;
    this.last = view;
    return this.again > 0 && this.again < this.constant('AT_ONCE');
  }
}

/** What a level keeps of one game: how many decisions it drew, and the moves of each seat it plays. */
export class GameMemory {
  private decisions = 0;
  private readonly seats = new Map<string, Memory>();
  private readonly constant: (name: string) => number;

  constructor(data: EngineData) {
    this.constant = (name) => numberOf(data.repetition, name);
  }

  past(view: string): Past {
    return { decisions: this.decisions, barred: this.of(view).barred(view) };
  }

  /** The move to play of those that a level ranked; it is remembered. */
  chosen(view: string, level: string, ranked: readonly string[]): string {
    if (level === 'deckhand') {
      this.decisions++;
      return ranked[0] ?? '';
    }
    const memory = this.of(view);
    const move = level === 'gunner' ? (ranked[0] ?? '') : memory.best(view, ranked);
    if (level === 'sailor') this.decisions++;
    memory.note(view, move);
    return move;
  }

  private of(view: string): Memory {
    const { seat } = standing(view);
    const found = this.seats.get(seat) ?? new Memory(this.constant);
    this.seats.set(seat, found);
    return found;
  }
}

/** The memories of several games; the one not played for longest is forgotten first. */
export class Memories {
  private readonly games = new Map<string, GameMemory>();

  constructor(private readonly data: EngineData) {}

  of(name: string): GameMemory {
    const found = this.games.get(name) ?? new GameMemory(this.data);
    this.games.delete(name);
    this.games.set(name, found);
    const [oldest] = this.games.keys();
    if (this.games.size > numberOf(this.data.repetition, 'MOST_GAMES') && oldest !== undefined)
      this.games.delete(oldest);
    return found;
  }
}
