/** Swedish: people at tables, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Låt datorn spela',
  'waiting.computer.level': 'Plats {n}: nivå',
  'waiting.remove': 'Ta bort {name}',
  'waiting.remove.words': 'Radera även namn och meddelanden',
  'waiting.reinvite': 'Ny inbjudningslänk',
  'waiting.awaited': '{name} har inte kommit än',
  'waiting.ask.title': 'Bjud in spelare från ett tidigare parti',
  'waiting.ask': 'Bjud in {names}',
  'waiting.close': 'Ställ in bordet',
  'waiting.close.sure': 'Ja, ställ in',
  'cancelled.title': 'Bordet har ställts in',
  'cancelled.text': 'Värden ställde in det innan partiet började.',

  // Absence, time and resignation
  'computer.hurried': 'Datorn ({level}) har ont om tid: många partier pågår.',
  'absent.until': '{name} är inte ansluten. Datorn tar över om {time}.',
  'absent.wait': '{name} är inte ansluten.',
  'crews.standin': 'datorn spelar',
  'banner.time': 'Din tid är slut. Datorn spelar åt dig.',
  'banner.resigned': 'Du har gett upp. Datorn spelar klart åt dig.',
  'banner.unsent': 'Ingen anslutning. Ditt drag är sparat och skickas så snart servern svarar.',
  'event.timeup': 'Tiden är slut för {name}; datorn spelar vidare.',
  'event.computer': 'En datorspelare är med ({level}).',
  'event.cancelled': 'Bordet ställdes in.',

  // What is kept about a player
  'data.title': 'Dina uppgifter vid det här bordet',
  'data.text': 'Servern sparar ditt namn, dina meddelanden och en kontrollsumma av din länk till platsen.',
  'data.download': 'Ladda ner',
  'data.delete': 'Radera mina uppgifter',
  'data.warning':
    'Ditt namn och dina meddelanden raderas vid det här bordet och vid alla revanscher, och du lämnar din plats. Själva partiet finns kvar för de andra spelarna. Det går inte att ångra.',
  'data.sure': 'Radera för gott',
  'data.keep': 'Behåll',
  'data.renew': 'Stäng ute andra enheter',
  'data.renew.text':
    'Har någon annan tillgång till din plats? Därefter kan bara den här webbläsaren spela åt dig, även i revanscher.',
  'event.forgotten': '{name} har raderat namn och meddelanden.',
  'event.holiday': '{name} är ledig till {until}.',
  'talk.deleted': 'Meddelandet är raderat',

  // Spectators
  'watch.badge': 'Du tittar på',
  'watch.next': 'Se nästa parti',
  'watch.back': 'Se tillbaka',
  'watch.at': 'Drag {n} av {all}',
  'watch.now': 'Tillbaka till partiet',

  // My tables and open tables
  'mine.against': 'mot {names}',
  'mine.here': 'på den här enheten',
  'mine.turn': 'Din tur',
  'mine.theirs': '{name} står på tur',
  'mine.waiting': 'Väntar på spelare',
  'mine.won': 'Du vann',
  'mine.lost': '{name} vann',
  'mine.draw': 'Oavgjort',
  'mine.unsent': 'Ditt drag väntar på att skickas',
  'mine.gone': 'Finns inte längre',
  'mine.more': 'Visa fler ({n} totalt)',
  'open.host': 'Värd: {name}',
  'open.seats': '{taken} av {all} platser tagna',
  'open.clock.none': 'ingen klocka',
  'open.clock.turn': '{n}\u00a0s per tur',
  'open.clock.bank': '{n}\u00a0min per spelare',
  'open.game': 'Spel',
  'open.game.all': 'Alla spel',
  'open.clock': 'Klocka',
  'open.clock.any': 'Med/utan klocka',
  'open.clock.with': 'Med klocka',
  'open.clock.without': 'Utan klocka',
  'open.free': 'Bara med lediga platser',
  'open.none.fit': 'Inget öppet bord passar.',
  'offline.title': 'Ingen anslutning till servern',
  'offline.text':
    'Just nu kan du inte öppna några bord. Dina partier är sparade på servern, och sidan fortsätter att försöka ansluta.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'Bordet är privat',
  'error.private.text': 'Bara spelarna kan se det. Är du inbjuden använder du länken du har fått.',
  'hint.slow': 'Datorn gör sig redo\u00a0… Det första tipset kan ta en halv minut.',
  'trial.back': 'Tillbaka',
  'example.show': 'Visa de här dragen',
  'example.next': 'Nästa exempel',
} as const;
