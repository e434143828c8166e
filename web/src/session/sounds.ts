/** The sounds of moves and of the end of a game. */
import { sound } from '../app/sound.ts';
import type { TableEvent } from '../net/wire.ts';
import type { Scene } from './scene.ts';

export function moveSound(event: TableEvent): void {
  if (event.move?.kind === 'end') return;
  if (event.draws) sound('draw');
  else sound(event.move?.card ? 'card' : 'step');
  if (event.to) sound('step');
}

export function endSound({ outcome, viewer }: Pick<Scene, 'outcome' | 'viewer'>): 'win' | 'lose' | 'even' {
  if (!outcome?.winner) return 'even';
  return outcome.winner === viewer || viewer === 0 ? 'win' : 'lose';
}
