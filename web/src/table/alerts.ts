/** The alert that it is your turn: the title, a bell, and a notification on request. */
import { sound } from '../app/sound.ts';

export interface AlertWishes {
  readonly notify: boolean;
}

let plain = '';

export function alertTurn(wishes: AlertWishes, words: string): void {
  if (document.visibilityState === 'hidden') {
    plain ||= document.title;
    document.title = `● ${words}`;
    document.addEventListener('visibilitychange', restore, { once: true });
    if (wishes.notify && 'Notification' in window && Notification.permission === 'granted')
      notify(words).catch(() => undefined);
  }
  sound('turn');
}

/** Browsers of phones leave notifications to the service worker and throw. */
async function notify(words: string): Promise<void> {
  try {
    new Notification(words);
  } catch {
    const found = await (navigator as Partial<Navigator>).serviceWorker?.getRegistration();
    await found?.showNotification(words);
  }
}

function restore(): void {
  document.title = plain;
  plain = '';
}

/** Ask for permission to notify, and return whether it was granted. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}
