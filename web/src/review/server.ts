/** Reviews by the server, for browsers that cannot run the engine. */
import { api } from '../net/api.ts';
import type { Decision, Split } from './types.ts';

export async function reviewByServer(record: string): Promise<{ decisions: Decision[]; parts: Split }> {
  const { seats, decisions, draws, shares, course } = await api.reviewRecord(record);
  return { decisions, parts: { seats, draws, choices: shares, course } };
}
