/** Names for the server's messages; their types are generated from its schema (`npm run types`). */
import type { components } from './schema';

export type Schemas = components['schemas'];

export type Option = Schemas['Option'];
export type NearMiss = Schemas['NearMiss'];
export type Options = Schemas['Options'];
export type Undo = Schemas['Undo'];
export type SeatJson = Schemas['SeatJson'];
export type TableEvent = Schemas['Event'];
export type Update = Schemas['Update'];
export type Snapshot = Schemas['Snapshot'];
export type Created = Schemas['Created'];
export type Joined = Schemas['Joined'];
export type Lobby = Schemas['Lobby'];
export type LobbyTable = Schemas['LobbyTable'];
export type About = Schemas['About'];
export type Ack = Schemas['Ack'];
export type Refusal = Schemas['Refusal'];
export type CreateTable = Schemas['CreateTable'];
export type SeatSetup = Schemas['SeatSetup'];
export type Hint = Schemas['Hint'];
export type Outcome = Schemas['Outcome'];
