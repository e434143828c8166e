/** Answers questions about cartagena.wasm, for test_wasm.py and run_wasm.py: wasm.mjs CODE QUESTIONS ANSWERS */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { sequences } from './questions.mjs';

const [, , codePath, questionsPath, answersPath] = process.argv;
const { layout, questions } = JSON.parse(readFileSync(questionsPath, 'utf8'));
const { exports: engine } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(codePath)));
const { memory } = engine;
const { WORDS, ACTIONS, MAX_LEGAL, OVER, END } = layout;

const bottom = (engine.__heap_base.value + 15) & ~15;
let top = bottom;

/** The address of so many words of memory that are zero. */
function room(words) {
  const at = top;
  top += words * 8;
  const missing = top - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  new Uint8Array(memory.buffer, at, words * 8).fill(0);
  return at;
}

/** Give back the memory that some work has used. */
function within(work) {
  const mark = top;
  const found = work();
  top = mark;
  return found;
}

const words = (at, size) => new BigInt64Array(memory.buffer, at, size);
const numbers = (at, size) => new Float64Array(memory.buffer, at, size);
const bytes = (at, size) => new Uint8Array(memory.buffer, at, size * 8);

function put(list) {
  const at = room(list.length);
  words(at, list.length).set(list.map(BigInt));
  return at;
}

function putNumbers(list) {
  const at = room(list.length);
  numbers(at, list.length).set(list);
  return at;
}

/** What is asked of a state besides itself: its moves, the view of every seat, and at times all reasons. */
function look(table, seats, state, number, sum) {
  const out = room(ACTIONS);
  const size = engine.legal(table, state, out);
  sum.update(bytes(out, size));
  for (let seat = -1; seat < seats; seat++) {
    engine.view(table, state, seat, out);
    sum.update(bytes(out, WORDS));
  }
  if (number % 16 === 0) {
    const all = words(out, ACTIONS);
    for (let action = 0; action < ACTIONS; action++) all[action] = BigInt(engine.reason(table, state, action));
    sum.update(bytes(out, ACTIONS));
  }
}

const answer = {
  /** A hash of all states of each game. */
  games({ table, plan, opening, seed, first, last, cap, closely }) {
    const [rules, layoutPlan, start] = [put(table), put(plan), put(opening)];
    const [state, key] = [room(WORDS), room(1)];
    const found = [];
    const mark = top;
    for (let game = first; game < last; game++) {
      const sum = createHash('sha256');
      engine.opening(rules, layoutPlan, start, state, seed, game, key);
      sum.update(bytes(state, WORDS));
      for (let turns = 0, number = 0; words(state, WORDS)[OVER] === 0n; number++) {
        top = mark;
        if (closely) look(rules, Number(table[0]), state, number, sum);
        if (turns === cap) break;
        const action = engine.draw(rules, state, key);
        if (action === END) turns++;
        engine.step(rules, state, action);
        sum.update(bytes(state, WORDS));
      }
      found.push(sum.digest('hex'));
    }
    return found;
  },
  /** The ends of games that are played in one call, and their moves. */
  rollout({ table, plan, opening, seed, games, cap }) {
    const [state, ends, lengths] = [room(WORDS), room(8), room(64)];
    const moves = engine.rollout(put(table), put(plan), put(opening), put([seed, 0, games, cap, 63]), state, ends, lengths);
    return { moves, ends: [...words(ends, 8)].map(Number) };
  },
  /** The number of move sequences for each depth. */
  perft({ table, state, depths }) {
    const [rules, at] = [put(table), put(state)];
    const program = { call: engine, words, room, within, WORDS, MAX_LEGAL };
    return Array.from({ length: depths }, (_, last) => sequences(program, rules, at, last + 1));
  },
  /** A hash of the whole tree, so that every visit and every value counts to the last bit. */
  search({ table, weights, settings, state, seat, seed, nodes, number }) {
    const size = engine.tree_size(nodes);
    const tree = room(size);
    engine.empty_tree(tree, nodes);
    engine.search(put(table), put(weights), putNumbers(settings), tree, put(state), seat, seed, number);
    return { size, hash: createHash('sha256').update(bytes(tree, size)).digest('hex') };
  },
  /** The whole-turn player's action and the values after the turn. */
  turn({ table, weights, state }) {
    const result = room(8);
    const [bars, block] = [room(ACTIONS), room(engine.turn_size())];
    const action = engine.best_turn(put(table), put(state), put(weights), bars, block, result);
    return [action, ...numbers(result, 6)];
  },
  /** The actions of the players that look at single actions. */
  picks({ table, state, seed, number }) {
    const [rules, at, out, after, scores] = [put(table), put(state), room(MAX_LEGAL), room(WORDS), room(MAX_LEGAL)];
    const deckhand = engine.deckhand(rules, at, seed, number, out);
    const size = engine.sailor(rules, at, seed, number, after, out, scores);
    return [deckhand, [...words(out, size)].map(Number), [...numbers(scores, size)]];
  },
};

const answers = questions.map(({ kind, ...question }) => {
  top = bottom;
  return answer[kind](question);
});
writeFileSync(answersPath, JSON.stringify(answers));
