/** Setting tables up in this browser, listing them, and their records. */
import { clockHere } from './clocks.ts';
import { addVariant, type Edition, Chance, drawLots, EngineError, newSecret, openingOf } from '../engine/index.ts';
import { ruleSet } from '../engine/rulesets.ts';
import { newWord, Refused } from '../net/api.ts';
import { keepMore, keepPromise } from '../net/promise.ts';
import { forgetSeat, keepSeat, rulesOf } from '../net/seats.ts';
import { PROTOCOL, type About, type CreateTable } from '../net/wire.ts';
import { loaded } from './engine.ts';
import { chairsOf, type LocalEvent, type Setup, type StoredTable } from './events.ts';
import { commitmentOf } from './proof.ts';
import { HERE, localName } from './tablenames.ts';
import { careForTables, forgetTable, saveTable } from './store.ts';

/** What this browser offers by itself, in the form of a server's offer. */
export async function aboutHere(): Promise<About> {
  const { data } = await loaded();
  const rules = Object.entries(data.editions).map(([name, { game }]) => ({
    name,
    game,
    edition: name.split('-')[1] ?? '',
  }));
  return { version: data.build, protocol: PROTOCOL, rules, levels: [...data.levels], limits: {}, addresses: [] };
}

/** The set-up with every option, as a server keeps it. All persons sit at this device. */
function wholeSetup(want: CreateTable): Setup {
  const seats = want.seats.map(({ kind, name, level }) =>
    kind === 'computer'
      ? { kind, name: name ?? '', level: level ?? null }
      : { kind: 'here' as const, name: name ?? '', level: null },
  );
  const clock = clockHere(want.clock);
  return {
    rules: want.rules ?? 'jamaica-en',
    seats,
    style: want.style ?? 'printed',
    pirates: want.pirates ?? null,
    pieces: want.pieces ?? null,
    deal: want.deal ?? null,
    variant: want.variant ?? null,
    clock: clock.kind === 'none' ? clock : { ...clock, form: 2 },
    spectators: 'none',
    lobby: false,
    talk: false,
    hints: want.hints ?? false,
    replace: want.replace ?? null,
    absence: null,
    lots: want.lots ?? true,
    salts: 0,
    promise: 3,
    hold: false,
  };
}

/** Rules of one's own, as a server or an earlier table has them. */
interface Checked {
  readonly text: string;
  readonly edition: unknown;
}

/** Set a table up, deal, and save it. Returns its name. `own`: the table's own rules, which a server has checked. Raises Refused. */
export async function createTable(want: CreateTable, own?: Checked): Promise<string> {
  const stored = await newTable(want, own);
  await saveTable(stored, 0);
  void careForTables().catch(() => undefined); // a browser that refuses keeps the games all the same
  const name = stored.setup.seats.find(({ kind }) => kind === 'here')?.name ?? '';
  keepSeat({ table: stored.id, token: HERE, ...rulesOf(stored.setup), name, at: stored.created });
  return stored.id;
}

/** Remove a saved table for good. */
export async function removeTable(id: string): Promise<void> {
  await forgetTable(id);
  forgetSeat(id);
}

async function newTable(want: CreateTable, own?: Checked): Promise<StoredTable> {
  const { engine, data } = await loaded();
  const edition = own?.edition as Edition | undefined;
  const variant = want.variant && own && edition ? { text: own.text, edition } : undefined;
  const named = variant ? addVariant(data, variant.text, variant.edition) : '';
  const [id, setup, secret, created] = [localName(newWord()), wholeSetup(want), newSecret(), Date.now()];
  const { style, pirates, pieces, deal, lots } = setup;
  const rules = named || (setup.rules ?? '');
  const here = chairsOf(setup.seats, 'here');
  try {
    // The person's randomness comes after the commitment, as at a server's table.
    const salt = keepPromise(id, commitmentOf(data, secret, id, setup, ruleSet(data, rules).name));
    keepMore(id, { added: true, chairs: here, computers: chairsOf(setup.seats, 'computer') });
    const chance = Chance.of(
      secret,
      setup.seats.map(({ kind }) => (kind === 'here' ? salt : '')),
    );
    const order = lots ? drawLots(chance, setup.seats.length) : setup.seats.map((_, chair) => chair + 1);
    const opening = openingOf(engine, { rules, seats: setup.seats.length, style, pirates, pieces, deal }, chance);
    const events: LocalEvent[] = [
      { kind: 'salt', at: created, chairs: here, salt },
      { kind: 'deal', at: created, opening: engine.format(opening), order },
    ];
    const own = variant ? { variant } : {};
    return { form: 1, id, created, setup, secret, ...own, events, changed: created, over: false };
  } catch (error) {
    throw error instanceof EngineError ? new Refused('malformed', error.message) : error;
  }
}
