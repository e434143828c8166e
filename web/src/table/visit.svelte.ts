/** A visit to a table, on the server or in this browser: opens it, shows what happens there, and carries out what a person does. */
import { page, showDue } from '../app/page.svelte.ts';
import { settings } from '../app/settings.svelte.ts';
import { positionOf, type Position } from '../game/position.ts';
import { speech, t } from '../i18n/i18n.svelte.ts';
import { dayWords, leftWords } from '../i18n/when.ts';
import { HERE, isLocal } from '../local/tablenames.ts';
import { LocalSource } from '../local/source.ts';
import type { Verdict } from '../local/proof.ts';
import { OFFLINE, Refused } from '../net/api.ts';
import { noteChairs } from '../net/promise.ts';
import { changeSeat, dueAt, dueSeats, forgetSeat, keptSeat } from '../net/seats.ts';
import { fits, type MoveJson, type Option, type Snapshot, type TableEvent, type Update } from '../net/wire.ts';
import { Presence } from '../session/presence.ts';
import { absenceAt, clocksOf, littleTime, now, type Clock } from '../session/clocks.ts';
import { movesSince } from '../session/recent.ts';
import type { Scene } from '../session/scene.ts';
import { ServedTable } from '../session/served.ts';
import type { TableSource } from '../session/source.ts';
import { isByPost, isChoosing, isHotSeat, reduce, type Happening, type TableState } from '../session/state.ts';
import { Stream, type LinkState } from '../session/stream.ts';
import { Told } from '../session/told.ts';
import { alertTurn } from './alerts.ts';
import { hintWords } from './hints.ts';
import { TableModel } from './model.svelte.ts';
import { namedSeats, summaryOf } from './summary.ts';
import { crewName, failureWords, refusalWords } from './words.ts';

/** Milliseconds that are little time by post. */
const LAST_HOUR = 3_600_000;

/** Someone who looks over the person's shoulder: sees every update, and is asked before a move is sent. */
export interface Adviser {
  see(update: Update): void;
  allows(update: Update, option: Option, asks: boolean): Promise<boolean>;
  leave(): void;
}

/** Lets the engine know rules of one's own; it is fetched only for them. */
const knowVariant = async (variant: string): Promise<string> =>
  (await import('../local/variants.ts')).knowVariant(variant);

export class TableVisit {
  state: LinkState = $state('opening');
  stage: Update['stage'] = $state('waiting');
  latest: Update | undefined = $state.raw();
  setup: Snapshot['setup'] | undefined = $state.raw();
  error: Refused | undefined = $state.raw();
  /** Why the game cannot be saved now. */
  private unsaved: Refused | undefined = $state.raw();
  /** Whether the deal was the promised one, as this browser finds by itself when the game is over. */
  promise: Verdict = $state('open');
  /** The sentences of the hint that is shown. */
  hint: readonly string[] = $state.raw([]);
  /** When a hint was asked for, in milliseconds of `now`; 0: none is thought about. */
  thinking = $state(0);
  readonly model: TableModel;
  readonly token: string | undefined;
  private readonly source: TableSource;
  private readonly stream: Stream;
  private readonly listeners = new Set<(happening: Happening) => void>();
  private adviser: Adviser | undefined;
  private changed: () => void = () => undefined;
  private closed = false;
  private before: TableState | undefined;
  /** What this page was shown since it was opened. */
  private readonly told = new Told();
  private receivedAt = 0;
  private readonly presence = new Presence();
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** The last event that was shown in this browser while it was looked at. */
  private seen: number;
  /** Other windows may have played elsewhere since the other tables were looked at. */
  private looksAround = true;

  constructor(readonly table: string) {
    const kept = keptSeat(table);
    this.token = isLocal(table) ? HERE : kept?.token;
    this.seen = kept?.seen ?? 0;
    this.source = isLocal(table) ? new LocalSource(table) : new ServedTable(table, this.token, knowVariant);
    this.model = new TableModel(
      (option) => this.play(option),
      () => alertTurn(settings.notify, t('alert.turn')),
    );
    this.stream = new Stream(this.source, {
      snapshot: (snapshot) => {
        const hasPast = this.before !== undefined;
        this.setup = snapshot.setup;
        this.before = undefined;
        this.take(snapshot);
        if (hasPast) this.tellOf({ kind: 'replaced' });
      },
      update: (update) => this.take(update),
      state: (state) => (this.state = state),
      unsaved: (error) => (this.unsaved = error),
      refused: (error) => (this.error = error),
    });
    document.addEventListener('visibilitychange', this.lookAgain);
  }

  open(): Promise<void> {
    return this.stream.open();
  }

