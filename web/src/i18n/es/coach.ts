/** Spanish: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': '¿Seguro?',
  'coach.ask.why':
    'Tras este turno tu probabilidad de victoria es de alrededor del {mine}\u00a0%. Se puede llegar al {best}\u00a0%.',
  'coach.ask.back': 'Deshacer el turno',
  'coach.ask.play': 'Jugarlo de todos modos',
  'coach.same': 'El capitán habría jugado el mismo turno.',
  'coach.good': 'Un buen turno. El capitán habría jugado:',
  'coach.worse': 'Probabilidad de victoria tras tu turno: {mine}\u00a0%. Tras el del capitán: {best}\u00a0%.',
};
