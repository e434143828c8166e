/** The alert that it is your turn: the title, a bell, and a notification on request. */
import { sound } from '../app/sound.ts';
import { page } from '../app/page.svelte.ts';

/** `notifies`: notifications are wanted. */
export function alertTurn(notifies: boolean, words: string): void {
  if (document.visibilityState === 'hidden') {
    page.alert = words;
    document.addEventListener('visibilitychange', () => (page.alert = ''), { once: true });
    if (notifies && 'Notification' in window && Notification.permission === 'granted')
      notify(words).catch(() => undefined);
  }
  sound('turn');
}

/** The service worker's notification leads to the table also when its window is closed; without one the window must be there. */
async function notify(words: string): Promise<void> {
  const found = await (navigator as Partial<Navigator>).serviceWorker?.getRegistration();
  const address = location.href;
  if (found?.active) return found.showNotification(words, { tag: address, data: address });
  const note = new Notification(words, { tag: address });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}

/** Ask for permission to notify, and return whether it was granted. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}
