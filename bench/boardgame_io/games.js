// Two games for the comparison. `count` is the smallest there is: each move adds one to a counter, nothing is hidden.
// `cards` is as large as one of our tables: a secret stock, hidden hands, a tunnel, and a move that advances a pirate
// to the next vacant field with its card's sign or retreats one and draws. It is a load, not the rules of Cartagena.
const { PlayerView } = require("boardgame.io/core");

const count = { name: "count", setup: () => ({ n: 0 }), moves: { step: ({ G }) => { G.n += 1; } } };

const SIGNS = ["B", "D", "H", "K", "P", "S"];
const FIELDS = Array.from({ length: 36 }, (_, n) => SIGNS[(n * 5 + Math.floor(n / 6)) % 6]);

function setup({ random }) {
  const stock = random.Shuffle(SIGNS.flatMap((sign) => Array(17).fill(sign)));
  const players = {}, pirates = {};
  for (const seat of ["0", "1"]) {
    players[seat] = { hand: stock.splice(0, 6) };
    pirates[seat] = Array(6).fill(-1);
  }
  return { n: 0, fields: FIELDS, pirates, discard: [], secret: { stock }, players, sizes: { 0: 6, 1: 6 } };
}

function step({ G, playerID, random }) {
  const hand = G.players[playerID].hand, own = G.pirates[playerID];
  const taken = new Set(Object.values(G.pirates).flat());
  if (hand.length > 3) {
    const card = hand.pop();
    const slowest = own.indexOf(Math.min(...own));
    let to = own[slowest] + 1;
    while (to < G.fields.length && (taken.has(to) || G.fields[to] !== card)) to += 1;
    own[slowest] = to;
    G.discard.push(card);
  } else {
    const foremost = own.indexOf(Math.max(...own));
    own[foremost] = -1;
    if (G.secret.stock.length < 3) G.secret.stock.push(...random.Shuffle(G.discard.splice(0)));
    hand.push(G.secret.stock.pop(), G.secret.stock.pop());
  }
  G.sizes[playerID] = hand.length;
  G.n += 1;
}

const cards = { name: "cards", setup, playerView: PlayerView.STRIP_SECRETS, moves: { step: { move: step, client: false } } };

module.exports = { count, cards };
