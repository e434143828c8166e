/** The worker's side of a review, without the worker: judging, splitting, and live evaluation that stops when asked. */
import { Engine, EngineError, GameRecord, Search } from '../engine/index.ts';
import { bestTurns } from '../engine/lines.ts';
import { proportion } from '../engine/root.ts';
import { calibrated, judge, judgeFor, powerFor, ranked, SEED, seedFor, TURNS } from './judge.ts';
import { split } from './luck.ts';
import type { StudyAnswer, LiveTurn, Network, StudyTask } from './tasks.ts';
import { waysOf } from './ways.ts';

/** Nodes of the first stage of a live evaluation. */
const FIRST_NODES = 200;

type Of<Kind extends StudyTask['kind']> = Extract<StudyTask, { kind: Kind }>;

async function turnsOf(engine: Engine, search: Search, power: number): Promise<LiveTurn[]> {
  const found = search.found();
  const lines = await bestTurns(found, TURNS, engine.program.data, (moves) => Promise.resolve(search.after(moves)));
  const turns = lines.map(({ moves, value }) => ({
    moves,
    value: calibrated(value, power),
    ways: waysOf(engine, search.view, moves),
    why: found.why[moves[0] ?? ''] ?? [],
  }));
  return ranked(turns, found.seat + 1);
}

export function studier(tell: (answer: StudyAnswer) => void): (task: StudyTask) => Promise<void> {
  let loaded: Of<'load'> | undefined;
  let engine: Engine | undefined;
  const networks: Network[] = [];
  /** The live evaluation that is wanted now; 0 for none. */
  let wanted = 0;
  let queue: Promise<void> = Promise.resolve();

  /** The engine with all networks that have come. */
  async function ready(): Promise<Engine> {
    if (!loaded) throw new EngineError('The engine is not loaded.');
    engine ??= await Engine.load(loaded.code, loaded.data);
    for (const { file, content } of networks.splice(0)) await engine.networks.add(file, content);
    return engine;
  }

  /**
   * Search a position in two stages: a few nodes at once, so that there is a first answer, then all of them. The same
   * view and nodes give the numbers of the judge.
   */
  async function live({ id, position: text, seat, nodes }: Of<'live'>): Promise<void> {
    const own = await ready();
    const position = own.parse(text);
    const chooser = own.chooser(position);
    if (!chooser || wanted !== id) return;
    const observer = seat || chooser;
    const root = seat ? own.view(position, seat) : position;
    const power = powerFor(own, root);
    const seed = seedFor(SEED, own.format(root));
    let told = 0;
    for (const stage of [Math.min(FIRST_NODES, nodes), nodes]) {
      await own.program.alone(async () => {
        const search = new Search(own, root, observer - 1, judgeFor(own, root), { nodes: stage, seed });
        const answer = async (done: boolean): Promise<void> => {
          if (wanted !== id || (search.nodes <= told && !done)) return;
          told = search.nodes;
          const turns = observer === chooser ? await turnsOf(own, search, power) : [];
          const value = calibrated(proportion(search.sums()), power);
          tell({ kind: 'live', id, live: { nodes: told, seat: chooser, value, turns, done: done && stage === nodes } });
        };
        for await (const _ of search.slices(() => wanted === id)) await answer(false);
        await answer(true);
      });
      if (wanted !== id || stage === nodes) return;
    }
  }

  async function work(task: StudyTask): Promise<void> {
    if (task.kind === 'judge') {
      tell({ kind: 'decision', id: task.id, decision: await judge(await ready(), task, task) });
    } else if (task.kind === 'split') {
      const own = await ready();
      const record = GameRecord.parse(own, task.record);
      tell({ kind: 'split', id: task.id, split: split(own, record, task.seat) });
    } else if (task.kind === 'live') await live(task);
  }

  async function guarded(task: StudyTask): Promise<void> {
    try {
      await work(task);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if ('id' in task) tell({ kind: 'error', id: task.id, message });
    }
  }

  return (task) => {
    if (task.kind === 'load') loaded = task;
    else if (task.kind === 'variants') Object.assign(loaded?.data.editions ?? {}, task.editions);
    else if (task.kind === 'network') networks.push(task);
    else if (task.kind === 'stop') wanted = 0;
    else {
      if (task.kind === 'live') wanted = task.id;
      queue = queue.then(() => guarded(task));
    }
    return queue;
  };
}
