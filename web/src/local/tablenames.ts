/** The names of tables that are kept in this browser. No table of a server has such a name. */
const PREFIX = 'local-';

/** Stands for the token of the seats at a table in this browser; it is never sent anywhere. */
export const HERE = 'here';

export const isLocal = (table: string): boolean => table.startsWith(PREFIX);

export const localName = (word: string): string => `${PREFIX}${word.slice(0, 12)}`;
