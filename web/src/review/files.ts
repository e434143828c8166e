/** Records that come to the page as files, and leave it as files. */
let waiting: string | undefined;

/** Keep the text of a record until the review opens it. */
export function handOver(text: string): void {
  waiting = text;
}

/** The text that was handed over last, once. */
export function takeOver(): string | undefined {
  const text = waiting;
  waiting = undefined;
  return text;
}

/** The text of a file; empty where it cannot be read, as a folder, so that it is told to be no record. */
export const textIn = (file: File): Promise<string> => file.text().catch(() => '');

export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
