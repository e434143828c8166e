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
declare module 'node:path' {
  export function join(...parts: string[]): string;
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
