// As many moves as go through: at each match one player moves and waits until all three viewers have seen it.
// Arguments: port, game (see games.js), matches, seconds. Prints one line of JSON.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const games = require("./games.js");
const game = games[process.argv[3]];
const [port, matches, seconds] = [2, 4, 5].map((n) => Number(process.argv[n]));
const server = `http://127.0.0.1:${port}`;
const delays = [];

async function sit() {
  // The first who comes to a match that is not there makes it.
  const matchID = `match-${Math.random().toString(36).slice(2)}`;
  const viewers = ["0", "1", undefined].map((playerID) =>
    Client({ game, numPlayers: 2, matchID, playerID, multiplayer: SocketIO({ server }), debug: false }));
  viewers.forEach((viewer) => viewer.start());
  await until(() => viewers.every((viewer) => viewer.getState() && viewer.getState().isConnected), viewers);
  return viewers;
}

function until(check, viewers) {
  return new Promise((resolve) => {
    if (check()) return resolve();
    const ends = viewers.map((viewer) => viewer.subscribe(() => { if (check()) { ends.forEach((end) => end && end()); resolve(); } }));
  });
}

async function play(viewers, end) {
  // Until all three have it: where the mover's own state is optimistic the two others tell, else it must not be stale.
  for (let n = 1; Date.now() < end; n += 1) {
    const began = performance.now();
    viewers[0].moves.step();
    await until(() => viewers.every((viewer) => viewer.getState().G.n >= n), viewers);
    delays.push(performance.now() - began);
  }
}

(async () => {
  const tables = [];
  for (let n = 0; n < matches; n += 1) tables.push(await sit());
  const used = process.cpuUsage();
  const began = Date.now();
  await Promise.all(tables.map((viewers) => play(viewers, began + seconds * 1000)));
  const took = (Date.now() - began) / 1000;
  const spent = process.cpuUsage(used);
  delays.sort((a, b) => a - b);
  console.log(JSON.stringify({ moves: delays.length, moves_per_second: Math.round(delays.length / took * 10) / 10, p95_ms: Math.round(delays[Math.floor(delays.length * 0.95)]), client_cpu_ms_per_move: Math.round((spent.user + spent.system) / delays.length) / 1000 }));
  process.exit(0);
})();
