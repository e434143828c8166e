/** Where the records of a review come from: files, and the tables at which this browser sits. */
import { t } from '../i18n/i18n.svelte.ts';
import { isLocal } from '../local/tablenames.ts';
import { api, Refused } from '../net/api.ts';
import { keptSeat } from '../net/seats.ts';
import { refusalWords } from '../table/words.ts';

type Reader = (text: Promise<string>) => void;

/** Bytes of a file up to which it is read: a record has at most 4 million characters. */
const MOST = 16_000_000;
let waiting: string | undefined;
let reader: Reader | undefined;

/** Keep the text of a record until the review opens it. */
export function handOver(text: string): void {
  waiting = text;
}

/** Let an open review read the records that are dropped. Returns the function that ends this. */
export function readDrops(next: Reader): () => void {
  reader = next;
  return () => {
    if (reader === next) reader = undefined;
  };
}

/** Give a record to the open review, which keeps what it shows if it is not one. False where no review is open. */
export function offer(text: Promise<string>): boolean {
  reader?.(text);
  return reader !== undefined;
}

/** The text that was handed over last, once. */
export function takeOver(): string | undefined {
  const text = waiting;
  waiting = undefined;
  return text;
}

/** The text of a file; empty where it cannot be read, as a folder, or is far too large, so that it is told to be no record. */
export const textIn = (file: File): Promise<string> =>
  file.size > MOST ? Promise.resolve('') : file.text().catch(() => '');

/** The record of a finished table at which this browser sits. Raises Refused. */
export async function recordOf(table: string): Promise<string> {
  if (isLocal(table)) return (await import('../local/records.ts')).recordHere(table);
  const token = keptSeat(table)?.token;
  if (!token) throw new Refused('not-seated', 'Only seated players can do that.');
  return api.record(table, token);
}

/** The reader's seat at such a table, 0 where there are several, and the table's rematch, as far as they can be asked for. */
export async function placeAt(table: string): Promise<{ seat: number; next: string | null | undefined }> {
  const found = isLocal(table)
    ? await (await import('../local/records.ts')).tableHere(table)
    : await api.look(table, keptSeat(table)?.token).catch(() => undefined);
  const seats = found && 'held' in found ? found.held : found?.you.seats;
  return { seat: seats?.length === 1 ? (seats[0] ?? 0) : 0, next: found?.next };
}

/** Why a record cannot be reviewed, and the reader's own words about one that is damaged. */
export function recordProblem(refused: Refused): [string, string] {
  const { code, message } = refused;
  if (code === 'old-browser') return [t('review.link.old'), ''];
  if (code === 'no-moves') return [t('review.empty'), ''];
  if (code === 'not-over' || code === 'not-started') return [t('review.running'), ''];
  if (code === 'not-seated') return [t('replay.notyours'), ''];
  if (code === 'no-such-table' || code === 'malformed') return [t('error.table.text'), ''];
  return code === 'illegal' ? [t('replay.broken'), message] : [refusalWords(refused), ''];
}
