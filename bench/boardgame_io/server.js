// A boardgame.io server with the smallest game there is: each move adds one to a counter. Arguments: port, storage, folder.
const { Server, FlatFile } = require("boardgame.io/server");
const [port, storage, folder] = process.argv.slice(2);
const game = { name: "count", setup: () => ({ n: 0 }), moves: { add: ({ G }) => { G.n += 1; } }, minPlayers: 2, maxPlayers: 2 };
const options = { games: [game], origins: ["*"] };
if (storage === "file") options.db = new FlatFile({ dir: folder, logging: false });
Server(options).run({ port: Number(port), callback: () => console.log("ready") });
