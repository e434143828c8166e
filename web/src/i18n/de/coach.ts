/** German: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': 'Sicher?',
  'coach.ask.why': 'Nach diesem Zug liegt deine Gewinnchance bei etwa {mine}\u00a0%. Möglich sind {best}\u00a0%.',
  'coach.ask.back': 'Zug zurücknehmen',
  'coach.ask.play': 'Trotzdem spielen',
  'coach.same': 'Der Kapitän hätte ebenso gespielt.',
  'coach.good': 'Ein guter Zug. Der Kapitän hätte so gespielt:',
  'coach.worse': 'Gewinnchance nach deinem Zug: {mine}\u00a0%. Nach dem Zug des Kapitäns: {best}\u00a0%.',
};
