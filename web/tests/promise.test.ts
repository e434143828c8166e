import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPromise } from '../src/net/promise.ts';
import { verdict } from '../src/net/verdict.ts';
import { sha256 } from '../src/engine/sha256.ts';
import type { Snapshot, Update } from '../src/net/wire.ts';

describe('sha256', () => {
  it.each(['', 'abc', 'é'.repeat(31), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(64), 'long '.repeat(200)])(
    'of %j',
    async (text) => {
      const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
      expect(sha256(text)).toBe(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
    },
  );
});

const SECRET = '5a'.repeat(32);
const setup = {
  rules: 'jamaica-en',
  seats: [{}, {}],
  style: 'printed',
  pirates: null,
  pieces: null,
  deal: 4,
  lots: true,
} as unknown as Snapshot['setup'];
const TERMS = 'table=t1 rules=jamaica-en seats=2 style=printed pirates=- pieces=- deal=4 lots=yes';
const PROMISED = sha256(`cartagena-promise:${SECRET}:${TERMS}`);

function over(fair: object): Update {
  const told = { commitment: PROMISED, secret: SECRET, salts: ['', ''], lots: [1, 2], ...fair };
  return { table: 't1', stage: 'over', position: { rules: 'jamaica-en' }, fair: told } as unknown as Update;
}

describe('the promise', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
  });

  it('is kept by the deal that was promised', () => {
    const salt = keepPromise('t1', PROMISED);
    expect(verdict(over({ salts: ['other', salt] }), setup)).toBe('kept');
    expect(keepPromise('t1', 'a later one'), 'the first one seen counts').toBe(salt);
  });

  it('is broken by every other deal', () => {
    const salt = keepPromise('t1', PROMISED);
    const salts = ['other', salt];
    expect(verdict(over({ salts: ['other', 'not mine'] }), setup)).toBe('broken');
    expect(verdict(over({ salts, commitment: sha256('another') }), setup)).toBe('broken');
    expect(verdict(over({ salts, secret: '00' }), setup)).toBe('broken');
    expect(verdict(over({ salts }), { ...setup, lots: false })).toBe('broken');
  });

  it('is unseen where nothing was kept, and open before the end', () => {
    expect(verdict(over({}), setup)).toBe('unseen');
    expect(verdict(over({ secret: null }), setup)).toBe('open');
  });
});
