/** Moves that the server has not acknowledged. They outlive the page; their ids keep them from being played twice. */
import { loadList, save } from '../app/settings.svelte.ts';
import { api, Refused } from './api.ts';
import { keptSeat } from './seats.ts';
import type { PlayMove } from './wire.ts';

export interface Unsent {
  readonly table: string;
  readonly move: PlayMove;
}

const KEY = 'cartagena.unsent';
const MOST = 20;

export const unsentMoves = (): Unsent[] => loadList<Unsent>(KEY, { table: 'string', move: 'object' });

export function keepUnsent(table: string, move: PlayMove): void {
  save(KEY, [{ table, move }, ...unsentMoves()].slice(0, MOST));
}

export function forgetUnsent(id: string): void {
  const kept = unsentMoves();
  const left = kept.filter((item) => item.move.id !== id);
  if (left.length < kept.length) save(KEY, left);
}

/** Send what was kept. A move that the game has left behind is refused and forgotten; after any other failure it stays. */
export async function sendUnsent(): Promise<void> {
  for (const { table, move } of unsentMoves()) {
    const token = keptSeat(table)?.token;
    try {
      if (token) await api.move(table, token, move);
    } catch (error) {
      if (!(error instanceof Refused) || error.isPassing || error.code === 'outdated') return;
    }
    forgetUnsent(move.id);
  }
}
