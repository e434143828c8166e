/** The computer players that think in this browser. */

/** Who takes over from a person where the table names no other player. */
export const STAND_IN = 'deckhand';

/** Who judges for the coach, and gives hints where the strongest level cannot. */
export const ADVISER = 'captain';

/** The strongest level. It needs a network, which not every game has. */
export const STRONGEST = 'admiral';
