/** The state of a table in this browser as its events lead to it. Only `apply` changes it. */
import { Chance, nextCard, type Engine, type Position } from '../engine/index.ts';
import { clockHere, Clocks } from './clocks.ts';
import type { Undo } from '../net/wire.ts';
import { ACTED, CHANGES_GAME, chairsOf, type LocalEvent, type Setup } from './events.ts';
import { Facts, gainOf, type Gain } from './facts.ts';
import { commitmentOf } from './proof.ts';

export interface Chair {
  readonly kind: 'person' | 'computer';
  name: string;
  level: string | null;
  salt: string;
  /** Why the computer moves for an absent person. */
  away: 'left' | 'time' | null;
  resigned: boolean;
}

/** A move that stands: what it brought, the cards dealt after it, and which viewers (0: spectators) saw each. */
export interface Played extends Gain {
  readonly seat: number;
  readonly turn: number;
  readonly move: string;
  readonly cards: readonly string[];
  readonly shown: readonly (readonly boolean[])[];
}

type UndoReason = NonNullable<Undo['reason']>;

export interface GameResult {
  readonly winner: number | null;
  readonly how: 'home' | 'deadlock' | 'becalmed' | 'resigned';
}

/** A saved game whose events do not follow from one another. */
class DamagedTable extends Error {}

export class LocalTable {
  readonly events: LocalEvent[] = [];
  readonly chairs: Chair[];
  readonly clocks: Clocks;
  /** The moves that stand, by the number of their event. */
  readonly played = new Map<number, Played>();
  /** The numbers of the moves that undos took back. */
  readonly undone = new Map<number, number>();
  order: readonly number[];
  version = 0;
  turn = 1;
  opening: Position | undefined;
  position: Position | undefined;
  outcome: GameResult | undefined;
  /** The promise of the deal. */
  commitment = '';
  next: string | null = null;
  /** Where a becalmed game went on before that ruling, with the next seat to choose. */
  private wentOn: Position | undefined;
  private dealt = 0;
  private chance: Chance | undefined;
  private stack: Position[] = [];
  private wall: UndoReason = 'nothing-to-undo';

  constructor(
    readonly engine: Engine,
    readonly id: string,
    readonly created: number,
    readonly setup: Setup,
    readonly secret: string,
  ) {
    this.chairs = setup.seats.map(({ kind, name, level }) => ({
      kind: kind === 'computer' ? 'computer' : 'person',
      name: name ?? '',
      level: level ?? null,
      salt: '',
      away: null,
      resigned: false,
    }));
    this.order = this.chairs.map((_, chair) => chair + 1);
    this.clocks = new Clocks(clockHere(setup.clock));
  }

  // --- reading

  get seq(): number {
    return this.events.length;
  }

  get seats(): number {
    return this.chairs.length;
  }

  get stage(): 'waiting' | 'playing' | 'over' {
    return this.outcome ? 'over' : this.position ? 'playing' : 'waiting';
  }

  /** The seat that must choose now; 0 if there is none. */
  get chooser(): number {
    return this.outcome || !this.position ? 0 : this.engine.chooser(this.position);
  }

  chair(seat: number): Chair {
    return this.seatedAt(this.order[seat - 1] ?? 0);
  }

  seatOf(chair: number): number {
    return this.order.indexOf(chair) + 1;
  }

  byComputer(seat: number): boolean {
    const { kind, away, resigned } = this.chair(seat);
    return kind === 'computer' || away !== null || resigned;
  }

  /** The seats of the persons at this device. */
  get held(): number[] {
    const here = chairsOf(this.chairs, 'person').map((chair) => this.seatOf(chair));
    return here.sort((a, b) => a - b);
  }

  /** The seat at this device that must choose, or the first seat at this device, or 0 if there is none. */
  get seatHere(): number {
    return this.held.includes(this.chooser) ? this.chooser : (this.held[0] ?? 0);
  }

  get salts(): string[] {
    return this.chairs.map(({ salt }) => salt);
  }

  /** Why a seat cannot take a move back now; null if it can. */
  undoBlock(seat: number): UndoReason | null {
    if (!this.position) return 'nothing-to-undo';
    if (this.outcome) return 'game-is-over';
    if (new Facts(this.engine, this.position).active !== seat) return 'not-your-turn';
    return this.stack.length > 0 ? null : this.wall;
  }

  /** Whether a person can take the seat back from the computer now: a clock that is up leaves no way back. */
  mayReturn(seat: number): boolean {
    const { away, resigned } = this.chair(seat);
    return this.stage === 'playing' && away !== null && !resigned && !this.clocks.isUp(seat);
  }

  // --- changing

  apply(event: LocalEvent): void {
    this.events.push(event);
    if (this.wentOn && ACTED.includes(event.kind)) this.goOn(this.wentOn);
    this.take(event);
    if (CHANGES_GAME.includes(event.kind)) this.version = this.seq;
  }

