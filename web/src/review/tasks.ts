/** What the page and the workers of a review tell each other. */
import type { WorkerLike } from '../engine/index.ts';
import type { Load } from '../engine/messages.ts';
import type { Choice, Effort } from './judge.ts';
import type { Decision, Split, Values } from './types.ts';
import type { Way } from './ways.ts';

/** A good turn from the shown position. */
export interface LiveTurn {
  readonly moves: readonly string[];
  readonly value: Values;
  /** One for each move. */
  readonly ways: readonly Way[];
  readonly why: readonly string[];
}

/** What is known of the shown position so far. */
export interface Live {
  readonly nodes: number;
  /** The seat that chooses, from 1. */
  readonly seat: number;
  /** The win chance of each seat. */
  readonly value: Values;
  /** The best turns; none where the viewer could not know them. */
  readonly turns: readonly LiveTurn[];
  readonly done: boolean;
}

/** The content of a network's file. */
export interface Network {
  readonly file: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

export type StudyTask =
  | Load
  | ({ readonly kind: 'network' } & Network)
  | ({ readonly kind: 'judge'; readonly id: number } & Choice & Effort)
  /** `seat` is the seat whose knowledge counts; 0 means that all cards are known. */
  | { readonly kind: 'split'; readonly id: number; readonly record: string; readonly seat: number }
  | {
      readonly kind: 'live';
      readonly id: number;
      readonly position: string;
      readonly seat: number;
      readonly nodes: number;
    }
  | { readonly kind: 'stop' };

export type StudyAnswer =
  | { readonly kind: 'decision'; readonly id: number; readonly decision: Decision }
  | { readonly kind: 'split'; readonly id: number; readonly split: Split }
  | { readonly kind: 'live'; readonly id: number; readonly live: Live }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };

export type StudyWorker = WorkerLike<StudyTask, StudyAnswer>;
