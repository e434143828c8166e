declare module '@fontsource-variable/alegreya/wght.css';
declare module '@fontsource/im-fell-english-sc/latin-400.css';
/** The addresses of the engine's files; empty where the page was built without it. */
declare module 'virtual:engine' {
  export const code: string;
  export const data: string;
}
declare module 'virtual:networks' {
  /** The networks of the strongest level, by their names in the data. */
  export const networks: Readonly<Record<string, string>>;
}
