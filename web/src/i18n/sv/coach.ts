/** Swedish: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': 'Säker?',
  'coach.ask.why': 'Efter den här turen är din vinstchans ungefär {mine}\u00a0%. {best}\u00a0% är möjligt.',
  'coach.ask.back': 'Ta tillbaka turen',
  'coach.ask.play': 'Spela ändå',
  'coach.same': 'Kaptenen hade spelat likadant.',
  'coach.good': 'Bra spelat. Kaptenen hade spelat så här:',
  'coach.worse': 'Vinstchans efter din tur: {mine}\u00a0%. Efter kaptenens: {best}\u00a0%.',
};
