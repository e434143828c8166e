/** Dutch: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': 'Zeker weten?',
  'coach.ask.why': 'Na deze beurt is je winstkans ongeveer {mine}%. Er zit {best}% in.',
  'coach.ask.back': 'Beurt terugnemen',
  'coach.ask.play': 'Toch spelen',
  'coach.same': 'De kapitein had dezelfde beurt gespeeld.',
  'coach.good': 'Een goede beurt. De kapitein had zo gespeeld:',
  'coach.worse': 'Winstkans na jouw beurt: {mine}%. Na de beurt van de kapitein: {best}%.',
};
