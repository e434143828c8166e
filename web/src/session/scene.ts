/** What a table shows at one time. */
import type { Position } from '../game/position.ts';
import type { Options, Outcome, SeatJson, TableEvent, Undo } from '../net/wire.ts';

/** A seat of a board without a table. */
export const personAt = (seat: number): SeatJson => ({
  seat,
  kind: 'person',
  name: '',
  level: null,
  taken: true,
  away: null,
  may_return: false,
  resigned: false,
  online: true,
  salted: false,
  clock: null,
});

/** Whether the computer moves at a seat: its own, or that of a person who is away. */
export const isByComputer = ({ kind, away, resigned }: SeatJson): boolean =>
  kind === 'computer' || Boolean(away) || resigned;

/** A position to show, with the events that led to it. */
export interface Scene {
  /** Scenes of one key show the same position. */
  readonly key: string | number;
  readonly position: Position;
  readonly options: Options | null;
  readonly undo: Undo;
  readonly seats: readonly SeatJson[];
  readonly events: readonly TableEvent[];
  /** The seat looked through; 0: a spectator. */
  readonly viewer: number;
  readonly actions: number;
  readonly outcome: Outcome | null;
  /** The viewer's clock runs: what led here is shown quickly. */
  readonly isTimed?: boolean;
  /** What is told once the scene is shown: the viewer's turn has begun. */
  readonly turn?: boolean;
}
