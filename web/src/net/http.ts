/** Requests to the server, typed by its schema. Every failure is a Refused with a code. */
import { page } from '../app/page.svelte.ts';
import type { paths } from './schema';
import { PROTOCOL, type Refusal } from './wire.ts';

export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly reason: string | null = null,
    readonly version: number | null = null,
    /** Milliseconds after which the server wants to be asked again. */
    readonly retryAfter: number | undefined = undefined,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later: the server was not reached, or it could not work. */
  get isPassing(): boolean {
    return PASSING.includes(this.code);
  }

  /** Whether no other try can mend it: what this browser itself cannot read or run stays so, too. */
  get isFinal(): boolean {
    return FINAL.includes(this.code) || /^(local|engine)-/.test(this.code);
  }
}

/** The code of a failure to reach the server. */
export const OFFLINE = 'offline';

/** The code of a failure where something answers that is no server of ours. */
export const NO_SERVER = 'no-server';

const FINAL = ['not-seated', 'not-allowed', 'no-such-table', 'outdated'];
const PASSING = [OFFLINE, NO_SERVER, 'too-many', 'storage', 'stopping', 'failed', 'unknown'];

/** A refusal as it is told; a code may be one of this page. */
type Told = Partial<Omit<Refusal, 'code'>> & { readonly code?: string };

export function refusedBy(refusal: Told, retryAfter?: number): Refused {
  if (refusal.code === 'outdated') page.outdated = true;
  const { code = 'failed', message = '', reason = null, version = null, retry_after: seconds } = refusal;
  return new Refused(code, message, reason, version, typeof seconds === 'number' ? seconds * 1000 : retryAfter);
}

type Verb = 'get' | 'post';
type Content<Part> = Part extends { content: infer Kinds } ? Kinds[keyof Kinds] : never;
type Body<Operation> = Operation extends { requestBody?: infer Part } ? Content<Part> : never;
type Answer<Operation> = Operation extends { responses: infer Parts }
  ? Content<Parts[keyof Parts & (200 | 201)]>
  : never;
/** The addresses that can be asked in this way. */
type Address<V extends Verb> = {
  [P in keyof paths]: paths[P][V] extends { responses: unknown } ? P : never;
}[keyof paths];

interface Asked<B> {
  /** What stands in the places of the address. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, number>>;
  /** The token of a seat. */
  readonly token?: string | undefined;
  readonly body?: B;
  /** Milliseconds after which the server counts as not reached. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

export async function ask<V extends Verb, P extends Address<V>>(
  verb: V,
  address: P,
  { path = {}, query = {}, token, body, limit, signal }: Asked<Body<paths[P][V]>> = {},
): Promise<Answer<paths[P][V]>> {
  const url = new URL(
    `.${address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))}`,
    document.baseURI,
  );
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const headers = {
    'cartagena-protocol': String(PROTOCOL),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const ended = endOf(limit, signal);
  const asked = fetch(url, { method: verb.toUpperCase(), cache: 'no-store', headers, ...content, ...ended.way });
  return answerOf(asked).finally(ended.done) as Promise<Answer<paths[P][V]>>;
}

/** What ends a request early: the limit, or the asker. */
function endOf(
  limit: number | undefined,
  signal: AbortSignal | undefined,
): { way: { signal?: AbortSignal }; done: () => void } {
  if (limit === undefined && !signal) return { way: {}, done: () => undefined };
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  const timer = limit === undefined ? undefined : setTimeout(abort, limit);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return {
    way: { signal: ending.signal },
    done: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** What was answered: text where the server says that it is text, else JSON. */
async function answerOf(asked: Promise<Response>): Promise<unknown> {
  try {
    const response = await asked;
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    if (response.ok && isPage) throw new Refused(NO_SERVER, 'A page answers in place of the server.');
    if (response.ok) return response.headers.get('content-type')?.startsWith('text/plain') ? text : JSON.parse(text);
    throw refusedBy(refusalIn(text) ?? { code: unknownAnswer(response.status) }, waitIn(response));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(OFFLINE, 'The server cannot be reached.');
  }
}

/** The code for an answer without one: a proxy in front of a server that is away or busy, or a host that has no server. */
const unknownAnswer = (status: number): string => (status >= 500 || status === 429 ? OFFLINE : NO_SERVER);

/** The header `Retry-After` in milliseconds: seconds, or a date. */
function waitIn(response: Response): number | undefined {
  const header = response.headers.get('retry-after');
  if (!header) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function refusalIn(text: string): Told | undefined {
  try {
    const error = (JSON.parse(text) as { error?: Told } | null)?.error;
    return typeof error?.code === 'string' ? error : undefined;
  } catch {
    return undefined; // the answer of a host or a proxy that knows nothing of us
  }
}
