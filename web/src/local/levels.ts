/** The computer players that think in this browser. */
import type { EngineData } from '../engine/index.ts';

/** Who takes over from a person where the table names no other player. */
export const STAND_IN = 'deckhand';

/** Who is asked for a hint. */
export const ADVISER = 'captain';

/** All levels, weakest first. */
export const levelsOf = (data: EngineData): string[] => [...data.levels];
