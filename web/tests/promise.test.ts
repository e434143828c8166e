import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import {
  addVariant,
  Engine,
  findDeal,
  GameRecord,
  UnknownVariant,
  type Edition,
  type KeptProof,
} from '../src/engine/index.ts';
import { sha256 } from '../src/engine/sha256.ts';
import { commitmentOf, verdict } from '../src/local/proof.ts';
import { keepMore, keepPromise, keptPromise, noteChairs, type Kept } from '../src/net/promise.ts';
import type { Update } from '../src/net/wire.ts';
import { Told } from '../src/session/told.ts';
import { code, data, fetchFile } from './engine.ts';
import { games, Twin, type Recorded } from './twin.ts';

describe('sha256', () => {
  it.each(['', 'abc', 'é'.repeat(31), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'long '.repeat(200)])(
    'of %j',
    async (text) => {
      const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
      expect(sha256(text)).toBe(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
    },
  );
});

const vectors = JSON.parse(readFileSync(new URL('../../tests/game/deal_vectors.json', import.meta.url), 'utf-8')) as {
  name: string;
  record: string;
  kept: KeptProof;
  found?: { cards: number };
  wrong?: string;
  /** Rules of one's own, as a server hands them out. */
  edition?: Edition;
}[];
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(code, data);
});

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('fetch', fetchFile);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

/** The tag of a record with rules that the engine does not know yet; empty where it knows them. */
function unknownIn(record: string): string {
  try {
    return GameRecord.parse(engine, record).tags['Variant'] ?? '';
  } catch (error) {
    return error instanceof UnknownVariant ? error.tag : '';
  }
}

test.each(vectors.map((each) => [each.name, each] as const))('a record is judged as by `verify`: %s', (_, each) => {
  const { record, kept, found, wrong, edition } = each;
  if (edition) addVariant(data, unknownIn(record), edition);
  const judge = () => findDeal(engine, GameRecord.parse(engine, record), kept);
  if (found) expect(judge()).toBe(found.cards);
  else expect(judge).toThrow(wrong);
  if (edition) expect(GameRecord.parse(engine, record).toString()).toBe(record);
});

/** A table as a page sees it: the game from its deal to its end, and what this browser kept before it. */
class Visit {
  readonly told = new Told();
  last: Update;

  constructor(
    readonly game: Recorded,
    private readonly change: (update: Update) => Update = (update) => update,
    keeps: Partial<Kept> | undefined = {},
  ) {
    const twin = new Twin(engine, game);
    this.last = this.see(twin.update(), true);
    keepPromise(game.id, this.last.fair.commitment);
    keepMore(game.id, { salt: game.salt, added: true, chairs: this.chairs, ...keeps });
    noteChairs(this.last);
    for (const step of game.steps.slice(1)) {
      twin.do(step.split(' ')[0] ?? '');
      this.last = this.see(twin.update(), false);
    }
  }

  get chairs(): number[] {
    return this.game.setup.seats.flatMap(({ kind }, chair) => (kind === 'here' ? [chair + 1] : []));
  }

  private see(update: Update, whole: boolean): Update {
    const seen = this.change(update);
    this.told.see(seen, whole);
    return seen;
  }

  get verdict(): Promise<string> {
    return verdict(this.told, this.last, this.game.setup);
  }
}

const OTHER = '5b'.repeat(32);
/** A recorded game, with the newest promise unless another one is asked for. */
function game(number: number, promise: 1 | 2 | 3 = 3): Recorded {
  const recorded = games[number] as Recorded;
  return { ...recorded, setup: { ...recorded.setup, promise } };
}

/** A server that deals from one secret and has promised another, which it tells at the end. */
function cheated({ id, setup, opening }: Recorded): (update: Update) => Update {
  const commitment = commitmentOf(data, OTHER, id, setup, engine.parse(opening).rules.name);
  return (update) => ({ ...update, fair: { ...update.fair, commitment, secret: update.fair.secret && OTHER } });
}

test.each([4, 9, 14, 3].map((number) => [game(number).setup.rules, number] as const))(
  'the deal of %s is recomputed card by card (game %i)',
  async (_, number) => {
    expect(await new Visit(game(number)).verdict).toBe('kept');
    expect(await new Visit(game(number), cheated(game(number))).verdict, 'another secret').toBe('broken');
  },
);

test('a page that is opened when the game is over recomputes it too', async () => {
  for (const change of [undefined, cheated(game(9))]) {
    const { told, last } = new Visit(game(9), change);
    const whole = new Told();
    whole.see({ ...last, events: [...told.events] }, true);
    expect(await verdict(whole, last, game(9).setup)).toBe(change ? 'broken' : 'kept');
  }
});

test('whatever was shown on the way counts', async () => {
  const swapped = (update: Update): Update => {
    const [first, ...others] = update.position?.hands ?? [];
    if (update.seq !== 9 || !update.position || !first) return update;
    return { ...update, position: { ...update.position, hands: [{ ...first, size: first.size + 1 }, ...others] } };
  };
  expect(await new Visit(game(9), swapped).verdict).toBe('broken');
  const dealt = (update: Update): Update => ({
    ...update,
    events: update.events.map((event) =>
      event.cards?.[0] ? { ...event, cards: ['+B', ...event.cards.slice(1)] } : event,
    ),
  });
  expect(await new Visit(game(4), dealt).verdict).toBe('broken');
});

