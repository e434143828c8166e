/** German: playing without a server, and new versions of the page. */
export const offline = {
  'home.alone':
    'Es ist kein Server erreichbar. Du kannst gegen den Computer oder mit anderen an diesem Gerät spielen; deine Partien werden in diesem Browser gespeichert. Für Partien über das Internet brauchst du einen Server.',
  'new.alone': 'Ohne Server spielen alle an diesem Gerät. Der Tisch wird in diesem Browser gespeichert.',
  'new.here': 'Tisch in diesem Browser speichern und ohne Server spielen',
  'slow.text': 'Der Server lässt auf seine Antwort warten.',
  'slow.play': 'Ohne Server spielen',
  'fair.here.open':
    'Bevor die erste Karte ausgeteilt wurde, hat sich dieser Browser mit dieser Prüfsumme auf seine Mischung festgelegt. Nach Spielende lässt sich das mit der gespeicherten Partie nachprüfen.',
  'fair.here.kept':
    'Die Karten kamen genau so, wie dieser Browser es vorab festgelegt hatte. Mit der gespeicherten Partie kann das jeder nachprüfen.',
  'fair.here.broken': 'Die Karten kamen nicht so, wie dieser Browser es vorab festgelegt hatte. Speichere die Partie.',
  'mine.remove': 'Entfernen',
  'mine.remove.sure': 'Endgültig entfernen',
  'update.text': 'Eine neue Version ist verfügbar.',
  'update.load': 'Aktualisieren',
  'code.local-full':
    'Der Speicher dieses Browsers ist voll, deine Aktion wurde nicht gespeichert. Schaff Platz und spiel weiter: Die nächste Aktion speichert die ganze Partie.',
  'code.local-unsaved':
    'Dieser Browser hat deine Aktion nicht gespeichert. Du kannst weiterspielen, solange diese Seite geöffnet bleibt.',
  'code.local-unread':
    'Dieser Browser kann die gespeicherten Partien gerade nicht lesen. Es hat sich nichts geändert; lade die Seite neu.',
  'code.local-damaged':
    'Diese gespeicherte Partie ist beschädigt und lässt sich nicht fortsetzen. Sie wurde nicht verändert.',
  'code.local-newer': 'Diese Partie wurde mit einer neueren Version der Seite gespeichert. Lade die Seite neu.',
  'code.local-blocked':
    'Ein anderes Fenster dieser Seite hält deine gespeicherten Partien noch fest. Schließe es oder lade es neu, dann versuch es noch einmal.',
  'banner.replaced':
    'Ein anderes Fenster hat weitergespielt, darum zeigt der Spielplan jetzt die gespeicherte Partie. Aktionen, die hier nicht gespeichert werden konnten, sind verloren.',
  'error.server.title': 'Hier ist kein Spielserver',
  'error.server.text':
    'Dieser Tisch gehört zu einem Spielserver, und unter dieser Adresse antwortet keiner. Wenn du einen Link bekommen hast, prüfe, ob er vollständig ist. Die Seite versucht es weiter.',
  'code.engine-old':
    'Dieser Browser ist zu alt, um ohne Server zu spielen (ihm fehlt WebAssembly mit SIMD). Nimm Chrome 91, Firefox 89, Safari 16.4 oder neuer oder spiel an einem Tisch auf einem Server. Deine Partien sind gespeichert.',
  'code.engine-missing':
    'Das Spielprogramm konnte nicht geladen werden. Geh einmal online und lade die Seite neu; deine Partien sind gespeichert.',
  'code.engine-mixed':
    'Das Spielprogramm wurde nur teilweise aktualisiert. Lade die Seite neu; deine Partien sind gespeichert.',
  'code.not-downloaded':
    'Der Server antwortet nicht, und dieser Browser hat noch nicht alles geladen, was er zum Spielen ohne Server braucht.',
} as const;