  /** Close the visit, also while it opens. */
  close(): void {
    this.closed = true;
    clearTimeout(this.waiting);
    document.removeEventListener('visibilitychange', this.lookAgain);
    this.stream.close();
    this.model.close();
    this.listeners.clear();
  }

  /** Tell a listener what happens from now on. Returns what ends that. */
  on(listener: (happening: Happening) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether the table is by post. */
  get byPost(): boolean {
    return this.latest !== undefined && isByPost(this.latest);
  }

  get hotSeat(): boolean {
    return this.latest !== undefined && isHotSeat(this.latest);
  }

  get myTurn(): boolean {
    return this.latest !== undefined && isChoosing(this.latest);
  }

  /** Find whether the deal was the promised one, by what this page was shown since it was opened. */
  private async judge(update: Update, setup: Snapshot['setup']): Promise<void> {
    const { verdict } = await import('../local/proof.ts');
    const promise = await verdict(this.told, update, setup);
    if (this.latest === update) this.promise = promise;
  }

  /** What is amiss between this page and its table, in words; empty where nothing is. */
  get trouble(): string {
    if (this.unsaved) return refusalWords(this.unsaved);
    if (this.state === 'polling') return t('banner.polling');
    if (this.state !== 'lost') return '';
    return this.model.is('sending') ? t('banner.unsent') : t('banner.lost');
  }

  private take(told: Update): void {
    const isFirst = this.before === undefined;
    const { shown: update, wait } = this.presence.see(told, now());
    clearTimeout(this.waiting);
    if (wait !== undefined) this.waiting = setTimeout(() => this.takeAgain(told), wait);
    const { state, happenings } = reduce(this.before, update);
    this.before = state;
    if (update.version !== this.latest?.version) this.hint = [];
    this.latest = update;
    this.receivedAt = now();
    this.adviser?.see(update);
    this.changed();
    this.stage = update.stage;
    this.model.isShared = update.you.seats.length > 1;
    this.told.see(update, isFirst);
    noteChairs(update);
    if (update.stage === 'over' && this.setup) void this.judge(update, this.setup);
    const turn = happenings.some(({ kind }) => kind === 'turn');
    if (update.position) this.show({ ...sceneOf(update, positionOf(update.position), state.fresh), turn }, isFirst);
    this.keep(update);
    for (const happening of happenings) this.tellOf(happening);
  }

  /** Show an update as it has become: its events are known, and its clocks run since it came. */
  private takeAgain(told: Update): void {
    const { receivedAt } = this;
    this.take({ ...told, events: [] });
    this.receivedAt = receivedAt;
  }

  private tellOf(happening: Happening): void {
    for (const listener of this.listeners) listener(happening);
  }

  private show(scene: Scene, isFirst: boolean): void {
    if (isFirst || !this.model.position) {
      this.model.set(scene);
      this.showNews();
    } else this.model.push(scene);
  }

  /** Show what happened at a table by post since it was last looked at. */
  private showNews(): void {
    const { latest, model, seen } = this;
    if (!latest || !this.token || !isByPost(latest) || document.visibilityState === 'hidden') return;
    const own = latest.you.seats;
    const news = movesSince(model.log, own, seen);
    if (news.some(({ seat, move }) => move?.kind !== 'end' || !own.includes(seat ?? 0))) void model.again(news.length);
  }

  private readonly lookAgain = (): void => {
    if (!this.latest || document.visibilityState === 'hidden') return;
    this.looksAround = true;
    if (this.model.is('idle')) this.showNews();
    this.keep(this.latest);
  };

  /** Keep what the list of tables shows, and how far the table was looked at: what happens while the page is hidden is not seen. */
  private keep(update: Update): void {
    if (!this.token) return;
    if (document.visibilityState !== 'hidden') this.seen = update.seq;
    if (update.outcome?.how === 'cancelled') forgetSeat(this.table);
    else
      changeSeat(this.table, {
        summary: summaryOf(update, crewName),
        seen: this.seen,
        ...(update.stage === 'over' ? { over: true } : {}),
      });
    if (isByPost(update)) this.showDue();
  }

  /** Tell at how many tables by post the person is awaited. To look through all tables takes long where there are many. */
  private showDue(): void {
    const due = this.looksAround ? dueSeats() : dueAt([...page.due, this.table]);
    this.looksAround = false;
    void showDue(
      due.map(({ table }) => table),
      (table) => table === this.table,
    );
  }

  /** The seat of the person who must take a shared device before their hand is shown; 0: nobody must. */
  get curtain(): number {
    return this.model.covered ? this.model.viewer : 0;
  }

  readonly lift = (): void => {
    this.model.holder = this.model.viewer;
    this.model.tellTurn();
  };

  // --- what a person does

  private async play(option: Option): Promise<void> {
    const update = this.latest;
    if (!update) return;
    const isWanted = (await this.adviser?.allows(update, option, settings.coachAsks)) ?? true;
    if (isWanted) await this.guard(this.stream.send('move', update, option.move));
    else if (this.adviser && this.latest?.version === update.version) void this.takeBack();
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

  /** Let an adviser look on, or send the present one away. */
  advise(adviser: Adviser | undefined): void {
    const gone = this.adviser;
    this.adviser = adviser;
    gone?.leave();
    if (this.latest && !this.closed) adviser?.see(this.latest);
  }

  readonly undo = async (): Promise<void> => {
    if (this.latest) await this.guard(this.stream.send('undo', this.latest));
  };

  readonly askHint = async (): Promise<void> => {
    const { token, latest, model } = this;
    if (!token || !latest || this.thinking || latest.you.seat !== model.viewer) return;
    this.thinking = now();
    try {
      const here = await import('../local/hints.ts').then(({ hintHere }) => hintHere(latest)).catch(() => undefined);
      const found = here ?? (await this.source.hint(latest)); // the server thinks where this browser cannot
      if (this.latest?.version !== latest.version) return;
      const move = found.answer['move'] as MoveJson;
      model.picks.hintMove = model.options.legal.find((option) => fits(option.move, move));
      this.hint = hintWords(model, found);
      model.announcement = this.hint.join(' ');
    } catch (error) {
      this.tell(error);
    } finally {
      this.thinking = 0;
    }
  };

  /** Of several people at this device, the one who resigns or leaves: the one whose turn it is. */
  get person(): number | undefined {
    return this.hotSeat ? this.latest?.you.seat : undefined;
  }

  /** The people at this shared device for whom the computer plays until they take over again. */
  get absentHere(): number[] {
    const { seats = [], you } = this.latest ?? {};
    return seats.flatMap(({ seat, away, resigned, may_return }) =>
      this.hotSeat && you?.seats.includes(seat) && away && !resigned && may_return ? [seat] : [],
    );
  }

  readonly act = async (what: 'resign' | 'leave' | 'back', seat = this.person): Promise<void> => {
    if (this.token) await this.guard(this.source.act(what, seat));
  };

  /** Say something. Returns why it was not taken; empty where it was. */
  readonly talk = (text: string): Promise<string> => this.source.talk(text).then(() => '', failureWords);

  readonly start = async (): Promise<void> => {
    if (this.token) await this.guard(this.source.start());
  };

  /** Play again with the same people. Returns the table, or nothing where that is refused or this one was left meanwhile. */
  readonly again = async (): Promise<string | undefined> => {
    if (!this.token || !this.latest) return undefined;
    const table = await this.source.again(this.latest).catch((error: unknown) => void this.tell(error));
    return this.closed ? undefined : table;
  };

  private async guard(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.tell(error));
  }

  tell(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'stale' || this.closed) return;
    this.model.picks.refuse(error.code === OFFLINE ? t('code.offline') : refusalWords(error));
  }

