/** Requests to the server, typed by its schema. Every failure is a Refused with a code. */
import { page } from './outdated.svelte.ts';
import type { paths } from './schema';
import { PROTOCOL, type Refusal } from './wire.ts';

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
}

export async function ask<V extends Verb, P extends Address<V>>(
  verb: V,
  address: P,
  { path = {}, query = {}, token, body }: Asked<Body<paths[P][V]>> = {},
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
  return answerOf(fetch(url, { method: verb.toUpperCase(), cache: 'no-store', headers, ...content })) as Promise<
    Answer<paths[P][V]>
  >;
}

/** What was answered: text where the server says that it is text, else JSON. */
async function answerOf(asked: Promise<Response>): Promise<unknown> {
  try {
    const response = await asked;
    const text = await response.text();
    if (response.ok) return response.headers.get('content-type')?.startsWith('text/plain') ? text : JSON.parse(text);
    throw refusedBy(refusalIn(text) ?? { code: response.status >= 500 ? 'failed' : 'malformed' });
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(OFFLINE, 'The server cannot be reached.');
  }
}

function refusalIn(text: string): Partial<Refusal> | undefined {
  try {
    return (JSON.parse(text) as { error?: Partial<Refusal> } | null)?.error;
  } catch {
    return undefined; // the answer of a host or a proxy that knows nothing of us
  }
}
