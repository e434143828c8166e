/** What the tests use of Node. */
declare module 'node:zlib' {
  export function gunzipSync(bytes: Uint8Array): Uint8Array;
  export function brotliDecompressSync(bytes: Uint8Array): Uint8Array;
}
declare module 'node:fs' {
  export function readFileSync(path: URL): Uint8Array;
  export function readdirSync(path: URL, options: { recursive: true }): string[];
  export function mkdtempSync(start: string): string;
  export function rmSync(path: string, options: { recursive: true }): void;
}
declare module 'node:os' {
  export function tmpdir(): string;
}
declare module 'node:fs/promises' {
  export function mkdir(path: string): Promise<void>;
}
