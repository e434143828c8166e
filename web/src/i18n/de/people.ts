/** German: people at tables, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Computer mitspielen lassen',
  'waiting.computer.level': 'Platz {n}: Spielstärke',
  'waiting.remove': '{name} entfernen',
  'waiting.remove.words': 'Auch Namen und Nachrichten löschen',
  'waiting.reinvite': 'Neuer Einladungslink',
  'waiting.awaited': '{name} ist noch nicht da',
  'waiting.ask.title': 'Spieler einer früheren Partie einladen',
  'waiting.ask': '{names} einladen',
  'waiting.close': 'Tisch absagen',
  'waiting.close.sure': 'Ja, absagen',
  'cancelled.title': 'Dieser Tisch wurde abgesagt',
  'cancelled.text': 'Der Gastgeber hat ihn vor Spielbeginn abgesagt.',

  // Absence, time and resignation
  'computer.hurried': 'Der Computer ({level}) hat wenig Zeit: Es laufen viele Partien.',
  'absent.until': '{name} ist nicht verbunden. Der Computer übernimmt in {time}.',
  'absent.wait': '{name} ist nicht verbunden.',
  'crews.standin': 'Computer spielt',
  'banner.time': 'Deine Zeit ist um. Der Computer spielt für dich.',
  'banner.resigned': 'Du hast aufgegeben. Der Computer spielt für dich zu Ende.',
  'banner.unsent': 'Keine Verbindung. Deine Aktion ist gespeichert und wird gesendet, sobald der Server antwortet.',
  'event.timeup': 'Die Zeit von {name} ist um; der Computer spielt weiter.',
  'event.computer': 'Ein Computer spielt mit ({level}).',
  'event.cancelled': 'Der Tisch wurde abgesagt.',

  // What is kept about a player
  'data.title': 'Deine Daten an diesem Tisch',
  'data.text': 'Der Server speichert deinen Namen, deine Nachrichten und eine Prüfsumme deines Links zu diesem Platz.',
  'data.download': 'Herunterladen',
  'data.delete': 'Meine Daten löschen',
  'data.warning':
    'Dein Name und deine Nachrichten werden an diesem Tisch und bei allen Revanchen gelöscht, und du gibst deinen Platz auf. Die Partie selbst bleibt für die anderen Spieler erhalten. Das lässt sich nicht rückgängig machen.',
  'data.sure': 'Endgültig löschen',
  'data.keep': 'Behalten',
  'data.renew': 'Andere Geräte aussperren',
  'data.renew.text':
    'Kann sonst noch jemand auf deinem Platz spielen? Danach kann nur noch dieser Browser für dich spielen, auch in Revanchen.',
  'event.forgotten': '{name} hat Namen und Nachrichten gelöscht.',
  'event.holiday': '{name} hat Urlaub bis {until}.',
  'talk.deleted': 'Nachricht gelöscht',

  // Spectators
  'watch.badge': 'Du schaust zu',
  'watch.next': 'Nächste Partie ansehen',
  'watch.back': 'Zurückspulen',
  'watch.at': 'Schritt {n} von {all}',
  'watch.now': 'Zurück zur Partie',

  // My tables and open tables
  'mine.against': 'gegen {names}',
  'mine.here': 'an diesem Gerät',
  'mine.turn': 'Du bist am Zug',
  'mine.theirs': '{name} ist am Zug',
  'mine.waiting': 'Warten auf Mitspieler',
  'mine.won': 'Gewonnen',
  'mine.lost': '{name} hat gewonnen',
  'mine.draw': 'Unentschieden',
  'mine.unsent': 'Deine Aktion wird noch gesendet',
  'mine.gone': 'Nicht mehr verfügbar',
  'mine.more': 'Mehr anzeigen (insgesamt {n})',
  'open.host': 'Gastgeber: {name}',
  'open.seats': '{taken} von {all} Plätzen besetzt',
  'open.clock.none': 'ohne Uhr',
  'open.clock.turn': '{n}\u00a0s pro Zug',
  'open.clock.bank': '{n}\u00a0min pro Person',
  'open.game': 'Spiel',
  'open.game.all': 'Alle Spiele',
  'open.clock': 'Bedenkzeit',
  'open.clock.any': 'Mit/ohne Uhr',
  'open.clock.with': 'Mit Uhr',
  'open.clock.without': 'Ohne Uhr',
  'open.free': 'Nur mit freien Plätzen',
  'open.none.fit': 'Kein offener Tisch passt dazu.',
  'offline.title': 'Keine Verbindung zum Server',
  'offline.text':
    'Im Moment kannst du keine Tische öffnen. Deine Partien sind auf dem Server gespeichert; die Verbindung wird laufend neu versucht.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'Dieser Tisch ist privat',
  'error.private.text': 'Nur die Mitspieler können ihn sehen. Wenn du eingeladen bist, benutze den Einladungslink.',
  'hint.slow': 'Der Computer macht sich bereit\u00a0… Der erste Tipp kann eine halbe Minute dauern.',
  'trial.back': 'Zurück',
  'example.show': 'Diese Aktionen zeigen',
  'example.next': 'Nächstes Beispiel',
} as const;
