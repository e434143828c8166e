/** A table as it is shown, for a table to play at or a position to try: what happens in words, and what a person picks. */
import { paceFactor } from '../app/settings.svelte.ts';
import { prefersStillness } from '../board/runner.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { Option, TableEvent } from '../net/wire.ts';
import { Playback } from '../session/playback.svelte.ts';
import { drawnCards } from '../session/recent.ts';
import type { Scene } from '../session/scene.ts';
import { Notice, SPANS } from './notice.svelte.ts';
import { Picks } from './picks.svelte.ts';
import {
  capital,
  colourName,
  crewName,
  eventWords,
  hasWords,
  resultWords,
  seatName,
  signName,
  turnWords,
} from './words.ts';

/** What a person does with a turn: afterwards less, or more, is left to do. */
const ACTS: ReadonlySet<TableEvent['type']> = new Set(['move', 'undo']);

export class TableModel extends Playback {
  readonly picks: Picks = new Picks(this);
  /** What was to be done is done: whose turn it is matters no more. */
  isDone = $state(false);
  /** The seat whose last turn is shown on the board; nothing: that of the last one who moved. */
  shownSeat: number | undefined = $state();
  /** For screen readers: every move as it happens. What is said again is a new object, so that it is heard again. */
  said = $state.raw({ words: '' });
  /** The winner's crew cheers: before the card with the result comes, and once the last move was shown. */
  readonly cheers = new Notice<true>(SPANS.scene);
  /** The seat that was told last whose turn it is, since the table was opened. */
  private toldTo: number | undefined;
  /** The viewer must discard cards, and was told so. */
  private mustDrop = false;

  /** `alert`: the viewer's turn has begun, and what led there was shown. */
  constructor(
    private readonly send: (option: Option) => Promise<void>,
    private readonly alert: () => void = () => undefined,
  ) {
    super();
  }

  get announcement(): string {
    return this.said.words;
  }

  set announcement(words: string) {
    this.said = { words };
  }

  get pace(): number {
    return paceFactor();
  }

  readonly nameOf = (seat: number): string => {
    const name = this.plainName(seat);
    return name === crewName(seat) ? name : t('crew.named', { name, colour: colourName(seat) });
  };

  /** The name alone, where a picture shows the colour. */
  readonly plainName = (seat: number): string => seatName(seat, this.seats[seat - 1]);

  /** The seat that a result is told to as "you"; 0 where several people read it. */
  get addressee(): number {
    return this.isShared ? 0 : this.viewer;
  }

  /** Whether the computer plays for the viewer. */
  get isReplaced(): boolean {
    const { away, resigned } = this.seats[this.viewer - 1] ?? {};
    return Boolean(away || resigned);
  }

  /** Whether a seat has resigned because its days by post ran out. */
  isLate(seat: number): boolean {
    return this.log.some((event) => event.type === 'resigned' && event.seat === seat && event.why === 'time');
  }

  /** Why the computer plays for a person at this device; with the name where several people sit here. */
  awayWords(seat: number, isLate: boolean): string {
    if (!this.isShared) return isLate ? t('banner.time') : t('banner.away');
    const name = this.plainName(seat);
    return capital(isLate ? t('event.timeup', { name }) : t('event.left', { name }));
  }

  /** Play a move; it is sent to the table. */
  carryOut(option: Option): Promise<void> {
    return this.sending(this.send(option));
  }

  /** Tell a screen reader something beside what it was told last. */
  announce(words: string): void {
    this.announcement = [this.announcement, words].filter(Boolean).join(' ');
  }

  /** Tell a screen reader whose turn it is and what is left to do. At a shared device the turn has a name. */
  tellTurn(isMore = false): void {
    const { position, actions, outcome, nameOf, options } = this;
    if (this.isDone) return;
    const viewer = this.isShared || this.isReplaced ? 0 : this.viewer;
    const stuck = options.legal.length > 0 && options.legal.every(({ move }) => move.kind === 'end');
    this.say(turnWords({ position, viewer, actions, outcome, nameOf, stuck }), isMore);
  }

  private say(words: string, isMore: boolean): void {
    if (isMore) this.announce(words);
    else this.announcement = words;
  }

  protected shown(event: TableEvent, isMore: boolean): void {
    if (!hasWords(event)) return;
    const family = this.position?.family ?? 'tunnel';
    this.say(eventWords(family, event, this.nameOf), isMore);
    const drawn = drawnCards(event, this.row).filter((card) => card !== '?');
    if (drawn.length && !this.covered)
      this.announce(`${capital(drawn.map((card) => signName(family, card)).join(', '))}.`);
  }

  protected ended({ outcome }: Scene): void {
    if (outcome) this.announce(capital(resultWords(outcome, this.addressee, this.nameOf)));
    if (this.pace > 0 && !prefersStillness()) this.cheers.show(true);
  }

  protected arrived({ turn, position, viewer, outcome, events }: Scene): void {
    const mustDrop = viewer > 0 && position.turn.dropper === viewer;
    const hasActed =
      position.turn.seat === viewer && events.some(({ type, seat }) => ACTS.has(type) && seat === viewer);
    const isNew = viewer !== this.toldTo || (mustDrop ? !this.mustDrop : turn === true || hasActed);
    // What was read to the person before, such as their hand, is not kept beside what the next one is told.
    if (!outcome && isNew) this.tellTurn(this.toldTo !== undefined && events.some(hasWords));
    if (viewer !== this.toldTo) this.picks.discards.reset();
    [this.toldTo, this.mustDrop] = [viewer, mustDrop];
    if (turn) this.alert();
  }

  protected changed(isNew: boolean): void {
    this.picks.clear();
    if (!isNew) return;
    this.picks.hintMove = undefined;
    this.shownSeat = undefined;
  }
}