  /** Play a move and the deals after it, without changing the table. Raises IllegalMove. */
  carryOut(move: string, deal: (position: Position, number: number) => string): [Played, Position] {
    const { engine, position: before } = this;
    if (!before) throw new DamagedTable('a move before the deal');
    let position = engine.apply(before, move);
    const cards: string[] = [];
    const shown: boolean[][] = [];
    while (new Facts(engine, position).isChance) {
      const card = deal(position, cards.length);
      const after = engine.apply(position, `+${card}`);
      shown.push(Array.from({ length: this.seats + 1 }, (_, viewer) => this.showsCard(position, after, viewer)));
      cards.push(card);
      position = after;
    }
    const gain = gainOf(engine, { before, move, cards, after: position });
    return [{ seat: engine.chooser(before), turn: this.turn, move, cards, shown, ...gain }, position];
  }

  /** The cards that follow from the secret. */
  readonly secretCard = (position: Position, number: number): string => {
    if (!this.chance) throw new DamagedTable('the cards are not dealt');
    return nextCard(this.engine, position, this.chance, this.dealt + number).slice(1);
  };

  private showsCard(before: Position, after: Position, viewer: number): boolean {
    const { active, row_due } = new Facts(this.engine, before).turn;
    return row_due > 0 || new Facts(this.engine, this.engine.view(after, viewer)).hand(active).cards !== null;
  }

  private take(event: LocalEvent): void {
    switch (event.kind) {
      case 'salt':
        for (const chair of event.chairs) this.seatedAt(chair).salt = event.salt;
        return;
      case 'deal':
        return this.deal(event.opening, event.order);
      case 'move':
        return this.move(event);
      case 'undo':
        return this.undo(event.ms);
      case 'away':
        Object.assign(this.chair(event.seat), { away: event.why, level: event.level });
        return this.clocks.spend(event.ms);
      case 'back':
        this.clocks.spend(event.ms);
        Object.assign(this.chair(event.seat), { away: null, level: null });
        return;
      case 'resign':
        return this.resign(event.seat, event.level, event.ms);
      case 'standin':
        this.chair(event.seat).level = event.level;
        return;
      case 'next':
        this.next = event.table;
        return;
      case 'talk':
        return;
      default:
        throw new DamagedTable('an event of an unknown kind');
    }
  }

  private seatedAt(chair: number): Chair {
    const found = this.chairs[chair - 1];
    if (!found) throw new DamagedTable(`there is no chair ${chair}`);
    return found;
  }

  private deal(opening: string, order: readonly number[]): void {
    this.order = order;
    this.opening = this.position = this.engine.parse(opening);
    if (this.position.seats !== this.seats || order.length !== this.seats)
      throw new DamagedTable('a deal for another table');
    const { engine, secret, id, setup } = this;
    this.commitment = commitmentOf(engine.program.data, secret, id, setup, this.position.rules.name);
    this.chance = Chance.of(secret, this.salts);
    this.clocks.start(this.seats, this.chooser);
  }

  private move(event: LocalEvent & { kind: 'move' }): void {
    const [played, after] = this.carryOut(event.move, (_, number) => event.cards[number] ?? '');
    if (played.seat !== event.seat || played.cards.length !== event.cards.length)
      throw new DamagedTable('a seat or a card that was not due');
    const end = event.move === 'end';
    const facts = new Facts(this.engine, after);
    const stood = this.position;
    const wall = stood && this.engine.undoWall(stood, event.move, after, event.cards.length);
    if (wall) [this.stack, this.wall] = [[], wall as UndoReason];
    else if (stood) this.stack.push(stood);
    this.played.set(this.seq, played);
    this.position = after;
    this.dealt += event.cards.length;
    if (facts.isOver && stood) {
      const wentOn = this.engine.applyOn(stood, event.move);
      this.wentOn = new Facts(this.engine, wentOn).isOver ? undefined : wentOn;
      const drawn = this.wentOn ? ('becalmed' as const) : ('deadlock' as const);
      this.outcome = { winner: facts.winner || null, how: facts.winner ? 'home' : drawn };
    }
    this.turn += Number(end);
    this.clocks.spend(event.ms);
    this.clocks.passTo(this.chooser, end, this.chair(event.seat).away !== null);
  }

  /** Continue a becalmed game for an event that only a game under way has: games went on before that ruling. */
  private goOn(position: Position): void {
    [this.position, this.wentOn, this.outcome] = [position, undefined, undefined];
    this.clocks.passTo(this.chooser, false);
  }

  private undo(ms: number): void {
    const number = [...this.played.keys()].at(-1);
    const position = this.stack.pop();
    if (number === undefined || !position) throw new DamagedTable('nothing was there to take back');
    this.played.delete(number);
    this.undone.set(this.seq, number);
    this.position = position;
    this.clocks.spend(ms);
    this.clocks.passTo(this.chooser, false);
  }

  private resign(seat: number, level: string | null, ms: number): void {
    Object.assign(this.chair(seat), { resigned: true, level });
    this.clocks.spend(ms);
    const left = this.chairs.map((_, index) => index + 1).filter((each) => !this.chair(each).resigned);
    if (left.length !== 1) return;
    this.outcome = { winner: left[0] ?? null, how: 'resigned' };
    this.clocks.passTo(0, true);
  }
}
