/** The server over HTTP. Everything that can go wrong comes back as a Refused with a code. */
import type { About, Ack, Created, CreateTable, Hint, Joined, Lobby, Refusal, Snapshot, Update } from './wire.ts';
import type { StudyPosition, StudyRecord } from './study.ts';

export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly reason: string | null = null,
    readonly version: number | null = null,
  ) {
    super(message);
  }
}

/** The server could not be reached at all. */
export const OFFLINE = 'offline';

export function refusedBy(refusal: Partial<Refusal>): Refused {
  return new Refused(refusal.code ?? 'failed', refusal.message ?? '', refusal.reason ?? null, refusal.version ?? null);
}

async function request(method: string, path: string, token?: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init: RequestInit = { method, headers, cache: 'no-store' };
  if (body !== undefined) init.body = JSON.stringify(body);
  let answer: Response;
  try {
    answer = await fetch(new URL(`api${path}`, document.baseURI), init);
  } catch {
    throw new Refused(OFFLINE, 'The server cannot be reached.');
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => ({}))) as { error?: Partial<Refusal> };
  throw refusedBy(told.error ?? { code: answer.status >= 500 ? 'failed' : 'malformed' });
}

async function json<T>(method: string, path: string, token?: string, body?: unknown): Promise<T> {
  return (await (await request(method, path, token, body)).json()) as T;
}

const table = (id: string, rest = ''): string => `/tables/${encodeURIComponent(id)}${rest}`;

export const api = {
  about: () => json<About>('GET', '/about'),
  lobby: () => json<Lobby>('GET', '/tables'),
  create: (want: CreateTable) => json<Created>('POST', '/tables', undefined, want),
  look: (id: string, token?: string) => json<Snapshot>('GET', table(id), token),
  news: (id: string, token: string | undefined, after: number) =>
    json<Update>('GET', table(id, `/events?after=${after}&wait=20`), token),
  join: (id: string, want: { invite?: string; name: string; salt: string }, token?: string) =>
    json<Joined>('POST', table(id, '/join'), token, want),
  start: (id: string, token: string) => json<Snapshot>('POST', table(id, '/start'), token),
  move: (id: string, token: string, want: { id: string; version: number; move: string; seat?: number }) =>
    json<Ack>('POST', table(id, '/moves'), token, want),
  undo: (id: string, token: string, want: { id: string; version: number; seat?: number }) =>
    json<Ack>('POST', table(id, '/undo'), token, want),
  act: (id: string, token: string, what: 'resign' | 'leave' | 'back') => json<unknown>('POST', table(id, `/${what}`), token, {}),
  talk: (id: string, token: string, text: string) => json<unknown>('POST', table(id, '/talk'), token, { text }),
  hint: (id: string, token: string, seat: number) => json<Hint>('POST', table(id, '/hint'), token, { seat }),
  rematch: (id: string, token: string) => json<Joined>('POST', table(id, '/rematch'), token),
  invite: (id: string, token: string, chair: number) =>
    json<{ chair: number; invite: string }>('POST', table(id, `/invites/${chair}`), token),
  record: async (id: string, token: string) => (await request('GET', table(id, '/record'), token)).text(),
  tryPosition: (position: string, moves: readonly string[]) =>
    json<StudyPosition>('POST', '/study/position', undefined, { position, moves }),
  readRecord: (text: string) => json<StudyRecord>('POST', '/study/record', undefined, { record: text }),
};

/** A word nobody else has: for move ids and for randomness added to the deal. */
export function newWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
