/** The engine: rules and players in the browser, from the same source as the server's. */
export type { Edition, EngineData, NetworkFile, Style } from './data.ts';
export { commitment, newSecret, termsText, type DealSetup, type Terms } from './commitment.ts';
export { contentHash } from './content.ts';
export { Chance, deckOf, drawLots, nextCard, openingOf } from './deal.ts';
export { Engine, type Option } from './engine.ts';
export { EngineError, IllegalMove, LoadError, NotationError, OlderPromise, UnknownVariant } from './errors.ts';
export { think } from './levels.ts';
export type { Position } from './notation.ts';
export { EnginePlayer, type Going, type PlayerOptions, type WorkerLike } from './player.ts';
export { findDeal, type KeptProof } from './proof.ts';
export { GameRecord, type Entry } from './records.ts';
export { addVariant, plainName, variantName } from './rulesets.ts';
export type { Choice, Limits, Line, Result } from './result.ts';
export { Search } from './search.ts';
