/** Words of the coach. */
export const words = {
  'coach.ask': 'Sure?',
  'coach.ask.why': 'After this turn your win chance is about {mine}%. {best}% is possible.',
  'coach.ask.back': 'Take the turn back',
  'coach.ask.play': 'Play it anyway',
  'coach.same': 'The captain would have played the same turn.',
  'coach.good': 'A good turn. The captain would have played:',
  'coach.worse': 'Win chance after your turn: {mine}%. After the captain’s: {best}%.',
} as const;
