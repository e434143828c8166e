import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { Engine, EngineError } from '../src/engine/index.ts';
import { LiveEvaluator, ReviewCrew } from '../src/review/crew.ts';
import { draftOf, moved, rest, textOf, turnParts, turnText } from '../src/review/draft.ts';
import { keyedStep, lineOf, stepAt, valueAt, type ChanceCourse } from '../src/review/graph.ts';
import { classOf, crc32 } from '../src/review/judge.ts';
import { readComment, writeComment } from '../src/review/recordlines.ts';
import { ReviewedRecord } from '../src/review/record.ts';
import { packed, unpacked } from '../src/review/share.ts';
import { summary } from '../src/review/luck.ts';
import type { Live, StudyWorker, StudyTask } from '../src/review/tasks.ts';
import type { Decision, SeatReview, Split } from '../src/review/types.ts';
import { grouped } from '../src/review/variation.svelte.ts';
import { studier } from '../src/review/working.ts';
import { code, data, network } from './engine.ts';

interface Told {
  readonly record: string;
  readonly judge: string;
  readonly nodes: number;
  readonly seed: number;
  /** The seat from whose view the game is reviewed; null for all cards. */
  readonly seat: number | null;
  readonly seats: SeatReview[];
  readonly decisions: Decision[];
  readonly draws: Split['draws'];
  readonly shares: Record<string, number[]>;
  readonly course: number[][];
}

const told = JSON.parse(
  new TextDecoder().decode(readFileSync(new URL('../../tests/study/vectors.json', import.meta.url))),
) as Told[];
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.load(code, data);
});

/** A worker in the same thread. */
function worker(): StudyWorker {
  const found: StudyWorker = { onmessage: null, terminate: () => undefined, postMessage: () => undefined };
  const hear = studier((answer) => found.onmessage?.({ data: answer }));
  found.postMessage = (task: StudyTask) => void hear(task);
  return found;
}

/** The leaves of plain data by their places, numbers rounded to what both sides must agree on. */
function flat(value: unknown, path = ''): [string, unknown][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => flat(inner, `${path}/${name}`));
  return [[path, value]];
}

function expectSame(found: unknown, wanted: unknown): void {
  const [mine, theirs] = [flat(found), new Map(flat(wanted))];
  expect(mine.map(([path]) => path).sort()).toEqual([...theirs.keys()].sort());
  for (const [path, value] of mine) {
    const other = theirs.get(path);
    if (typeof value === 'number' && typeof other === 'number')
      expect(Math.abs(value - other), path).toBeLessThan(1e-9);
    else expect(value, path).toEqual(other);
  }
}

test('a review in the browser has the numbers of a review in Python, with all cards and from a seat’s view', async () => {
  const crew = new ReviewCrew([worker(), worker()], code, data);
  const luck = Object.values(data.networks).filter(({ file }) => file.startsWith('luck-'));
  for (const file of ['tortuga-2.network', ...luck.map(({ file }) => file)])
    crew.bring({ file, content: new Uint8Array(await network(file)) });
  expect(told.map(({ judge }) => judge)).toEqual(expect.arrayContaining(['captain', 'admiral']));
  expect(told.some(({ seat }) => seat)).toBe(true);
  for (const each of told) {
    const record = new ReviewedRecord(engine, each.record);
    const parts = await crew.split(each.record, each.seat ?? 0);
    const decisions: Decision[] = [];
    const own = record.choices.filter(
      ({ position }) => !each.seat || engine.chooser(engine.parse(position)) === each.seat,
    );
    await crew.judge(own, { nodes: each.nodes, seed: each.seed }, (decision) => decisions.push(decision));
    decisions.sort((a, b) => a.number - b.number);
    expectSame(decisions, each.decisions);
    expectSame(
      { draws: parts.draws, shares: parts.choices, course: parts.course },
      { draws: each.draws, shares: each.shares, course: each.course },
    );
    const seats = summary(decisions, parts, record.record.tags).filter(({ seat }) => !each.seat || seat === each.seat);
    expectSame(seats, each.seats);
    for (const seat of seats) {
      const sum = 1 / parts.seats.length + seat.opening + seat.luck + seat.decisions + seat.ending;
      expect(sum).toBeCloseTo(seat.result, 9);
    }
  }
});

test('what a seat cannot see changes neither the live values nor the advice', async () => {
  const hidden = 'jamaica-en BDHKPS/SKPHDB s,3/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0';
  const other = hidden.replace('BS/H2', 'BS/KP').replace('H15K17P17', 'H17K16P16');
  const values = await Promise.all([hidden, other].map((text) => evaluated(text, 1)));
  expect(values[0]).toEqual(values[1]);
  expect(values[0]?.turns[0]?.ways[0]?.to).toBeTruthy();
  expect((await evaluated(hidden, 2)).turns).toEqual([]);
  expect(await evaluated(hidden, 0)).not.toEqual(await evaluated(other, 0));
});

function evaluated(text: string, seat: number, nodes = 400): Promise<Live> {
  return new Promise((done) => {
    new LiveEvaluator(worker(), code, data).show(text, seat, nodes, (live) => live.done && done(live));
  });
}

