import { Refused } from '../net/api.ts';

/** A record in a link: compressed where the browser can do that, in letters that need no escape. */
const MOST = 30_000;
/** Bytes of a record, compressed or not: what is larger is no record. It is counted while it is unpacked. */
const MOST_BYTES = 4_000_000;
/** Stands before a word that is not compressed; no letter of such words. */
const PLAIN = '.';

async function piped(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  let size = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, to) => {
      size += chunk.length;
      if (size > MOST_BYTES) to.error(new RangeError('The record of this link is too large.'));
      else to.enqueue(chunk);
    },
  });
  const stream = new Blob([bytes]).stream().pipeThrough(through).pipeThrough(bound);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text as a word for a link; empty where it would be too long for one. */
export async function packed(text: string): Promise<string> {
  const plain = new TextEncoder().encode(text);
  const old = typeof CompressionStream === 'undefined';
  const bytes = old ? plain : await piped(plain, new CompressionStream('deflate'));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const word = btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return word.length > MOST ? '' : `${old ? PLAIN : ''}${word}`;
}

/** The text of such a word. Throws where it is damaged, and refuses where this browser cannot read it. */
export async function unpacked(word: string): Promise<string> {
  const plain = word.startsWith(PLAIN);
  if (!plain && typeof DecompressionStream === 'undefined')
    throw new Refused('old-browser', 'This browser is too old to open this link.');
  const letters = atob(
    word
      .slice(plain ? PLAIN.length : 0)
      .replaceAll('-', '+')
      .replaceAll('_', '/'),
  );
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(
    plain ? bytes : await piped(bytes, new DecompressionStream('deflate')),
  );
}
