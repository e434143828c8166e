/** What a person chose for this browser; kept between visits, and harmless where nothing can be kept. */
export type Theme = 'auto' | 'light' | 'dark' | 'contrast';
export type Pace = 'slow' | 'normal' | 'fast' | 'instant';

export interface Settings {
  language: string;
  theme: Theme;
  pace: Pace;
  mute: boolean;
  /** Between 0 and 1. */
  volume: number;
  notify: boolean;
  keys: boolean;
  name: string;
  level: string;
  /** Whether a coach tells what the captain would have played, where only computers play against a person. */
  coach: boolean;
  /** Whether the coach also asks before a costly turn is final. */
  coachAsks: boolean;
  /** Whether the first steps were shown. */
  guided: boolean;
}

const KEY = 'cartagena.settings';
const DEFAULTS: Settings = {
  language: '',
  theme: 'auto',
  pace: 'normal',
  mute: false,
  volume: 0.5,
  notify: false,
  keys: true,
  name: '',
  level: '',
  coach: false,
  coachAsks: true,
  guided: false,
};

/** What the browser refused to keep, for the time of this visit: without it a new table would not know its seat. */
const unkept = new Map<string, string>();

export function load<T>(key: string, fallback: T): T {
  try {
    const text = unkept.get(key) ?? localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** A list that was kept; empty where something else was found. */
export function loadList<T>(key: string): T[] {
  const found = load<unknown>(key, []);
  return Array.isArray(found) ? (found as T[]) : [];
}

export function save(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    unkept.delete(key);
  } catch {
    unkept.set(key, text); // site data is blocked, or the storage is full
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...load<Partial<Settings>>(KEY, {}) });

export function keep(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  save(KEY, { ...settings });
}

/** How long movements take against normal. */
export function paceFactor(): number {
  return { slow: 1, normal: 1, fast: 0.6, instant: 0 }[settings.pace];
}

/** The pause between two moves that others made, in milliseconds. */
export function pause(): number {
  return { slow: 1400, normal: 650, fast: 250, instant: 0 }[settings.pace];
}

export function applyTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const contrast = matchMedia('(prefers-contrast: more)').matches;
  const chosen = settings.theme === 'auto' ? (contrast ? 'contrast' : dark ? 'dark' : 'light') : settings.theme;
  document.documentElement.dataset.theme = chosen;
}