test('the best turns from a seat’s view have the numbers of the judge, the best first', async () => {
  const { choices } = new ReviewedRecord(engine, told[0]?.record ?? '');
  const crew = new ReviewCrew([worker()], code, data);
  const decisions: Decision[] = [];
  await crew.judge(choices.slice(0, 6), { nodes: 300, seed: 0 }, (decision) => decisions.push(decision));
  expect(decisions.some(({ turns }) => turns.length > 2)).toBe(true);
  for (const { number, seat, before, turns } of decisions) {
    const live = await evaluated(choices.find((each) => each.number === number)?.position ?? '', seat, 300);
    const own = (value: readonly number[]): number => value[seat - 1] ?? 0;
    expectSame(live.value, before);
    expectSame(
      live.turns.map(({ moves, value }) => [moves.join(' '), value]),
      turns.toSorted((a, b) => own(b.value) - own(a.value)).map(({ moves, value }) => [moves, value]),
    );
  }
});

test('a running game, a record without moves and foreign text are refused', () => {
  const running = 'jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\n5:S';
  for (const text of [running, running.split('\n')[0] ?? '', 'hello'])
    expect(() => new ReviewedRecord(engine, text)).toThrow(EngineError);
});

test('comments, variations and judgements are written into the record and read again', () => {
  const each = told[0];
  if (!each) throw new Error('no vectors');
  const record = new ReviewedRecord(engine, each.record);
  const first = { words: 'a quiet [start}', lines: [['s:B', '+D', 'end'], ['end']] };
  const said = record.comments().map((comment, index) => (index === 0 ? first : comment));
  const text = record.text(said, new Map(each.decisions.map((decision) => [decision.number, decision])));
  const again = new ReviewedRecord(engine, text);
  expect(again.comments()[0]).toEqual(first);
  expect(again.record.moves.map(({ move }) => move)).toEqual(record.record.moves.map(({ move }) => move));
  expect(again.record.moves.filter((entry) => entry.eval).length).toBe(each.decisions.length);
  expect(again.text(again.comments(), new Map(each.decisions.map((decision) => [decision.number, decision])))).toBe(
    text,
  );
  expect(readComment(writeComment({ words: '[%line x] y', lines: [] })).lines).toEqual([]);
});

test('a record travels in a link', async () => {
  const text = told.map(({ record }) => record).join('\n');
  expect(await unpacked(await packed(text))).toBe(text);
  await expect(unpacked('no link')).rejects.toThrow();
});

test('a browser that cannot compress shares a longer link and says which links it cannot open', async () => {
  const text = told[0]?.record ?? '';
  const short = await packed(text);
  vi.stubGlobal('CompressionStream', undefined);
  vi.stubGlobal('DecompressionStream', undefined);
  try {
    const long = await packed(text);
    expect(long.length).toBeGreaterThan(short.length);
    expect(encodeURIComponent(long)).toBe(long);
    expect(await unpacked(long)).toBe(text);
    await expect(unpacked(short)).rejects.toMatchObject({ code: 'old-browser' });
    expect(await packed(text.padEnd(40_000))).toBe('');
  } finally {
    vi.unstubAllGlobals();
  }
});

test('check sums and classes are those of Python', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
  expect([0, 0.01, 0.05, 0.1, 0.4].map(classOf)).toEqual(['best', 'good', 'inaccuracy', 'mistake', 'blunder']);
});

test('the graph has a line for each seat and is walked by pointer and keys', () => {
  const course: ChanceCourse = {
    steps: 4,
    points: [
      { step: 0, value: [0.5, 0.5] },
      { step: 4, value: [1, 0] },
    ],
    swings: [],
  };
  expect(lineOf(course, 1, { width: 100, height: 10 })).toBe('M0.0 5.0L100.0 0.0');
  expect(valueAt(course, 3)).toEqual([0.5, 0.5]);
  expect([-1, 0.49, 2].map((share) => stepAt(share, 4))).toEqual([0, 2, 4]);
  expect(['ArrowRight', 'Home', 'End', 'x'].map((key) => keyedStep(key, 1, 4))).toEqual([2, 0, 4, undefined]);
  expect(grouped(['s:B', '+D', '+H', 'end'])).toEqual([['s:B', '+D', '+H'], ['end']]);
});

test('a position is taken apart and put together again, whatever is changed in it', () => {
  const text =
    'nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,3,3,b,b,28/5,13,b,18,25,n C3C!DM/CGPST - C4D7 C4 1 1.0c';
  const draft = draftOf(text);
  if (!draft) throw new Error('not read');
  const track = ['s', '3', '5', '13', 'b', '18', '25', '28', 'n'];
  expect(textOf(draft, track)).toBe(text);
  expect(textOf(moved(draft, 1, '28', 's'), track).split(' ')[2]).toBe('s,s,3,3,b,b/5,13,b,18,25,n');
  expect(rest({ C: 14, 'C!': 1, D: 2 }, draft)).toEqual({ C: 6, 'C!': 0, D: 1 });
  expect(turnText(turnParts('2.1c'))).toBe('2.1c');
  expect(draftOf('too few words')).toBeUndefined();
});

test('a link whose record would unpack to far more than a record has is refused on the way', async () => {
  const bytes = new Blob(Array<Uint8Array<ArrayBuffer>>(50).fill(new Uint8Array(1_000_000)));
  const small = new Response(bytes.stream().pipeThrough(new CompressionStream('deflate')));
  const letters = Array.from(new Uint8Array(await small.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('');
  await expect(unpacked(btoa(letters))).rejects.toThrow('too large');
});