test.each([
  ['the salt is at another chair', { chairs: [2] }, 4],
  ['another salt', { salt: 'another' }, 4],
  ['other computers', { computers: [3] }, 4],
  ['other computers, by the promise that names them', { computers: [2] }, 9],
  ['another commitment', { commitment: sha256('another') }, 9],
])('a deal is broken by what this browser kept: %s', async (_, keeps, number) => {
  expect(await new Visit(game(number), undefined, keeps).verdict).toBe('broken');
});

test.each([1, 2] as const)('a deal with a promise of form %i is not proved', async (promise) => {
  expect(await new Visit(game(4, promise)).verdict).toBe('older');
  localStorage.setItem('cartagena.promises', '[]');
  expect(await new Visit(game(4, promise)).verdict, 'nothing was kept').toBe('older');
  expect(await new Visit(game(4, promise), cheated(game(4, promise))).verdict, 'another secret').toBe('broken');
});

test.each([1, 2] as const)('a commitment of form %i is broken where the table has promised more', async (promise) => {
  const { id, secret, setup, opening } = game(9);
  const older = commitmentOf(data, secret, id, { ...setup, promise }, engine.parse(opening).rules.name);
  const change = (update: Update): Update => ({ ...update, fair: { ...update.fair, commitment: older } });
  expect(await new Visit(game(9), change).verdict).toBe('broken');
});

test('what cannot be checked here is said with its reason', async () => {
  const visit = new Visit(game(4));
  const { told, last, game: played } = visit;
  expect(await verdict(told, { ...last, stage: 'playing' }, played.setup)).toBe('open');
  expect(await verdict(told, { ...last, you: { seat: 0, seats: [], host: false } }, played.setup)).toBe('watched');
  expect(await verdict(told, { ...last, fair: { ...last.fair, secret: null } }, played.setup)).toBe('broken');
  localStorage.setItem('cartagena.promises', '[]');
  expect(await visit.verdict).toBe('unseen');
  const late = new Visit(game(4), undefined, { salt: 'unsent', added: false, chairs: [2] });
  expect(await late.verdict).toBe('late');
  keepMore(late.game.id, { added: true });
  expect(await late.verdict, 'the server had taken it').toBe('broken');
});

test('a deal that this browser did not see is verified only where no other chair can be a computer’s', async () => {
  const unseen = (number: number, keeps: Partial<Kept> = {}): Promise<string> => {
    const visit = new Visit(game(number));
    const all = { ...keptPromise(visit.game.id), computers: undefined, ...keeps };
    localStorage.setItem('cartagena.promises', JSON.stringify([all]));
    return visit.verdict;
  };
  expect(await unseen(9), 'the promise names the computers').toBe('kept');
  expect(await unseen(9, { chairs: [] }), 'another person’s chair').toBe('absent');
});

test('a deal is proved once, however much is said after the game, and anew where what it follows from is another', async () => {
  const visit = new Visit(game(9));
  const { told, last, game: played } = visit;
  expect(await visit.verdict).toBe('kept');
  const applied = vi.spyOn(Engine.prototype, 'apply');
  for (let seq = last.seq + 1; seq < last.seq + 4; seq++) {
    const said: Update = { ...last, seq, events: [{ seq, at: 0, type: 'talk', seat: 1, text: 'Well played!' }] };
    told.see(said, false);
    const seats = said.seats.map((seat) => ({ ...seat, online: !seat.online }));
    expect(await verdict(told, { ...said, seats }, played.setup)).toBe('kept');
  }
  expect(applied).not.toHaveBeenCalled();
  expect(await verdict(told, { ...last, fair: { ...last.fair, secret: OTHER } }, played.setup)).toBe('broken');
  keepMore(played.id, { computers: [] });
  expect(await verdict(told, last, played.setup)).toBe('broken');
  applied.mockRestore();
});

test('a page without the engine does not pretend to have checked', async () => {
  const { told, last, game: played } = new Visit(game(4));
  vi.resetModules();
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  const fresh = await import('../src/local/proof.ts');
  expect(await fresh.verdict(told, last, played.setup)).toBe('engine');
});

test('the first commitment and the chairs at the deal are kept', () => {
  const salt = keepPromise('t1', 'the first one');
  expect(keepPromise('t1', 'a later one')).toBe(salt);
  const seats = ['person', 'computer', 'person'].map((kind, index) => ({ kind, seat: index + 1 }));
  const seen = (stage: string, own: number[], lots: number[] | null = null): Update =>
    ({ table: 't1', stage, you: { seats: own }, seats, fair: { lots } }) as unknown as Update;
  noteChairs(seen('waiting', [3]));
  expect(keptPromise('t1')).toMatchObject({ commitment: 'the first one', chairs: [3] });
  noteChairs(seen('playing', [1], [3, 1, 2]));
  noteChairs(seen('playing', [1], [2, 1, 3]));
  expect(keptPromise('t1')).toMatchObject({ chairs: [3], computers: [1] });
});
