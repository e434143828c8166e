/** Italian: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': 'Davvero?',
  'coach.ask.why': 'Dopo questo turno la tua probabilità di vittoria è circa il {mine}%. Si può arrivare al {best}%.',
  'coach.ask.back': 'Annulla il turno',
  'coach.ask.play': 'Gioca lo stesso',
  'coach.same': 'Il capitano avrebbe giocato lo stesso turno.',
  'coach.good': 'Un buon turno. Il capitano avrebbe giocato:',
  'coach.worse': 'Probabilità di vittoria dopo il tuo turno: {mine}%. Dopo quello del capitano: {best}%.',
};
