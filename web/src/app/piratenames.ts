/** Names for computer players: different at one table, the same for every viewer. */
const NAMES = [
  'Anne Bonny',
  'Mary Read',
  'Grace O’Malley',
  'Black Caesar',
  'Calico Jack',
  'Ching Shih',
  'Sayyida al Hurra',
  'Long Ben',
  'Henry Morgan',
  'Jacquotte Delahaye',
  'Piet Hein',
  'Klaus Störtebeker',
  'Jean Lafitte',
  'Bartholomew Roberts',
  'Roche Braziliano',
  'Diego el Mulato',
] as const;

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);
}

/** The name of the computer in a seat of a table. Steps of 5 through 16 names repeat none before the sixteenth. */
export function pirateName(table: string, seat: number): string {
  return NAMES[(hash(table) + seat * 5) % NAMES.length] ?? '';
}
