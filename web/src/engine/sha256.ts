/** SHA-256 and HMAC. The browser's own are not offered to pages over plain HTTP, such as those of a home server. */
const PRIMES = firstPrimes(64);
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}

/** The first 32 bits behind the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes, then a one bit, zeros, and their length in bits, in whole blocks. */
function padded(bytes: Uint8Array): DataView {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 4, bytes.length * 8);
  return view;
}

/** Write the words of a block that are mixed in, one a round. */
function schedule(view: DataView, start: number, words: Uint32Array): void {
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(start + 4 * i);
  for (let i = 16; i < BLOCK; i++) {
    const [a, b] = [words[i - 15] ?? 0, words[i - 2] ?? 0];
    const first = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const second = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words[i] = (words[i - 16] ?? 0) + first + (words[i - 7] ?? 0) + second;
  }
}

/** Mix a block into the state. */
function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < BLOCK; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUND[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
}

/** The hash of bytes. */
export function sha256Of(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const [view, state, words] = [padded(bytes), START.slice(), new Uint32Array(BLOCK)];
  for (let start = 0; start < view.byteLength; start += BLOCK) {
    schedule(view, start, words);
    mix(state, words);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    out.setUint32(4 * index, word);
  });
  return new Uint8Array(out.buffer);
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The hash of a text in hexadecimal digits. */
export const sha256 = (text: string): string => hexOf(sha256Of(utf8(text)));

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** The keyed hash of a text (HMAC). */
export function hmac(key: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256Of(key) : key);
  const inner = sha256Of(
    joined(
      block.map((byte) => byte ^ 0x36),
      utf8(text),
    ),
  );
  return sha256Of(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}
