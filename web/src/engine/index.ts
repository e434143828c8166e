/** The engine: rules and players in the browser, from the same source as the server's. */
export type { Edition, EngineData, Style } from './data.ts';
export { Engine, type Option } from './engine.ts';
export { EngineError, IllegalMove, NotationError } from './errors.ts';
export type { Position } from './notation.ts';
export { EnginePlayer, type Going, type WorkerLike } from './player.ts';
export { Search, type Choice, type Limits, type Result } from './search.ts';
