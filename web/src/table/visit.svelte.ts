/** A visit to a table, on the server or in this browser: opens it, and feeds the model with what happens there. */
import { settings } from '../app/settings.svelte.ts';
import type { Coach } from '../coach/coach.svelte.ts';
import { positionOf, type Position } from '../game/position.ts';
import { speech, t } from '../i18n/i18n.svelte.ts';
import { HERE, isLocal } from '../local/tablenames.ts';
import { LocalSource } from '../local/source.ts';
import { OFFLINE, Refused } from '../net/api.ts';
import { verdict, type Verdict } from '../net/verdict.ts';
import { changeSeat, forgetSeat, keptSeat } from '../net/seats.ts';
import { fits, type MoveJson, type Option, type Snapshot, type TableEvent, type Update } from '../net/wire.ts';
import { ServedTable } from '../session/served.ts';
import type { TableSource } from '../session/source.ts';
import { Stream, type LinkState } from '../session/stream.ts';
import { alertTurn } from './alerts.ts';
import { hintWords } from './hints.ts';
import { TableModel, type Scene } from './model.svelte.ts';
import { afterLots } from './recent.ts';
import { namedSeats, summaryOf } from './summary.ts';
import { colourName, failureWords, refusalWords } from './words.ts';

/** Less than this is little time, in milliseconds. */
const LOW = 20_000;

export interface Clock {
  readonly text: string;
  readonly low: boolean;
  readonly running: boolean;
}

export class TableVisit {
  state: LinkState = $state('opening');
  stage: Update['stage'] = $state('waiting');
  latest: Update | undefined = $state.raw();
  setup: Snapshot['setup'] | undefined = $state.raw();
  error: Refused | undefined = $state.raw();
  /** The seat that must take the device before its hand is shown. */
  curtain = $state(0);
  /** The sentences of the hint that is shown. */
  hint: readonly string[] = $state.raw([]);
  /** When a hint was asked for, in milliseconds; 0: none is thought about. */
  thinking = $state(0);
  /** The coach, where one is wanted. */
  coach: Coach | undefined = $state.raw();
  private wantsCoach = false;
  private changed: () => void = () => undefined;
  readonly model: TableModel;
  readonly token: string | undefined;
  private readonly source: TableSource;
  private readonly stream: Stream;
  private closed = false;
  /** What happened before the deal. */
  private waited: readonly TableEvent[] = [];
  private shownTo = 0;
  private receivedAt = 0;

  constructor(readonly table: string) {
    this.token = isLocal(table) ? HERE : keptSeat(table)?.token;
    this.source = isLocal(table) ? new LocalSource(table) : new ServedTable(table, this.token);
    this.model = new TableModel((option) => this.play(option));
    this.stream = new Stream(this.source, {
      snapshot: (snapshot) => {
        this.setup = snapshot.setup;
        this.take(snapshot, true);
      },
      update: (update) => this.take(update, false),
      state: (state) => (this.state = state),
      refused: (error) => (this.error = error),
    });
  }

  open(): Promise<void> {
    return this.stream.open();
  }

  /** Close the visit, also while it opens. */
  close(): void {
    this.closed = true;
    this.stream.close();
  }

  get hotSeat(): boolean {
    return (this.latest?.you.seats.length ?? 0) > 1;
  }

  get myTurn(): boolean {
    return this.latest?.options !== null && this.latest?.options !== undefined;
  }

  /** Whether the deal was the promised one, as this browser finds by itself when the game is over. */
  get promise(): Verdict {
    return this.latest && this.setup ? verdict(this.latest, this.setup) : 'open';
  }

  private take(update: Update, first: boolean): void {
    // One update may hold several changes: then only the moves show that others had their turn.
    const wasMine =
      this.myTurn && !update.events.some((event) => event.type === 'move' && event.seat !== update.you.seat);
    if (update.version !== this.latest?.version) this.hint = [];
    this.latest = update;
    this.coach?.see(update);
    this.changed();
    this.receivedAt = Date.now();
    this.stage = update.stage;
    this.keep(update);
    if (!update.position) {
      this.waited = [...(first ? [] : this.waited), ...update.events];
      return;
    }
    const due = !first && !wasMine && this.myTurn && !this.hotSeat;
    const events = [...afterLots(this.waited, update.fair.lots ?? []), ...update.events];
    this.waited = [];
    const scene = sceneOf({ ...update, events }, positionOf(update.position));
    if (first || !this.model.position) {
      this.model.set(scene);
      if (due) this.alert();
    } else this.model.push(scene, () => due && this.alert());
    this.drawCurtain(update);
  }

  /** Tell by all means that it is the viewer's turn, once the board shows it. */
  private alert(): void {
    alertTurn(settings, t('alert.turn'));
    this.model.announce(t('alert.turn'));
  }

  /** Keep what the list of tables shows. */
  private keep(update: Update): void {
    if (!this.token) return;
    if (update.outcome?.how === 'cancelled') forgetSeat(this.table);
    else
      changeSeat(this.table, {
        summary: summaryOf(update, colourName),
        ...(update.stage === 'over' ? { over: true } : {}),
      });
  }

