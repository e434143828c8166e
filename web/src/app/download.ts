/** Save a text on this device as a file. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Save a game record, named after its day. */
export const saveRecord = (text: string, day: string): void => saveFile(`cartagena-${day}.txt`, text);
