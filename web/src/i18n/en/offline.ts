/** Words about playing without a server, and about new versions of the page. */
export const offline = {
  'home.alone':
    'No server can be reached. You can play against the computer or with others on this device; your games are saved in this browser. To play with people elsewhere you need a server.',
  'new.alone': 'Without a server, everyone plays on this device. The table is saved in this browser.',
  'new.here': 'Save this table in this browser and play without the server',
  'slow.text': 'The server is taking a while to answer.',
  'slow.play': 'Play without the server',
  'fair.here.open':
    'Before the first card was dealt, this browser committed to its shuffle with this fingerprint. When the game is over, the saved game proves that it kept to it.',
  'fair.here.kept':
    'The cards came exactly as this browser had committed to before the deal. The saved game proves it to anyone.',
  'fair.here.broken': 'The cards did not come as this browser had committed to before the deal. Save the game.',
  'mine.remove': 'Remove',
  'mine.remove.sure': 'Remove for good',
  'update.text': 'A new version is available.',
  'update.load': 'Update',
  'code.local-full':
    'This browser has no storage left, so your move was not saved. Free up some space and play on: your next move saves the whole game.',
  'code.local-unsaved': 'This browser did not save your move. You can play on as long as this page stays open.',
  'code.local-unread': 'This browser cannot read its saved games right now. Nothing has changed; reload the page.',
  'code.local-damaged': 'This saved game is damaged and cannot be continued. It has not been changed.',
  'code.local-newer': 'This game was saved by a newer version of this page. Reload the page.',
  'code.local-blocked': 'Another window of this page still holds your saved games. Close or reload it, then try again.',
  'banner.replaced':
    'Another window has played on; the board now shows the saved game. Unsaved moves made here are gone.',
  'error.server.title': 'No game server here',
  'error.server.text':
    'No game server answers at this address. If you were sent a link, check that it is complete. The page keeps trying.',
  'code.engine-old':
    'This browser is too old to play without a server (it lacks WebAssembly with SIMD). Use Chrome 91, Firefox 89, Safari 16.4 or newer, or a table on a server. Your games are safe.',
  'code.engine-missing':
    'The game engine could not be downloaded. Go online once and reload the page; your games are safe.',
  'code.engine-mixed': 'The game engine was only partly updated. Reload the page; your games are safe.',
  'code.not-downloaded':
    'The server does not answer, and this browser has not yet downloaded what it needs to play without it.',
} as const;