  /** Cover the table until the next person at a shared device confirms, if hands are hidden. */
  private drawCurtain(update: Update): void {
    const hidden = update.position?.hands.some((hand) => hand.cards === null);
    const seat = update.you.seat;
    if (!this.hotSeat || !hidden || update.stage !== 'playing') {
      this.curtain = 0;
      this.shownTo = seat;
      return;
    }
    if (seat !== this.shownTo) this.curtain = seat;
  }

  readonly lift = (): void => {
    this.shownTo = this.curtain;
    this.curtain = 0;
  };

  private async play(option: Option): Promise<void> {
    const update = this.latest;
    if (!update) return;
    const isWanted = (await this.coach?.allows(update, option, settings.coachAsks)) ?? true;
    if (isWanted) await this.guard(this.stream.send('move', update, option.move));
    else if (this.coach && this.latest?.version === update.version) void this.takeBack();
  }

  /** Take back what was chosen since the turn began, or since the last card. */
  private async takeBack(): Promise<void> {
    while (!this.closed && this.latest?.undo.possible) {
      const changed = new Promise<void>((done) => (this.changed = done));
      await this.undo();
      await changed;
    }
  }

  /** Whether a coach may help: only where no other person plays. */
  get mayCoach(): boolean {
    return Boolean(this.token) && this.latest?.seats.filter(({ kind }) => kind === 'person').length === 1;
  }

  /** Let a coach help, or send it away. */
  async useCoach(wanted: boolean): Promise<void> {
    this.wantsCoach = wanted;
    if (!wanted) {
      const { coach } = this;
      this.coach = undefined;
      coach?.leave();
      return;
    }
    if (this.coach) return;
    try {
      const [{ Coach }, engine] = await Promise.all([
        import('../coach/coach.svelte.ts'),
        import('../local/engine.ts'),
        speech.learn('coach'),
      ]);
      await engine.loaded();
      if (this.coach || this.closed || !this.wantsCoach) return;
      this.coach = new Coach(engine.mind);
      if (this.latest) this.coach.see(this.latest);
    } catch (error) {
      this.model.refuse(error instanceof Refused ? failureWords(error) : t('error.load.text'));
    }
  }

  readonly undo = async (): Promise<void> => {
    const update = this.latest;
    if (update) await this.guard(this.stream.send('undo', update));
  };

  readonly askHint = async (): Promise<void> => {
    const { token, latest } = this;
    if (!token || !latest || this.thinking) return;
    this.thinking = Date.now();
    try {
      const here = await import('../local/hints.ts').then(({ hintHere }) => hintHere(latest)).catch(() => undefined);
      const found = here ?? (await this.source.hint(latest)); // the server thinks where this browser cannot
      if (this.latest?.version !== latest.version) return;
      const move = found.answer['move'] as MoveJson;
      this.model.hintMove = this.model.options.legal.find((option) => fits(option.move, move));
      this.hint = hintWords(this.model, found);
    } catch (error) {
      this.tell(error);
    } finally {
      this.thinking = 0;
    }
  };

  readonly act = async (what: 'resign' | 'leave' | 'back'): Promise<void> => {
    if (this.token) await this.guard(this.source.act(what));
  };

  /** Say something. Returns why it was not taken; empty where it was. */
  readonly talk = async (text: string): Promise<string> => {
    try {
      await this.source.talk(text);
      return '';
    } catch (error) {
      return failureWords(error);
    }
  };

  readonly start = async (): Promise<void> => {
    if (this.token) await this.guard(this.source.start());
  };

  /** Play again with the same people. Returns the table, or nothing where that is refused. */
  readonly again = async (): Promise<string | undefined> => {
    if (!this.token || !this.latest) return undefined;
    return this.source.again(this.latest).catch((error: unknown) => void this.tell(error));
  };

  private async guard(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.tell(error);
    }
  }

  tell(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'stale') return;
    this.model.refuse(
      error.code === OFFLINE ? t('code.offline') : refusalWords(error.code, error.reason, error.message),
    );
  }

  /** The absent person whom the others wait for, and the time until the computer takes over, if it does. */
  absentAt(now: number): { readonly seat: number; readonly time: string | undefined } | undefined {
    const update = this.latest;
    const seat = update?.stage === 'playing' ? update.seats[(update.position?.turn.chooser ?? 0) - 1] : undefined;
    if (!update || !seat || seat.online || seat.away || seat.resigned || update.you.seats.includes(seat.seat))
      return undefined;
    const left = update.absent ? update.absent.left - (now - this.receivedAt) : undefined;
    return {
      seat: seat.seat,
      time: left === undefined ? this.clocksAt(now)[seat.seat - 1]?.text : clockText(Math.max(0, left)),
    };
  }

  /** The time left on each seat's clock. */
  clocksAt(now: number): (Clock | undefined)[] {
    const running = this.latest?.clock as { seat?: number } | null | undefined;
    return (this.latest?.seats ?? []).map((seat) => {
      if (seat.clock === null || seat.clock === undefined) return undefined;
      const spent = running?.seat === seat.seat ? now - this.receivedAt : 0;
      const left = Math.max(0, seat.clock - spent);
      return { text: clockText(left), low: left <= LOW, running: running?.seat === seat.seat };
    });
  }
}

function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function sceneOf(update: Update, position: Position): Scene {
  return {
    key: update.version,
    position,
    options: update.options,
    undo: update.undo,
    seats: namedSeats(update),
    events: update.events,
    viewer: update.you.seat,
    actions: position.turn.actions,
    outcome: update.outcome,
  };
}
