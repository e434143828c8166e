/** Positions to try and records to look at, by the engine of this browser. Where it cannot run, the server is asked. */
import {
  Chance,
  EngineError,
  GameRecord,
  IllegalMove,
  newSecret,
  nextCard,
  type Engine,
  type Position,
} from '../engine/index.ts';
import { api, Refused } from '../net/api.ts';
import type { MoveJson, StudyPosition, StudyRecord } from '../net/wire.ts';
import { loaded } from './engine.ts';
import { Facts, gainOf, toldMove, type Step } from './facts.ts';
import { moveText } from './notation.ts';
import { proofOf, type Proof } from './proof.ts';
import { withVariant } from './variants.ts';

const MOST_MOVES = 3000;

/** A record, step by step, and what it proves to this browser. `engine`: this browser cannot check it. */
export type ReadRecord = Omit<StudyRecord, 'proof'> & {
  readonly proof: { readonly state: Proof['state'] | 'engine'; readonly message: string };
};

/** A random card as a move. */
function randomCard(engine: Engine, position: Position): string {
  if (Object.keys(engine.chances(position)).length === 0)
    throw new Refused('illegal', 'A card is to be dealt that this view does not show.', 'card-is-due');
  return nextCard(engine, position, Chance.of(newSecret(), []), 0);
}

/** A move as it is offered, or in notation. */
type Wish = MoveJson | string;
const textOf = (move: Wish): string => (typeof move === 'string' ? move : moveText(move));

/** A walk from a position. Deals belong to the choice before them. */
class Walk {
  readonly choices: Step[] = [];

  constructor(
    private readonly engine: Engine,
    public position: Position,
  ) {}

  /** Play a move or a deal. `after` is where it led in a record. */
  go(move: string, after?: Position): void {
    const before = this.position;
    this.position = after ?? this.engine.apply(before, move);
    const last = move.startsWith('+') ? this.choices.pop() : { before, move, cards: [] };
    const cards = move.startsWith('+') ? [move.slice(1)] : [];
    if (last) this.choices.push({ ...last, cards: [...last.cards, ...cards], after: this.position });
  }

  dealWhatIsDue(): void {
    while (new Facts(this.engine, this.position).isChance) this.go(randomCard(this.engine, this.position));
  }

  get steps(): StudyPosition['steps'] {
    let turn = 1;
    return this.choices.map((step) => {
      const played = { ...gainOf(this.engine, step), seat: this.engine.chooser(step.before), turn, move: step.move };
      turn += Number(step.move === 'end');
      return toldMove(played, step.cards);
    });
  }
}

const shown = (engine: Engine, position: Position) => ({
  text: engine.format(position),
  position: new Facts(engine, position).json(),
});

/** Run some work of the engine. Its errors are refusals. */
async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new Refused(
      'illegal',
      `${error.message.replace(/\.$/, '')}.`,
      error instanceof IllegalMove ? error.code : null,
    );
  }
}

/** `deals` says whether cards that are due are dealt at random; in a view they cannot be known. */
function tryWith(engine: Engine, position: string, moves: readonly Wish[], deals = true): StudyPosition {
  const walk = new Walk(engine, engine.parse(position));
  for (const move of moves.map(textOf)) {
    if (deals && !move.startsWith('+')) walk.dealWhatIsDue();
    walk.go(move);
  }
  if (deals) walk.dealWhatIsDue();
  const facts = new Facts(engine, walk.position);
  const drawn = engine.isBecalmed(walk.position) ? ('becalmed' as const) : ('deadlock' as const);
  const outcome = facts.isOver ? { winner: facts.winner || null, how: facts.winner ? ('home' as const) : drawn } : null;
  const options = facts.chooser ? facts.options() : null;
  return { ...shown(engine, walk.position), options, outcome, steps: walk.steps };
}

function readWith(engine: Engine, text: string): ReadRecord {
  const record = GameRecord.parse(engine, text);
  if (record.moves.length > MOST_MOVES)
    throw new Refused('too-large', `A record that is shown has at most ${MOST_MOVES} moves.`);
  const walk = new Walk(engine, record.opening);
  record.moves.forEach(({ move }, number) => walk.go(move, record.positions[number + 1]));
  const steps = walk.steps.map((step, index) => ({
    ...step,
    ...shown(engine, walk.choices[index]?.after ?? record.opening),
  }));
  return { tags: { ...record.tags }, opening: shown(engine, record.opening), steps, proof: proofOf(engine, record) };
}

/** The engine, or undefined where it cannot run and a server may be asked. */
const engineHere = async (): Promise<Engine | undefined> => (await loaded().catch(() => undefined))?.engine;

/** The position after some moves, with what can be chosen from there. Raises Refused. */
export async function tryPosition(position: string, moves: readonly Wish[]): Promise<StudyPosition> {
  const engine = await engineHere();
  return engine ? guarded(() => tryWith(engine, position, moves)) : api.tryPosition(position, [...moves]);
}

/** The view after some moves of a turn; a card that is due stays due. Raises Refused. */
export async function playInView(view: string, moves: readonly Wish[]): Promise<StudyPosition> {
  const { engine } = await loaded();
  return guarded(() => tryWith(engine, view, moves, false));
}

/** A record as steps that can be shown, with the proof of its deal. Raises Refused. */
export async function readRecord(text: string): Promise<ReadRecord> {
  const engine = await engineHere();
  if (engine) return guarded(() => withVariant(() => readWith(engine, text)));
  const record = await api.readRecord(text);
  const { state, message } = record.proof;
  return { ...record, proof: { state: state === 'none' ? state : 'engine', message } }; // the server's word proves nothing
}
