/** Words about playing without a server, and about new versions of the page. */
export const offline = {
  'home.alone': 'No server can be reached from this page. You can play against the computer and with others at this device; your games stay in this browser. Tables with people elsewhere need a server.',
  'new.alone': 'Without a server all players sit at this device. The table is kept in this browser.',
  'new.here': 'Keep this table in this browser, so that it can be played without the server',
  'update.text': 'A new version of this page is ready.',
  'update.load': 'Load it',
  'code.local-full': 'The storage of this browser is full, so this move is not saved. Make room, then play on: the next move saves the whole game.',
  'code.local-unsaved': 'This browser did not save this move. The game goes on as long as this page stays open.',
  'code.local-unread': 'This browser cannot read its saved games at the moment. Nothing was changed; load the page again.',
  'code.local-damaged': 'This saved game is damaged and cannot be played on. It was left as it is.',
  'code.local-newer': 'This game was saved by a newer version of the page. Load the page again.',
  'code.engine-old': 'This browser cannot run the engine (WebAssembly with SIMD): use Chrome 91, Firefox 89, Safari 16.4 or newer, or a table on a server. Your games are safe.',
  'code.engine-missing': 'The engine cannot be fetched. Go online once and load the page again; your games are safe.',
  'code.engine-mixed': 'The parts of the engine are of different versions. Load the page again; your games are safe.',
};
