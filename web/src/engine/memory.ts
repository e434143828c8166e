/** The moves that a level made in its games, so that two of them do not wait for each other without end. */
import { numberOf } from './data.ts';
import type { Engine } from './engine.ts';
import type { Position } from './notation.ts';
import type { Past } from './result.ts';

/** What a level keeps of one game: how many decisions it drew, and the moves of the seats it plays, as the engine keeps them. */
export class GameMemory {
  private decisions = 0;
  private words: BigInt64Array;

  constructor(private readonly engine: Engine) {
    this.words = new BigInt64Array(numberOf(engine.program.data.repetition, 'MEMORY'));
  }

  past(view: string): Past {
    const position = this.engine.parse(view);
    const barred = this.engine
      .legal(position)
      .filter((move) => this.ask('barred', position, this.engine.notation.action(position, move)));
    return { decisions: this.decisions, barred };
  }

  /** The move to play of those that a level ranked; it is remembered. */
  chosen(view: string, level: string, ranked: readonly string[]): string {
    if (level === 'deckhand' || level === 'sailor') this.decisions++;
    if (level === 'deckhand') return ranked[0] ?? '';
    const { notation, program } = this.engine;
    const position = this.engine.parse(view);
    const actions = ranked.map((move) => notation.action(position, move));
    return program.within(() => {
      const list = program.put(actions.map(BigInt));
      const action =
        level === 'gunner' ? (actions[0] ?? 0) : this.ask('least_repeated', position, list, actions.length);
      this.ask('remember', position, action);
      return notation.move(position, action);
    });
  }

  private ask(what: 'barred' | 'least_repeated' | 'remember', position: Position, ...given: number[]): number {
    const { program } = this.engine;
    return program.within(() => {
      const at = program.put(this.words);
      const found = program.call[what](at, program.put(position.words), ...given);
      this.words = program.words(at, this.words.length).slice();
      return found;
    });
  }
}

/** The memories of several games; the one not played for longest is forgotten first. */
export class Memories {
  private readonly games = new Map<string, GameMemory>();

  constructor(private readonly engine: Engine) {}

  of(name: string): GameMemory {
    const found = this.games.get(name) ?? new GameMemory(this.engine);
    this.games.delete(name);
    this.games.set(name, found);
    const [oldest] = this.games.keys();
    if (this.games.size > numberOf(this.engine.program.data.repetition, 'MOST_GAMES') && oldest !== undefined)
      this.games.delete(oldest);
    return found;
  }
}
