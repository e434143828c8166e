/** Answers questions about the engine, under Node (see engine.mjs) and in a browser (see engine.py). */

/** The hashes of games and the number of their states. */
function traces({ program, number }, { table, plan, opening, games }) {
  return program.within(() => {
    const size = Number(games[2]) - Number(games[1]);
    const [rules, laid, start, which] = [table, plan, opening, games].map((list) => program.put(list.map(BigInt)));
    const [state, seen, sums] = [program.room(number('WORDS')), program.room(number('MAX_LEGAL')), program.room(size)];
    const states = program.call.trace(rules, laid, start, which, state, seen, sums);
    const found = new BigUint64Array(program.words(sums, size).slice().buffer);
    return { states, sums: Array.from(found, (each) => each.toString(16)) };
  });
}

/** Counts the sequences of `depth` (1 or more) moves from a state: the legal moves of the last ones, played one by one. */
export function sequences(program, rules, state, depth) {
  const { call, words, room, WORDS, MAX_LEGAL } = program;
  const [moves, after] = [room(MAX_LEGAL), room(WORDS)];
  const size = call.legal(rules, state, moves);
  if (depth === 1) return size;
  let number = 0;
  for (let at = 0; at < size; at++) {
    words(after, WORDS).set(words(state, WORDS));
    call.step(rules, after, Number(words(moves, size)[at]));
    number += program.within(() => sequences(program, rules, after, depth - 1));
  }
  return number;
}

/** The counts of a position for each length. */
function counts(engine, { position: text, depths }) {
  const { program } = engine;
  const { call } = program;
  const [words, room, within] = ['words', 'room', 'within'].map((name) => program[name].bind(program));
  const [WORDS, MAX_LEGAL] = ['WORDS', 'MAX_LEGAL'].map((name) => engine.number(name));
  return engine.ask(engine.parse(text), (table, state) =>
    Array.from({ length: depths }, (_, at) =>
      sequences({ call, words, room, within, WORDS, MAX_LEGAL }, table, state, at + 1),
    ),
  );
}

function answer(engine, think, { kind, ...question }) {
  if (kind === 'traces') return traces({ program: engine.program, number: (name) => engine.number(name) }, question);
  if (kind === 'perft') return counts(engine, question);
  const { level, limits, views } = question;
  return views.map((view) => {
    const { move, value, why, moves } = think(engine, engine.parse(view), level, limits);
    const visits = moves.flatMap((each) => (each.visits ? [[each.move, each.visits]] : [])).sort();
    return { move, value, why, visits };
  });
}

/** The answers of a bundled engine; `networks` are the contents of files by name. */
export async function answers({ Engine, think }, code, data, networks, questions) {
  const engine = await Engine.load(code, data);
  for (const [file, content] of Object.entries(networks)) await engine.networks.add(file, content);
  return questions.map((question) => answer(engine, think, question));
}
