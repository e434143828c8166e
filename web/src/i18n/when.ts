/** How long ago something was, in the language spoken. */
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

export function ago(at: number, language: string, now = Date.now()): string {
  const spoken = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const passed = Math.max(0, now - at);
  if (passed > 30 * 86_400_000) return new Date(at).toLocaleDateString(regional(language));
  const [unit, length] = STEPS.find(([, ms]) => passed >= ms) ?? ['second', Infinity]; // now
  return spoken.format(-Math.floor(passed / length), unit);
}

/** The person's own form of a language, such as British English, which writes dates in another way. */
const regional = (language: string): string =>
  navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language;

/** A day of the calendar, such as that of a puzzle, in the form of the person's country. */
export const calendarDay = (day: string, language: string): string =>
  new Date(day).toLocaleDateString(regional(language), { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** A day and its time, in the person's own time zone and the form of their country. */
export function dayWords(at: number, language: string): string {
  const form = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;
  return new Date(at).toLocaleString(regional(language), form);
}

const counted = (n: number, unit: 'day' | 'hour', language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(n);

/** Days in the word of the catalogues: for Swedish, browsers say "dygn". */
export const dayCount = (days: number, language: string): string =>
  counted(days, 'day', language).replace('dygn', days > 1 ? 'dagar' : 'dag');

/** How much time is left, to the nearest whole: days from two on, then hours, and a countdown in the last hour. */
export function leftWords(ms: number, language: string): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours >= 48) return dayCount(Math.round(ms / 86_400_000), language);
  if (ms >= 3_600_000) return counted(hours, 'hour', language);
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
