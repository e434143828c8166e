/** How long ago something was, in the language spoken. */
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

export function ago(at: number, language: string, now = Date.now()): string {
  const spoken = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const passed = Math.max(0, now - at);
  if (passed > 30 * 86_400_000) return new Date(at).toLocaleDateString(language);
  const [unit, length] = STEPS.find(([, ms]) => passed >= ms) ?? ['second', 1000];
  return spoken.format(unit === 'second' ? 0 : -Math.floor(passed / length), unit);
}
