/** The alert that it is your turn: the title always, a sound and a notification on request. */
export interface AlertWishes {
  readonly sound: boolean;
  readonly notify: boolean;
}

let plain = '';

export function alertTurn(wishes: AlertWishes, words: string): void {
  if (document.visibilityState === 'hidden') {
    plain ||= document.title;
    document.title = `● ${words}`;
    document.addEventListener('visibilitychange', restore, { once: true });
    if (wishes.notify && 'Notification' in window && Notification.permission === 'granted') new Notification(words);
  }
  if (wishes.sound) ring();
}

function restore(): void {
  document.title = plain || 'Cartagena';
  plain = '';
}

/** A ship's bell of two synthesised tones. */
function ring(): void {
  const audio = new AudioContext();
  for (const [pitch, at] of [[880, 0], [1318, 0.16]] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = 'sine';
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.16, audio.currentTime + at);
    volume.gain.exponentialRampToValueAtTime(0.0005, audio.currentTime + at + 0.9);
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + 1);
  }
}

/** Ask for permission to notify, and return whether it was granted. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}
