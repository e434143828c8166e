/** German: the coach. */
import type { Words } from '../en/index.ts';

export const words: Words<'coach'> = {
  'coach.ask': 'Sicher?',
  'coach.ask.why': 'Nach diesem Zug gewinnst du zu etwa {mine} %. Möglich sind {best} %.',
  'coach.ask.back': 'Zug zurücknehmen',
  'coach.ask.play': 'Trotzdem spielen',
  'coach.same': 'Der Kapitän hätte ebenso gespielt.',
  'coach.good': 'Ein guter Zug. Der Kapitän hätte so gespielt:',
  'coach.worse': 'Gewinnchance nach deinem Zug: {mine} %. Nach dem Zug des Kapitäns: {best} %.',
};
