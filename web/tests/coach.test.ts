import { beforeAll, expect, test } from 'vitest';
import { Coach } from '../src/coach/coach.svelte.ts';
import { MISTAKE } from '../src/coach/advice.ts';
import { Engine, EnginePlayer } from '../src/engine/index.ts';
import { moving, playing, takingBack } from '../src/local/decisions.ts';
import type { Mind } from '../src/local/engine.ts';
import type { Happening, LocalEvent, Setup } from '../src/local/events.ts';
import { moveFields } from '../src/local/notation.ts';
import { LocalTable } from '../src/local/table.ts';
import { updateOf } from '../src/local/updates.ts';
import type { Update } from '../src/net/wire.ts';
import { code, data, network, worker } from './engine.ts';

/** Blue, to move, wins at once with a pistol; if not, red is about to. */
const RACE =
  'jamaica-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS 30,b,b,b,b,b/28,33,35,b,b,b PS/BDHK2 - B16D16H16K15P16S16 - - 1.0';
const SEATS = [
  { kind: 'here', name: 'Ann', level: null },
  { kind: 'computer', name: '', level: 'sailor' },
];

let mind: Mind;

beforeAll(async () => {
  mind = { engine: await Engine.load(code, data), player: new EnginePlayer(worker(), code, data, { network }) };
});

/** A coach whose questions come also where the machine is busy. */
const patient = (): Coach => new Coach(() => Promise.resolve(mind), 600_000);

/** A table in the middle of a game, and what the person there sees. */
class Sitting {
  readonly table: LocalTable;

  constructor(opening: string) {
    const setup = { rules: 'jamaica-en', seats: SEATS, clock: { kind: 'none' } } as unknown as Setup;
    this.table = new LocalTable(mind.engine, 'local-1', 0, setup, '00'.repeat(32));
    this.take([
      { kind: 'salt', chairs: [1], salt: '' },
      { kind: 'deal', opening, order: [1, 2] },
    ]);
  }

  take(happened: Happening[]): void {
    for (const event of happened) this.table.apply({ ...event, at: 0 } as LocalEvent);
  }

  get update(): Update {
    return updateOf(this.table, { after: 0, thinking: 0 });
  }

  play(move: string): void {
    const { version, chooser } = this.table;
    this.take(playing(this.table, { version, seat: chooser }, moveFields(move), 0));
  }

  undo(): void {
    this.take(takingBack(this.table, { version: this.table.version, seat: 1 }, 0));
  }
}

const optionOf = (update: Update, move: string) => {
  const option = update.options?.legal.find((each) => JSON.stringify(each.move) === JSON.stringify(moveFields(move)));
  if (!option) throw new Error(`${move} is not offered`);
  return option;
};

/** Wait for what the coach does by itself. */
async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 5));
  }
}

test('the coach asks before the end of a turn that throws a win away, and never before what can be taken back', async () => {
  const [sitting, coach] = [new Sitting(RACE), patient()];
  coach.see(sitting.update);
  expect(await coach.allows(sitting.update, optionOf(sitting.update, '30:S'), true)).toBe(true);
  sitting.play('30:S');
  coach.see(sitting.update);
  const ending = coach.allows(sitting.update, optionOf(sitting.update, 'end'), true);
  const question = await until(() => coach.question);
  expect(question.best).toBe(1);
  expect(question.best - question.mine).toBeGreaterThan(MISTAKE);
  expect(question.advice.options.map(({ move }) => move)).toEqual([moveFields('30:P')]);
  expect(question.advice.why[0]).toBe('wins');
  question.answer(false);
  expect([await ending, coach.question]).toEqual([false, undefined]);
  sitting.undo();
  coach.see(sitting.update);
  expect(await coach.allows(sitting.update, optionOf(sitting.update, '30:P'), true)).toBe(true);
  expect(coach.question).toBeUndefined();
});

test('a coach that does not ask lets every turn pass and tells afterwards what the captain would have done', async () => {
  const [sitting, coach] = [new Sitting(RACE), patient()];
  for (const move of ['30:S', 'end']) {
    coach.see(sitting.update);
    expect(await coach.allows(sitting.update, optionOf(sitting.update, move), false)).toBe(true);
    sitting.play(move);
  }
  expect([coach.question, coach.lesson]).toEqual([undefined, undefined]);
  coach.see(sitting.update);
  const lesson = await until(() => coach.lesson);
  expect([lesson.kind, lesson.best, lesson.advice.why[0]]).toEqual(['worse', 1, 'wins']);
});

test('a coach that sees the next turns of all seats in one update tells about the turn before', async () => {
  const [sitting, coach] = [new Sitting(RACE), patient()];
  for (const move of ['30:S', 'end']) {
    coach.see(sitting.update);
    await coach.allows(sitting.update, optionOf(sitting.update, move), false);
    sitting.play(move);
  }
  for (const move of ['28:B', 'end']) sitting.take(moving(sitting.table, move, 0));
  expect(sitting.update.position?.turn.seat).toBe(1);
  coach.see(sitting.update);
  expect((await until(() => coach.lesson)).kind).toBe('worse');
});

test('what the seat cannot see changes nothing of what the coach says', async () => {
  const said = [];
  for (const opening of [RACE, RACE.replace('BDHK2', 'D2P3').replace('B16D16H16K15P16S16', 'B17D15H17K17P13S16')]) {
    const [sitting, coach] = [new Sitting(opening), patient()];
    coach.see(sitting.update);
    sitting.play('30:S');
    coach.see(sitting.update);
    const ending = coach.allows(sitting.update, optionOf(sitting.update, 'end'), true);
    const { mine, best } = await until(() => coach.question);
    coach.leave();
    said.push([mine, best, await ending]);
  }
  expect(said[0]).toEqual(said[1]);
});

test('a question ends when the game goes on without the person, and a failing or slow engine never stops a move', async () => {
  const [sitting, coach] = [new Sitting(RACE), patient()];
  coach.see(sitting.update);
  sitting.play('30:S');
  coach.see(sitting.update);
  const ending = coach.allows(sitting.update, optionOf(sitting.update, 'end'), true);
  await until(() => coach.question);
  sitting.play('end');
  coach.see(sitting.update);
  expect([await ending, coach.question]).toEqual([false, undefined]);
  const other = new Sitting(RACE);
  const broken = new Coach(() => Promise.reject(new Error('no engine')));
  broken.see(other.update);
  expect(await broken.allows(other.update, optionOf(other.update, '30:S'), true)).toBe(true);
  const late = new Coach(() => new Promise(() => undefined), 1);
  late.see(other.update);
  expect(await late.allows(other.update, optionOf(other.update, '30:S'), true)).toBe(true);
});
