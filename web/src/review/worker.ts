/** The Web Worker in which a game is reviewed. */
import type { StudyTask } from './tasks.ts';
import { studier } from './working.ts';

const hear = studier((answer) => {
  postMessage(answer);
});
addEventListener('message', (event: MessageEvent<StudyTask>) => void hear(event.data));
