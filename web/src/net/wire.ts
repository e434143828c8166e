/** Names for the server's messages; their types are generated from its schema (`npm run types`). */
import type { components } from './schema';

/** The version of the interface that this page speaks. */
export const PROTOCOL = 2;

export type Schemas = components['schemas'];

export type MoveJson = Schemas['MoveJson'];
export type PositionJson = Schemas['PositionJson'];
export type Option = Schemas['Option'];
export type NearMiss = Schemas['NearMiss'];
export type Options = Schemas['Options'];
export type Undo = Schemas['Undo'];
export type SeatJson = Schemas['SeatJson'];
export type TableEvent = Schemas['Event'];
export type Update = Schemas['Update'];
export type Looked = Schemas['Looked'];
export type Snapshot = Schemas['Snapshot'];
export type Preview = Schemas['Preview'];
export type LobbyTable = Schemas['LobbyTable'];
export type About = Schemas['About'];
export type Refusal = Schemas['Refusal'];
export type CreateTable = Schemas['CreateTable'];
export type JoinTable = Schemas['JoinTable'];
export type Notify = Schemas['Notify'];
export type Wishes = Schemas['Wishes'];
export type Contact = Schemas['Contact'];
export type PlayMove = Schemas['PlayMove'];
export type TakeBack = Schemas['TakeBack'];
export type Hint = Schemas['Hint'];
export type Outcome = Schemas['Outcome'];
export type StudyPosition = Schemas['StudyPosition'];
export type StudyRecord = Schemas['StudyRecord'];
export type CheckedVariant = Schemas['CheckedVariant'];

/** Whether a move has all these fields. */
export function fits(move: MoveJson, wanted: Partial<MoveJson>): boolean {
  return (Object.keys(wanted) as (keyof MoveJson)[]).every((key) => (wanted[key] ?? null) === (move[key] ?? null));
}
