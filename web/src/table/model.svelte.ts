/** A table as it is shown, for a table to play at or a position to try: what happens in words, and what a person picks. */
import { paceFactor } from '../app/settings.svelte.ts';
import { prefersStillness } from '../board/runner.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { Option, TableEvent } from '../net/wire.ts';
import { Playback } from '../session/playback.svelte.ts';
import type { Scene } from '../session/scene.ts';
import { Notice, SPANS } from './notice.svelte.ts';
import { Picks } from './picks.svelte.ts';
import { capital, colourName, eventWords, resultWords, seatName, statusWords } from './words.ts';

export class TableModel extends Playback {
  readonly picks: Picks = new Picks(this);
  /** What was to be done is done: whose turn it is matters no more. */
  isDone = $state(false);
  /** Several people play at this device. */
  isShared = $state(false);
  /** The seat whose last turn is shown on the board; nothing: that of the last one who moved. */
  shownSeat: number | undefined = $state();
  /** For screen readers: every move as it happens. What is said again is a new object, so that it is heard again. */
  said = $state.raw({ words: '' });
  /** The winner's crew cheers: before the card with the result comes, and once the last move was shown. */
  readonly cheers = new Notice<true>(SPANS.scene);
  /** Whose turn it is was said when the table was opened. */
  private hasBegun = false;
  /** The viewer must discard cards, and was told so. */
  private mustDrop = false;

  constructor(private readonly send: (option: Option) => Promise<void>) {
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
    const [name, colour] = [this.plainName(seat), colourName(seat)];
    return name === colour ? colour : t('crew.named', { name, colour });
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

  protected shown(event: TableEvent): void {
    this.announcement = eventWords(this.position?.family ?? 'tunnel', event, this.nameOf);
  }

  protected ended({ outcome }: Scene): void {
    if (outcome) this.announce(capital(resultWords(outcome, this.addressee, this.nameOf)));
    if (this.pace > 0 && !prefersStillness()) this.cheers.show(true);
  }

  protected arrived({ turn, position, viewer, actions, outcome }: Scene): void {
    const status = (): string => statusWords({ position, viewer, actions, outcome, nameOf: this.nameOf });
    const mustDrop = viewer > 0 && position.turn.dropper === viewer;
    if (!this.hasBegun && !outcome) this.announcement = status();
    else if (mustDrop && !this.mustDrop) this.announce(status());
    else if (turn) this.announce(t('alert.turn'));
    [this.hasBegun, this.mustDrop] = [true, mustDrop];
  }

  protected changed(isNew: boolean): void {
    this.picks.clear();
    if (!isNew) return;
    this.picks.hintMove = undefined;
    this.shownSeat = undefined;
  }
}