  // --- time

  /** The level of a computer player that is short of time, if one is. */
  get hurried(): string | undefined {
    return this.stage === 'playing' ? (this.latest?.hurried ?? undefined) : undefined;
  }

  /** The absent person whom the others wait for, and the time until the computer takes over, if it does. */
  absentAt(time: number): ReturnType<typeof absenceAt> {
    return this.latest && absenceAt(this.latest, time - this.receivedAt);
  }

  /** The time left on each seat's clock. */
  clocksAt(time: number): (Clock | undefined)[] {
    if (!this.latest) return [];
    if (isByPost(this.latest)) return postClocks(this.latest);
    return clocksOf(this.latest, time - this.receivedAt, littleTime(this.setup?.clock));
  }
}

/** By post the clock of the player who must choose tells how much time is left. */
function postClocks({ clock, seats }: Update): (Clock | undefined)[] {
  const { seat, due } = (clock ?? {}) as { seat?: number; due?: number | null };
  return seats.map((each) => {
    if (each.seat !== seat || !due) return undefined;
    const left = due - Date.now();
    return {
      text: leftWords(left, speech.grammar),
      low: left < LAST_HOUR,
      running: true,
      title: dayWords(due, speech.grammar),
    };
  });
}

function sceneOf(update: Update, position: Position, events: readonly TableEvent[]): Scene {
  return {
    key: update.version,
    position,
    options: update.options,
    undo: update.undo,
    // Who looks at the table is there, even before its line is.
    seats: namedSeats(update).map((each) => (update.you.seats.includes(each.seat) ? { ...each, online: true } : each)),
    events,
    viewer: update.you.seat,
    actions: position.turn.actions,
    outcome: update.outcome,
    isTimed: !isByPost(update) && update.you.seats.includes(Number(update.clock?.['seat'])),
  };
}
