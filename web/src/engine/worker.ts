/** The Web Worker in which a search runs. */
import type { Request } from './messages.ts';
import { thinker } from './thinking.ts';

const hear = thinker((reply) => {
  postMessage(reply);
});
addEventListener('message', (event: MessageEvent<Request>) => void hear(event.data));
