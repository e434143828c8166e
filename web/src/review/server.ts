/** Reviews by the server, for browsers that cannot run the engine. */
import { api } from '../net/api.ts';
import type { Decision, Split } from './types.ts';

export async function reviewByServer(record: string): Promise<{ decisions: Decision[]; parts: Split }> {
  const { seats, decisions, draws, shares, course } = await api.reviewRecord(record);
  const parts: Split = {
    opening: seats.map(({ opening }) => opening),
    draws,
    choices: shares,
    ending: seats.map(({ ending }) => ending),
    course,
    result: seats.map(({ result }) => result),
  };
  return { decisions, parts };
}
