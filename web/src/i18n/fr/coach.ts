/** French: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': 'Vraiment\u202f?',
  'coach.ask.why': 'Après ce tour, vos chances de victoire sont d’environ {mine}\u00a0%. {best}\u00a0% sont possibles.',
  'coach.ask.back': 'Annuler le tour',
  'coach.ask.play': 'Jouer quand même',
  'coach.same': 'Le capitaine aurait joué le même tour.',
  'coach.good': 'Bien joué. Le capitaine aurait joué\u00a0:',
  'coach.worse':
    'Chances de victoire après votre tour\u00a0: {mine}\u00a0%. Après celui du capitaine\u00a0: {best}\u00a0%.',
};
