/** The server over HTTP. Every failure is a Refused with a code. */
import createClient from 'openapi-fetch';
import { page } from './outdated.svelte.ts';
import type { paths } from './schema';
import { PROTOCOL, type CreateTable, type JoinTable, type MoveJson, type PlayMove, type Refusal, type TakeBack } from './wire.ts';

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

/** The code of a failure to reach the server. */
export const OFFLINE = 'offline';

export function refusedBy(refusal: Partial<Refusal>): Refused {
  if (refusal.code === 'outdated') page.outdated = true;
  return new Refused(refusal.code ?? 'failed', refusal.message ?? '', refusal.reason ?? null, refusal.version ?? null);
}

const http = () =>
  createClient<paths>({
    baseUrl: new URL('.', document.baseURI).href,
    cache: 'no-store',
    headers: { 'cartagena-protocol': String(PROTOCOL) },
  });

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

async function answer<T>(call: Promise<Answer<T>>): Promise<T> {
  const found = await call.catch(() => {
    throw new Refused(OFFLINE, 'The server cannot be reached.');
  });
  if (found.response.ok) return found.data as T;
  const told = found.error as { error?: Partial<Refusal> } | undefined;
  throw refusedBy(told?.error ?? { code: found.response.status >= 500 ? 'failed' : 'malformed' });
}

/** The address of a table, with the token of a seat there. */
const at = (table: string, token: string | undefined) => ({
  params: { path: { table }, header: token ? { authorization: `Bearer ${token}` } : {} },
});

export const api = {
  about: () => answer(http().GET('/api/about')),
  lobby: () => answer(http().GET('/api/tables')),
  create: (body: CreateTable) => answer(http().POST('/api/tables', { body })),
  look: (id: string, token?: string) => answer(http().GET('/api/tables/{table}', at(id, token))),
  news: (id: string, token: string | undefined, after: number) =>
    answer(http().GET('/api/tables/{table}/events', { params: { ...at(id, token).params, query: { after, wait: 20 } } })),
  /** A table as it is now, without its events. */
  glance: (id: string, token: string) => answer(http().GET('/api/tables/{table}/events', { params: { ...at(id, token).params, query: { after: 2 ** 31 - 1 } } })),
  join: (id: string, body: JoinTable, token?: string) => answer(http().POST('/api/tables/{table}/join', { ...at(id, token), body })),
  preview: (id: string, invite?: string) => answer(http().POST('/api/tables/{table}/preview', { ...at(id, undefined), body: invite ? { invite } : {} })),
  salt: (id: string, token: string, salt: string) => answer(http().POST('/api/tables/{table}/salt', { ...at(id, token), body: { salt } })),
  start: (id: string, token: string) => answer(http().POST('/api/tables/{table}/start', at(id, token))),
  remove: (id: string, token: string, seat: number) => answer(http().POST('/api/tables/{table}/remove', { ...at(id, token), body: { seat } })),
  seatComputer: (id: string, token: string, seat: number, level: string) => answer(http().POST('/api/tables/{table}/computer', { ...at(id, token), body: { seat, level } })),
  cancel: (id: string, token: string) => answer(http().POST('/api/tables/{table}/cancel', at(id, token))),
  invite: (id: string, token: string, chair: number) =>
    answer(http().POST('/api/tables/{table}/invites/{chair}', { params: { path: { table: id, chair }, header: at(id, token).params.header } })),
  move: (id: string, token: string, body: PlayMove) => answer(http().POST('/api/tables/{table}/moves', { ...at(id, token), body })),
  undo: (id: string, token: string, body: TakeBack) => answer(http().POST('/api/tables/{table}/undo', { ...at(id, token), body })),
  act: (id: string, token: string, what: 'resign' | 'leave' | 'back') =>
    answer(http().POST(`/api/tables/{table}/${what}`, { ...at(id, token), body: {} })),
  mine: (id: string, token: string) => answer(http().GET('/api/tables/{table}/mine', at(id, token))),
  forget: (id: string, token: string) => answer(http().POST('/api/tables/{table}/forget', at(id, token))),
  talk: (id: string, token: string, text: string) => answer(http().POST('/api/tables/{table}/talk', { ...at(id, token), body: { text } })),
  hint: (id: string, token: string, seat: number) => answer(http().POST('/api/tables/{table}/hint', { ...at(id, token), body: { seat } })),
  rematch: (id: string, token: string) => answer(http().POST('/api/tables/{table}/rematch', at(id, token))),
  record: (id: string, token: string) => answer(http().GET('/api/tables/{table}/record', { ...at(id, token), parseAs: 'text' })),
  tryPosition: (position: string, moves: (MoveJson | string)[]) => answer(http().POST('/api/study/position', { body: { position, moves } })),
  reviewRecord: (record: string) => answer(http().POST('/api/study/review', { body: { record } })),
  readRecord: (record: string) => answer(http().POST('/api/study/record', { body: { record } })),
};

/** A random word for move ids and for randomness added to the deal. */
export function newWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
