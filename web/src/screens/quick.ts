/** A table in one click. */
import { pirateName } from '../app/piratenames.ts';
import { settings } from '../app/settings.svelte.ts';
import { api, newWord } from '../net/api.ts';
import { addSalt } from '../net/promise.ts';
import { keepSeat } from '../net/seats.ts';
import type { CreateTable } from '../net/wire.ts';

/** Set up a table, on the server or in this browser, keep the seat, and return the table's name. */
export async function makeTable({ seats, ...rest }: CreateTable, server = true): Promise<string> {
  // Names of their own go with the computers to a rematch.
  const crew = newWord();
  const named = seats.map((seat, index) =>
    seat.kind === 'computer' && !seat.name ? { ...seat, name: pirateName(crew, index + 1) } : seat,
  );
  const want = { ...rest, seats: named };
  if (!server) return (await import('../local/tables.ts')).createTable(want);
  const made = await api.create(want);
  keepSeat({
    table: made.table,
    token: made.token,
    rules: want.rules ?? '',
    name: settings.name,
    at: Date.now(),
    invites: Object.fromEntries(made.invites.map((item) => [String(item.chair), item.invite])),
  });
  await addSalt(made.table, made.token, made.snapshot);
  return made.table;
}

/** Take the seat at the rematch of a table, and return the rematch's name. */
export async function joinRematch(table: string, token: string, next: string): Promise<string> {
  const { ServedTable } = await import('../session/served.ts');
  return new ServedTable(table, token).again({ next });
}

/** Play against the computer if there is one, else two people at this device. */
export async function playNow(rules: string, level: string | undefined, server = true): Promise<string> {
  const me = { kind: 'here' as const, name: settings.name };
  const other = level ? { kind: 'computer' as const, name: '', level } : { kind: 'here' as const, name: '' };
  return makeTable({ rules, seats: [me, other], hints: true }, server);
}
