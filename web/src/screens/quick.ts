/** A table in one click. */
import { pirateName } from '../app/piratenames.ts';
import { settings } from '../app/settings.svelte.ts';
import { isLocal } from '../local/tablenames.ts';
import { api, newWord } from '../net/api.ts';
import { addSalt } from '../net/promise.ts';
import { keepSeat, rulesOf } from '../net/seats.ts';
import type { CheckedVariant, CreateTable } from '../net/wire.ts';
import type { TableVisit } from '../table/visit.svelte.ts';

/**
 * Set up a table, on the server or in this browser, keep the seat, and return the table's name. `own`: the table's own rules.
 * `signal`: the server's answer is not wanted any more.
 */
export async function makeTable(
  { seats, ...rest }: CreateTable,
  server = true,
  own?: CheckedVariant,
  signal?: AbortSignal,
): Promise<string> {
  // Names of their own go with the computers to a rematch.
  const crew = newWord();
  const named = seats.map((seat, index) =>
    seat.kind === 'computer' && !seat.name ? { ...seat, name: pirateName(crew, index + 1) } : seat,
  );
  const want = { ...rest, seats: named };
  if (!server) return (await import('../local/tables.ts')).createTable(want, own);
  const made = await api.create(want, signal);
  keepSeat({
    table: made.table,
    token: made.token,
    ...rulesOf(want),
    name: settings.name,
    at: Date.now(),
    invites: Object.fromEntries(made.invites.map((item) => [String(item.chair), item.invite])),
  });
  await addSalt(made.table, made.token, made.snapshot);
  void tellHere(made.table, made.token);
  return made.table;
}

/** Let this device be told about a new seat, if it is told about others. */
export async function tellHere(table: string, token: string): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  await import('../notify/push.ts').then(({ linkTable }) => linkTable(table, token)).catch(() => undefined);
}

/** Take a seat back from the computer. Leaving has ended what this device is told about it. */
export async function comeBack(visit: Pick<TableVisit, 'act' | 'table' | 'token'>, seat: number): Promise<void> {
  await visit.act('back', seat);
  if (visit.token && !isLocal(visit.table)) await tellHere(visit.table, visit.token);
}

/** Take the seat at the rematch of a table, and return the rematch's name. */
export async function joinRematch(table: string, token: string, next: string): Promise<string> {
  const { ServedTable } = await import('../session/served.ts');
  return new ServedTable(table, token).again({ next });
}

/** Play against the computer if there is one, else two people at this device. */
export async function playNow(
  rules: string,
  level: string | undefined,
  server: boolean,
  signal?: AbortSignal,
): Promise<string> {
  const me = { kind: 'here' as const, name: settings.name };
  const other = level ? { kind: 'computer' as const, name: '', level } : { kind: 'here' as const, name: '' };
  return makeTable({ rules, seats: [me, other], hints: true }, server, undefined, signal);
}
