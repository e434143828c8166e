/** Words about people at tables: waiting, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Let a computer play',
  'waiting.computer.level': 'Seat {n}: difficulty',
  'waiting.remove': 'Remove {name}',
  'waiting.remove.words': 'Delete name and messages too',
  'waiting.reinvite': 'New invitation link',
  'waiting.awaited': '{name} has not joined yet',
  'waiting.ask.title': 'Invite players of an earlier game',
  'waiting.ask': 'Invite {names}',
  'waiting.close': 'Cancel this table',
  'waiting.close.sure': 'Yes, cancel it',
  'cancelled.title': 'This table was cancelled',
  'cancelled.text': 'The host cancelled it before the game began.',

  // Absence, time and resignation
  'computer.hurried': 'The computer ({level}) is short of time: many games are being played.',
  'absent.until': '{name} is not connected. The computer takes over in {time}.',
  'absent.wait': '{name} is not connected.',
  'crews.standin': 'computer plays',
  'banner.time': 'Your time is up. The computer plays your turns.',
  'banner.resigned': 'You resigned. The computer plays your crew to the end.',
  'banner.unsent': 'No connection. Your move is kept and will be sent as soon as the server answers.',
  'event.timeup': '{name} has run out of time; the computer plays on.',
  'event.computer': 'A computer joins ({level}).',
  'event.cancelled': 'The table was cancelled.',

  // What is kept about a player
  'data.title': 'Your data at this table',
  'data.text': 'The server keeps your name, your messages and a checksum of your link to this seat.',
  'data.download': 'Download',
  'data.delete': 'Delete my data',
  'data.warning':
    'Your name and messages are deleted at this table and its rematches, and you give up your seat. The others keep the game. This cannot be undone.',
  'data.sure': 'Delete for good',
  'data.keep': 'Keep it',
  'data.renew': 'Lock out other devices',
  'data.renew.text':
    'Does someone else have access to your seat? After this only this browser can play for you, in rematches too.',
  'event.forgotten': '{name} has deleted name and messages.',
  'event.holiday': '{name} is on holiday until {until}.',
  'talk.deleted': 'Message deleted',

  // Spectators
  'watch.badge': 'You are watching',
  'watch.next': 'Watch the next game',
  'watch.back': 'Look back',
  'watch.at': 'Move {n} of {all}',
  'watch.now': 'Back to the game',

  // My tables and open tables
  'mine.against': 'against {names}',
  'mine.here': 'on this device',
  'mine.turn': 'Your turn',
  'mine.theirs': '{name}’s turn',
  'mine.waiting': 'Waiting for players',
  'mine.won': 'You won',
  'mine.lost': '{name} won',
  'mine.draw': 'Draw',
  'mine.unsent': 'Your move is waiting to be sent',
  'mine.gone': 'No longer available',
  'mine.more': 'Show more ({n} in all)',
  'open.host': 'Host: {name}',
  'open.seats': '{taken} of {all} seats taken',
  'open.clock.none': 'no clock',
  'open.clock.turn': '{n}\u00a0s per turn',
  'open.clock.bank': '{n}\u00a0min per player',
  'open.game': 'Game',
  'open.game.all': 'All games',
  'open.clock': 'Clock',
  'open.clock.any': 'Clock or not',
  'open.clock.with': 'With a clock',
  'open.clock.without': 'Without a clock',
  'open.free': 'Free seats only',
  'open.none.fit': 'No open table matches.',
  'offline.title': 'No connection to the server',
  'offline.text':
    'You cannot open any tables right now. Your games are safe on the server, and this page keeps trying to reconnect.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'This table is private',
  'error.private.text': 'Only its players can see it. If you were invited, use the invitation link you were sent.',
  'hint.slow': 'The computer is getting ready… Its first hint can take half a minute.',
  'trial.back': 'Back',
  'example.show': 'Show these moves',
  'example.next': 'Next example',
} as const;
