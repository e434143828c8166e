/** The analysis board: a position to set up by notation or by hand, explained where it is impossible. */
import { positionOf, trackOf, type Position } from '../game/position.ts';
import { Chance, deckOf, newSecret, NotationError, openingOf, type Engine } from '../engine/index.ts';
import { ruleSet, ruleTable } from '../engine/rulesets.ts';
import { t, wordsFor } from '../i18n/i18n.svelte.ts';
import { loaded } from '../local/engine.ts';
import { Facts } from '../local/facts.ts';
import { api, Refused } from '../net/api.ts';
import { refusalWords } from '../table/words.ts';
import { draftOf, moved, rest, textOf, type Counts, type Draft } from './draft.ts';
import { LivePosition } from './live.svelte.ts';

const START = { rules: 'jamaica-en', seats: 2 };
/** An opening for browsers that cannot deal one themselves. */
const OPENING =
  'jamaica-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,s,s,s,s,s/s,s,s,s,s,s B2DHKP/DH2KPS - B15D15H14K15P15S16 - - 1.0';
/** Milliseconds without a change after which the server is asked. */
const QUIET = 300;

export class AnalysisModel {
  readonly live = new LivePosition();
  /** The position as it is written; it may be impossible. */
  text = $state('');
  /** The seat whose knowledge counts; 0 means that all cards are known. */
  seat = $state(0);
  /** Whether the stock has all cards that lie nowhere else. */
  fillsStock = $state(true);
  problem = $state('');
  detail = $state('');
  /** The last possible position, with all cards that are known. */
  position: Position | undefined = $state.raw();
  games: readonly string[] = $state.raw([]);
  /** The pirate that is picked up. */
  held: { readonly seat: number; readonly place: string } | undefined = $state.raw();
  /** True where the engine cannot run: the server shows and checks positions, and nothing is evaluated. */
  served = $state(false);
  private engine: Engine | undefined;
  private good = $state('');
  private asked = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** Begin with a position in notation, or with a new opening. Raises Refused where neither engine nor server can be asked. */
  async open(text: string): Promise<void> {
    const found = await loaded().catch((error: unknown) => this.openByServer(text, error));
    if (!found) return;
    const { engine, data } = found;
    this.engine = engine;
    this.games = Object.keys(data.editions);
    if (text) this.set(text);
    if (!this.position) {
      const said = [this.problem, this.detail] as const;
      this.deal(START.rules, START.seats);
      if (text) [this.problem, this.detail] = said;
    }
  }

  /** Begin without the engine. Raises the reason why it is missing where there is no server either. */
  private async openByServer(text: string, missing: unknown): Promise<undefined> {
    this.served = true;
    this.text = text || OPENING;
    await this.look(this.text);
    if (this.position) return;
    const said = [this.problem, this.detail] as const;
    await this.look(OPENING);
    if (!this.position) throw missing;
    [this.problem, this.detail] = said;
  }

  /** Let the server look at a position. */
  private async look(text: string): Promise<void> {
    const asked = ++this.asked;
    try {
      const found = await api.tryPosition(text.trim().split(/\s+/).join(' '), []);
      if (asked !== this.asked) return;
      [this.position, this.good, this.problem, this.detail] = [positionOf(found.position), found.text, '', ''];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (asked !== this.asked) return;
      const isWrong = error.code === 'illegal';
      this.problem = isWrong ? t('analysis.refused') : refusalWords(error);
      this.detail = isWrong ? error.message : '';
    }
  }

  /** Take a position in notation. The one before stays on the board where the new one is impossible. */
  set(text: string): void {
    const { engine } = this;
    this.text = text;
    this.held = undefined;
    if (!engine) {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => void this.look(text), QUIET);
      return;
    }
    try {
      const parsed = engine.parse(text.trim().split(/\s+/).join(' '));
      this.position = positionOf(new Facts(engine, parsed).json());
      this.good = engine.format(parsed);
      [this.problem, this.detail] = ['', ''];
      if (this.seat > parsed.seats) this.seat = 0;
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      const why = wordsFor('fault', error.fault);
      this.problem = why ? t('analysis.impossible', { why }) : t('analysis.unread');
      this.detail = why ? '' : error.message;
    }
  }

  /** Deal a new opening. */
  deal(rules: string, seats: number): void {
    if (!this.engine) return;
    const chance = Chance.of(newSecret(), []);
    this.set(this.engine.format(openingOf(this.engine, { rules, seats }, chance)));
  }

  /** The parts of the written position, or of the last possible one. */
  get draft(): Draft | undefined {
    return draftOf(this.text) ?? draftOf(this.good);
  }

  /** Change the position by hand. */
  change(changes: Partial<Draft>): void {
    const { draft, position } = this;
    if (!draft || !position) return;
    const next = { ...draft, ...changes };
    const full =
      this.engine && this.fillsStock && typeof next.stock !== 'string'
        ? { ...next, stock: rest(this.deck(next), next) }
        : next;
    this.set(textOf(full, trackOf(position.islands)));
  }

  /** Pick a pirate up, or put it down. */
  pick(place: string): void {
    const { draft, held } = this;
    if (!draft) return;
    if (held) {
      const { pirates } = moved(draft, held.seat, held.place, place);
      this.held = undefined;
      if (place !== held.place) this.change({ pirates });
      return;
    }
    const seat = draft.pirates.findIndex((places) => places.includes(place)) + 1;
    if (seat) this.held = { seat, place };
  }

  /** The next crew that has a pirate where one is held. */
  holdNext(): void {
    const { draft, held } = this;
    if (!draft || !held) return;
    const seats = draft.pirates.flatMap((places, index) => (places.includes(held.place) ? [index + 1] : []));
    this.held = { ...held, seat: seats.find((seat) => seat > held.seat) ?? seats[0] ?? held.seat };
  }

  /** All kinds of cards of this game, in writing order. */
  get kinds(): string[] {
    const { engine, draft } = this;
    return engine && draft ? ruleSet(engine.program.data, draft.rules).edition.faces.map(([card]) => card) : [];
  }

  /** The whole deck, as the rules have it. */
  private deck(draft: Draft): Counts {
    const { engine } = this;
    if (!engine) return {};
    const rules = ruleSet(engine.program.data, draft.rules);
    const pieces = draft.board.split(/[/|]/).length;
    const table = ruleTable(rules, draft.pirates.length, pieces, draft.pirates[0]?.length ?? 1);
    return deckOf(engine, rules, table);
  }

  /** The position in notation that the engine looks at; empty while it is impossible. */
  get shown(): string {
    return this.problem ? '' : this.good;
  }

  /** What is on the board: the whole position, or what a seat may know of it. */
  get visible(): Position | undefined {
    const { engine, seat, good } = this;
    if (!engine || !seat || this.problem) return this.position;
    return positionOf(new Facts(engine, engine.view(engine.parse(good), seat)).json());
  }
}
