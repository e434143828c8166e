/** The sounds of moves and of the end of a game. */
import { sound } from '../app/sound.ts';
import type { Outcome, TableEvent } from '../net/wire.ts';

interface Ended {
  readonly outcome: Outcome | null;
  readonly viewer: number;
}

export function moveSound(event: TableEvent): void {
  if (event.move?.kind === 'end') return;
  if (event.draws) sound('draw');
  else sound(event.move?.card ? 'card' : 'step');
  if (event.to) sound('step');
}

export function endSound(scene: Ended): 'win' | 'lose' | 'even' {
  if (!scene.outcome?.winner) return 'even';
  return scene.outcome.winner === scene.viewer || scene.viewer === 0 ? 'win' : 'lose';
}
