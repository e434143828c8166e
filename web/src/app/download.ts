/** Save a game record on this device, as a file named after its day. */
export function saveRecord(text: string, day: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `cartagena-${day}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}
