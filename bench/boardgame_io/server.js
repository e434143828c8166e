// A boardgame.io server. Arguments: port, game (see games.js), storage, folder.
const { Server, FlatFile } = require("boardgame.io/server");
const games = require("./games.js");
const [port, game, storage, folder] = process.argv.slice(2);
const options = { games: [{ ...games[game], minPlayers: 2, maxPlayers: 2 }], origins: ["*"] };
if (storage === "file") options.db = new FlatFile({ dir: folder, logging: false });
Server(options).run({ port: Number(port), callback: () => console.log("ready") });
