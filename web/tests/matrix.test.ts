/**
 * Every failure of the line × everything that can happen meanwhile, over sockets and over long polls: each page ends with
 * the server's state, no event is told twice, none is lost, and the person sees what is going on.
 */
import { expect, test } from 'vitest';
import { unsentMoves } from '../src/net/unsent.ts';
import type { Happening } from '../src/session/state.ts';
import { t } from '../src/i18n/i18n.svelte.ts';
import { ServerRig, type Window } from './visiting.ts';

const rig = new ServerRig();

/** What the person is shown, one after the other. The line may come back before a move is answered, or after it. */
const LOST = /^lost fine $/;
const UNSENT = /^unsent (lost )?fine $/;
const NOTHING = /^$/;
const POLLING = /^polling $/;
const LOST_POLLING = /^polling lost polling $/;
const UNSENT_POLLING = /^polling (lost )?unsent (lost )?polling $/;

interface Shown {
  readonly socket: RegExp;
  readonly 'long poll': RegExp;
}

const DOWN: Shown = { socket: LOST, 'long poll': LOST_POLLING };
const DOWN_MOVE: Shown = { socket: UNSENT, 'long poll': UNSENT_POLLING };
/** Milliseconds for which a window may be behind without a word: while no failure can be seen, and from the end of it on. */
const AT_ONCE = 500;

interface Fault {
  /** What is shown with a move of one's own under way, and else. */
  readonly shown: readonly [Shown, Shown];
  /** How long the window may be behind without a word while it lasts, and afterwards. */
  readonly silence: readonly [number, number];
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

const better = (): void => void (rig.network.weather = 'ok');

const FAULTS: Readonly<Record<string, Fault>> = {
  '502': {
    shown: [DOWN_MOVE, DOWN],
    silence: [AT_ONCE, AT_ONCE],
    begin: () => {
      rig.network.weather = '502';
      rig.network.cut(1012);
    },
    end: better,
  },
  '429 with Retry-After': {
    shown: [DOWN_MOVE, DOWN],
    silence: [AT_ONCE, AT_ONCE],
    begin: () => {
      rig.network.weather = '429';
      rig.network.cut();
    },
    end: better,
  },
  'connection refused': {
    shown: [DOWN_MOVE, DOWN],
    silence: [AT_ONCE, AT_ONCE],
    begin: () => {
      rig.network.weather = 'refused';
      rig.network.cut();
    },
    end: better,
  },
  'socket dead without close': {
    shown: [
      { socket: UNSENT, 'long poll': POLLING },
      { socket: LOST, 'long poll': POLLING },
    ],
    silence: [6000, AT_ONCE], // nothing tells of it; a move is told as unsent after four seconds
    begin: () => rig.network.kill(),
    end: () => rig.network.page.event('online'),
  },
  'socket delayed 2 s beside polling': {
    shown: [
      { socket: /^lost polling fine $/, 'long poll': POLLING },
      { socket: /^lost polling fine $/, 'long poll': POLLING },
    ],
    silence: [4500, 4500],
    begin: async () => {
      const { network } = rig;
      const { noSockets } = network;
      network.noSockets = true;
      network.cut();
      await rig.watch(4000);
      [network.noSockets, network.delay] = [noSockets, 2000];
    },
    end: () => rig.watch(4000),
  },
  'sleep 60 s': {
    shown: [
      { socket: /^unsent (lost )?fine lost fine $/, 'long poll': POLLING },
      { socket: LOST, 'long poll': POLLING },
    ],
    silence: [6000, 5500], // the timer that is late comes after at most five seconds
    begin: () => rig.network.kill(),
    end: () => rig.network.sleep(60_000),
  },
  'server restarted': {
    shown: [DOWN_MOVE, DOWN],
    silence: [AT_ONCE, AT_ONCE],
    begin: () => {
      rig.network.weather = 'refused';
      rig.server.stop();
      rig.network.cut(1012);
    },
    end: better,
  },
  'two windows': {
    shown: [
      { socket: NOTHING, 'long poll': POLLING },
      { socket: NOTHING, 'long poll': POLLING },
    ],
    silence: [AT_ONCE, AT_ONCE],
    begin: () => rig.open(8000),
    end: () => undefined,
  },
};

const MINE = 'my move under way';
const DEEDS: Readonly<Record<string, { readonly kind: Happening['kind']; readonly do: (window: Window) => unknown }>> =
  {
    [MINE]: { kind: 'moved', do: (window) => void window.play() },
    "the other's move": { kind: 'moved', do: () => rig.server.playMove() },
    talk: { kind: 'said', do: () => rig.server.say(2, 'Ahoy!') },
    end: { kind: 'ended', do: () => rig.server.resign(2) },
  };

/** A trouble in one word. */
function wordOf(words: string): string {
  if (!words) return 'fine';
  const known = { lost: t('banner.lost'), unsent: t('banner.unsent'), polling: t('banner.polling') };
  return Object.entries(known).find(([, text]) => text === words)?.[0] ?? words;
}

const cases = (['socket', 'long poll'] as const).flatMap((source) =>
  Object.keys(FAULTS).flatMap((fault) => Object.keys(DEEDS).map((deed) => [source, fault, deed] as const)),
);

test.each(cases)('%s: %s, %s', async (source, name, what) => {
  const [fault, deed] = [FAULTS[name], DEEDS[what]];
  if (!fault || !deed) throw new Error('no such case');
  rig.network.noSockets = source === 'long poll';
  const window = await rig.open(8000);
  if (what === "the other's move") {
    rig.server.playTurn();
    await rig.watch(8000);
  }
  const before = window.count(deed.kind);
  await fault.begin();
  deed.do(window);
  window.look(0);
  await rig.watch(6000);
  const silence = [window.takeSilence()];
  await fault.end();
  await rig.watch(40_000);

  rig.expectTruth();
  for (const { visit } of rig.windows) {
    expect(visit.model.mode.name).toBe('idle');
    expect(visit.state).toBe(source === 'socket' ? 'open' : 'polling');
  }
  expect(window.count(deed.kind)).toBe(before + 1);
  expect(unsentMoves()).toEqual([]);
  silence.push(window.takeSilence());
  const shown = window.troubles.map((words) => `${wordOf(words)} `).join('');
  expect(shown).toMatch(fault.shown[Number(what !== MINE)]?.[source] ?? /no/);
  for (const [index, ms] of silence.entries()) expect(ms).toBeLessThanOrEqual(fault.silence[index] ?? 0);
});
