/** The Web Worker in which a game is reviewed. */
import type { Task } from './tasks.ts';
import { studier } from './working.ts';

const hear = studier((answer) => {
  postMessage(answer);
});
addEventListener('message', (event: MessageEvent<Task>) => void hear(event.data));
