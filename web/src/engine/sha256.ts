/** SHA-256 and HMAC of texts. The browser's own are not offered to pages over plain HTTP, such as those of a home server. */
import { hmac as keyed } from '@noble/hashes/hmac.js';
import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export const hexOf = bytesToHex;

/** The hash of bytes. */
export const sha256Of = (bytes: Uint8Array): Uint8Array => hash(bytes);

/** The hash of a text in hexadecimal digits. */
export const sha256 = (text: string): string => hexOf(sha256Of(utf8ToBytes(text)));

/** The keyed hash of a text (HMAC). */
export const hmac = (key: Uint8Array, text: string): Uint8Array => keyed(hash, key, utf8ToBytes(text));
