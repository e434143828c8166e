/** A record in a link: compressed, in letters that need no escape. */
const MOST = 30_000;

async function piped(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text as a word for a link; empty where it would be too long for one. */
export async function packed(text: string): Promise<string> {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream('deflate'));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const word = btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return word.length > MOST ? '' : word;
}

/** The text of such a word. Throws where it is damaged. */
export async function unpacked(word: string): Promise<string> {
  const letters = atob(word.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(await piped(bytes, new DecompressionStream('deflate')));
}
