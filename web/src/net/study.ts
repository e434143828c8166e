/** Positions to try and records to read, without a table. */
import type { Schemas } from './wire.ts';

export type StudyPosition = Schemas['StudyPosition'];
export type StudyRecord = Schemas['StudyRecord'];
