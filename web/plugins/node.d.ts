/** What the build uses of Node. */
declare module 'node:fs' {
  interface Entry {
    readonly name: string;
    readonly parentPath: string;
    isFile(): boolean;
  }
  export function existsSync(path: string): boolean;
  export function readFileSync(path: string | URL): Uint8Array;
  export function readFileSync(path: string | URL, encoding: 'utf-8'): string;
  export function readdirSync(path: string): string[];
  export function readdirSync(path: string, options: { recursive: true; withFileTypes: true }): Entry[];
  export function writeFileSync(path: string, content: string): void;
}
declare module 'node:fs/promises' {
  import type { Entry } from 'node:fs';
  export function readdir(path: string, options: { recursive: true; withFileTypes: true }): Promise<Entry[]>;
  export function readFile(path: string): Promise<Uint8Array>;
  export function writeFile(path: string, content: Uint8Array): Promise<void>;
}
declare module 'node:path' {
  export function join(...parts: string[]): string;
  export function resolve(...parts: string[]): string;
}
declare module 'node:util' {
  type Done<T> = (error: Error | null, result: T) => void;
  /** The same function with a promise in place of its last argument, for functions of three. */
  export function promisify<A, B, T>(call: (a: A, b: B, done: Done<T>) => void): (a: A, b: B) => Promise<T>;
}
declare module 'node:zlib' {
  type Done = (error: Error | null, result: Uint8Array) => void;
  export const constants: { readonly Z_BEST_COMPRESSION: number };
  export function brotliCompress(content: Uint8Array, options: object, done: Done): void;
  export function gzip(content: Uint8Array, options: { readonly level: number }, done: Done): void;
}
declare module 'node:url' {
  export function fileURLToPath(url: URL): string;
}
declare module 'node:crypto' {
  interface Hash {
    update(content: string | Uint8Array): Hash;
    digest(form: 'hex'): string;
  }
  export function createHash(name: 'sha256'): Hash;
}
