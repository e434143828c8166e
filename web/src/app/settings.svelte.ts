/** What a person chose for this browser; kept between visits, and harmless where nothing can be kept. */
export const THEMES = ['auto', 'light', 'dark', 'contrast'] as const;
export const PACES = ['slow', 'normal', 'fast', 'instant'] as const;
export type Theme = (typeof THEMES)[number];
export type Pace = (typeof PACES)[number];

const KEY = 'cartagena.settings';
const DEFAULTS = {
  language: '',
  theme: 'auto' as Theme,
  pace: 'normal' as Pace,
  mute: false,
  /** Between 0 and 1. */
  volume: 0.5,
  notify: false,
  keys: true,
  name: '',
  level: '',
  /** Whether a coach tells what the captain would have played, where only computers play against a person. */
  coach: false,
  /** Whether the coach also asks before a costly turn is final. */
  coachAsks: true,
  /** The games whose first steps were shown, with spaces between them. */
  known: '',
};
export type Settings = typeof DEFAULTS;

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

/** The keys with this beginning under which something is kept. */
export function keysOf(beginning: string): string[] {
  const keys = new Set(unkept.keys());
  try {
    for (let at = 0; at < localStorage.length; at++) keys.add(localStorage.key(at) ?? '');
  } catch {
    // site data is blocked
  }
  return [...keys].filter((key) => key.startsWith(beginning));
}

/** The type of each field that an item must have. */
type Shape<T> = { readonly [Name in keyof T]?: 'string' | 'number' | 'object' };

function hasShape<T>(item: unknown, shape: Shape<T>): item is T {
  const given = Object(item) as Record<string, unknown>;
  return Object.entries(shape).every(([name, type]) => typeof given[name] === type && given[name] !== null);
}

/** An item that was kept; nothing where anything else was found. */
export function loadItem<T>(key: string, shape: Shape<T>): T | undefined {
  const found = load<unknown>(key, undefined);
  return hasShape(found, shape) ? found : undefined;
}

/** The items of a list that was kept; anything else that was found is left out. */
export function loadList<T>(key: string, shape: Shape<T>): T[] {
  const found = load<unknown>(key, []);
  return Array.isArray(found) ? found.filter((item): item is T => hasShape(item, shape)) : [];
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

/** Keep something no longer. */
export function drop(key: string): void {
  unkept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // site data is blocked
  }
}

/** What is stored, as far as it makes sense. Who was guided before each game had first steps of its own knows Jamaica. */
function stored(): Settings {
  const found = Object(load<unknown>(KEY, {})) as Record<string, unknown>;
  if (found['guided'] === true) found['known'] = `jamaica ${String(found['known'] ?? '')}`.trim();
  const isGood = (name: string, value: unknown): boolean => {
    if (name === 'theme') return THEMES.includes(value as Theme);
    if (name === 'pace') return PACES.includes(value as Pace);
    if (name === 'volume') return Number(value) >= 0 && Number(value) <= 1;
    return true;
  };
  const given = Object.entries(DEFAULTS).map(([name, usual]) => {
    const value = found[name];
    return [name, typeof value === typeof usual && isGood(name, value) ? value : usual];
  });
  return Object.fromEntries(given) as Settings;
}

export const settings: Settings = $state(stored());

/** Take over what another window has chosen. */
export function adopt(): void {
  Object.assign(settings, stored());
}

/** Keep a choice, and leave what other windows have chosen. */
export function keep(changes: Partial<Settings>): void {
  Object.assign(settings, stored(), changes);
  save(KEY, { ...settings });
}

/** Call when another window has chosen something. */
export function onOtherWindow(chosen: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) chosen();
  });
}

/** How long movements take against normal. */
export function paceFactor(): number {
  return { slow: 1, normal: 1, fast: 0.6, instant: 0 }[settings.pace];
}

/** For how long a move of others is shown before the next one, in milliseconds. */
export function pause(): number {
  return { slow: 1400, normal: 650, fast: 250, instant: 0 }[settings.pace];
}

export function applyTheme(): void {
  if (matchMedia('print').matches) {
    document.documentElement.dataset.theme = 'light'; // ink on paper
    return;
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const contrast = matchMedia('(prefers-contrast: more)').matches;
  const chosen = settings.theme === 'auto' ? (contrast ? 'contrast' : dark ? 'dark' : 'light') : settings.theme;
  document.documentElement.dataset.theme = chosen;
}
