/** The server over HTTP. Every failure is a Refused with a code. */
import { ask } from './http.ts';
import type { KeptSeat } from './seats.ts';
import type { CreateTable, JoinTable, MoveJson, Notify, PlayMove, TakeBack, Wishes } from './wire.ts';

export { NO_SERVER, OFFLINE, Refused, refusedBy } from './http.ts';

/** As many tables as the server tells of in one answer. */
export const MOST_LOOKS = 50;

/** Milliseconds in which a question is answered, or the server counts as not reached; a hint is thought about. */
const PATIENCE = 15_000;
const THOUGHT = 120_000;

/** The address of a table, with the token of a seat there. */
const at = (table: string, token?: string) => ({ path: { table }, token, limit: PATIENCE });

export const api = {
  about: () => ask('get', '/api/about', { limit: PATIENCE }),
  lobby: () => ask('get', '/api/tables', { limit: PATIENCE }),
  create: (body: CreateTable, signal?: AbortSignal) => ask('post', '/api/tables', { body, limit: PATIENCE, signal }),
  look: (id: string, token?: string) => ask('get', '/api/tables/{table}', at(id, token)),
  /** The table with its events after a number. With `wait` the answer waits so many seconds for one. */
  news: (id: string, token: string | undefined, after: number, wait: number, signal?: AbortSignal) =>
    ask('get', '/api/tables/{table}/events', {
      ...at(id, token),
      query: { after, wait },
      limit: PATIENCE + wait * 1000,
      signal,
    }),
  /** Tables as they are now, without their events, at most `MOST_LOOKS` of them: an update of each, or why it cannot be seen. */
  lookAtAll: (seats: readonly Pick<KeptSeat, 'table' | 'token'>[]) =>
    ask('post', '/api/look', {
      body: { seats: seats.map(({ table, token }) => ({ table, token })) },
      limit: PATIENCE,
    }),
  join: (id: string, body: JoinTable, token?: string) =>
    ask('post', '/api/tables/{table}/join', { ...at(id, token), body }),
  preview: (id: string, invite?: string) =>
    ask('post', '/api/tables/{table}/preview', { ...at(id), body: invite ? { invite } : {} }),
  salt: (id: string, token: string, salt: string) =>
    ask('post', '/api/tables/{table}/salt', { ...at(id, token), body: { salt } }),
  start: (id: string, token: string) => ask('post', '/api/tables/{table}/start', at(id, token)),
  remove: (id: string, token: string, seat: number, forget: boolean) =>
    ask('post', '/api/tables/{table}/remove', { ...at(id, token), body: { seat, forget } }),
  renew: (id: string, token: string, chosen: string) =>
    ask('post', '/api/tables/{table}/token', { ...at(id, token), body: { token: chosen } }),
  seatComputer: (id: string, token: string, seat: number, level: string) =>
    ask('post', '/api/tables/{table}/computer', { ...at(id, token), body: { seat, level } }),
  cancel: (id: string, token: string) => ask('post', '/api/tables/{table}/cancel', at(id, token)),
  invite: (id: string, token: string, chair: number) =>
    ask('post', '/api/tables/{table}/invites/{chair}', { path: { table: id, chair }, token, limit: PATIENCE }),
  move: (id: string, token: string, body: PlayMove) =>
    ask('post', '/api/tables/{table}/moves', { ...at(id, token), body }),
  undo: (id: string, token: string, body: TakeBack) =>
    ask('post', '/api/tables/{table}/undo', { ...at(id, token), body }),
  act: (id: string, token: string, what: 'resign' | 'leave' | 'back', seat?: number) =>
    ask('post', `/api/tables/{table}/${what}`, { ...at(id, token), body: seat ? { seat } : {} }),
  mine: (id: string, token: string) => ask('get', '/api/tables/{table}/mine', at(id, token)),
  forget: (id: string, token: string) => ask('post', '/api/tables/{table}/forget', at(id, token)),
  talk: (id: string, token: string, text: string) =>
    ask('post', '/api/tables/{table}/talk', { ...at(id, token), body: { text } }),
  hint: (id: string, token: string, seat: number) =>
    ask('post', '/api/tables/{table}/hint', { ...at(id, token), body: { seat }, limit: THOUGHT }),
  holiday: (id: string, token: string, days: number) =>
    ask('post', '/api/tables/{table}/holiday', { ...at(id, token), body: { days } }),
  /** The devices and mail addresses of a seat. */
  contacts: (id: string, token: string) => ask('get', '/api/tables/{table}/notify', at(id, token)),
  notify: (id: string, token: string, body: Notify) =>
    ask('post', '/api/tables/{table}/notify', { ...at(id, token), body }),
  wish: (table: string, token: string, contact: string, body: Wishes) =>
    ask('post', '/api/tables/{table}/notify/{contact}', { path: { table, contact }, token, body, limit: PATIENCE }),
  removeContact: (table: string, token: string, contact: string) =>
    ask('post', '/api/tables/{table}/notify/{contact}/remove', { path: { table, contact }, token, limit: PATIENCE }),
  /** Let a program be sent what happens at a table. The answer has the secret that signs it. */
  setWebhook: (id: string, token: string, url: string) =>
    ask('post', '/api/tables/{table}/webhook', { ...at(id, token), body: { url } }),
  removeWebhook: (id: string, token: string) => ask('post', '/api/tables/{table}/webhook/remove', at(id, token)),
  /** Invite the others of a finished game to a table that waits. */
  ask: (id: string, token: string, earlier: { table: string; token: string }) =>
    ask('post', '/api/tables/{table}/ask', { ...at(id, token), body: earlier }),
  rematch: (id: string, token: string) => ask('post', '/api/tables/{table}/rematch', at(id, token)),
  record: (id: string, token: string) => ask('get', '/api/tables/{table}/record', at(id, token)) as Promise<string>,
  tryPosition: (position: string, moves: (MoveJson | string)[]) =>
    ask('post', '/api/study/position', { body: { position, moves }, limit: PATIENCE }),
  reviewRecord: (record: string) => ask('post', '/api/study/review', { body: { record } }),
  /** Check the text of a rule set's file, or the tag `Variant` of a record. */
  checkVariant: (text: string) => ask('post', '/api/study/variant', { body: { text }, limit: PATIENCE }),
  readRecord: (record: string) => ask('post', '/api/study/record', { body: { record }, limit: PATIENCE }),
};

/** A random word for move ids and for randomness added to the deal. */
export function newWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
