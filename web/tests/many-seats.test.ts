/** A browser that holds seats at very many tables. */
import { expect, test, vi } from 'vitest';
import type { KeptSeat } from '../src/net/seats.ts';
import { ServerRig } from './visiting.ts';

const rig = new ServerRig();
const OTHERS = 400;
/** Characters that a move may read from the storage and write to it: a few seats, of 700 characters each. */
const FEW = 5000;

const seatAt = (number: number): KeptSeat => ({
  ...{ table: `table${number}`, token: 'x'.repeat(43), rules: 'jamaica-en', name: 'Ann', at: number, seen: 100 },
  summary: { others: ['Bartholomew Roberts', 'Anne Bonny'], state: 'theirs', name: 'Anne Bonny' },
});

test.each([false, true])(
  'a move at one of 400 tables reads and writes the seat of this table alone; by post: %s',
  async (byPost) => {
    rig.server.byPost = byPost;
    vi.stubGlobal('navigator', { languages: [] });
    const { page } = rig.network;
    for (let number = 1; number <= OTHERS; number++) page.keep(`cartagena.seat.table${number}`, seatAt(number));
    const window = await rig.open();
    await rig.watch(1000);
    page.carried = 0;
    const before = rig.server.table.seq;
    void window.play();
    await rig.watch(1000);
    expect(rig.server.table.seq).toBe(before + 1);
    expect(page.carried).toBeGreaterThan(0);
    expect(page.carried).toBeLessThan(FEW);
  },
);
