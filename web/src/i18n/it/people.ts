/** Italian: people at tables, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Fai giocare il computer',
  'waiting.computer.level': 'Posto {n}: difficoltà',
  'waiting.remove': 'Rimuovi {name}',
  'waiting.remove.words': 'Elimina anche nome e messaggi',
  'waiting.reinvite': 'Nuovo link d’invito',
  'waiting.awaited': '{name} non c’è ancora',
  'waiting.ask.title': 'Invita i giocatori di una partita precedente',
  'waiting.ask': 'Invita {names}',
  'waiting.close': 'Chiudi questo tavolo',
  'waiting.close.sure': 'Sì, chiudilo',
  'cancelled.title': 'Questo tavolo è stato chiuso',
  'cancelled.text': 'L’organizzatore l’ha chiuso prima dell’inizio della partita.',

  // Absence, time and resignation
  'computer.hurried': 'Il computer ({level}) ha poco tempo: ci sono molte partite in corso.',
  'absent.until': '{name} è senza connessione. Il computer subentra tra {time}.',
  'absent.wait': '{name} è senza connessione.',
  'crews.standin': 'gioca il computer',
  'banner.time': 'Il tuo tempo è scaduto. Il computer gioca al tuo posto.',
  'banner.resigned': 'Hai scelto di arrenderti. Il computer gioca con la tua ciurma fino alla fine.',
  'banner.unsent': 'Nessuna connessione. La tua azione è conservata e sarà inviata appena il server risponde.',
  'event.timeup': 'Tempo scaduto per {name}; continua il computer.',
  'event.computer': 'Si unisce un computer ({level}).',
  'event.cancelled': 'Il tavolo è stato chiuso.',

  // What is kept about a player
  'data.title': 'I tuoi dati a questo tavolo',
  'data.text': 'Il server conserva il tuo nome, i tuoi messaggi e un’impronta del tuo link a questo posto.',
  'data.download': 'Scarica',
  'data.delete': 'Elimina i miei dati',
  'data.warning':
    'Il tuo nome e i tuoi messaggi vengono eliminati a questo tavolo e nelle sue rivincite, e lasci il tuo posto. La partita resta agli altri giocatori. Non si può tornare indietro.',
  'data.sure': 'Elimina per sempre',
  'data.keep': 'Conserva',
  'data.renew': 'Blocca gli altri dispositivi',
  'data.renew.text':
    'Qualcun altro ha accesso al tuo posto? Poi solo questo browser potrà giocare per te, anche nelle rivincite.',
  'event.forgotten': '{name} ha eliminato nome e messaggi.',
  'event.holiday': '{name} è in vacanza fino al {until}.',
  'talk.deleted': 'Messaggio eliminato',

  // Spectators
  'watch.badge': 'Stai guardando',
  'watch.next': 'Guarda la nuova partita',
  'watch.back': 'Guarda indietro',
  'watch.at': 'Azione {n} di {all}',
  'watch.now': 'Torna alla partita',

  // My tables and open tables
  'mine.against': 'contro {names}',
  'mine.here': 'su questo dispositivo',
  'mine.turn': 'Il tuo turno',
  'mine.theirs': 'Tocca a {name}',
  'mine.waiting': 'In attesa di giocatori',
  'mine.won': 'Hai vinto',
  'mine.lost': 'Ha vinto {name}',
  'mine.draw': 'Pareggio',
  'mine.unsent': 'La tua azione aspetta di essere inviata',
  'mine.gone': 'Non più disponibile',
  'mine.more': 'Mostra altre ({n} in tutto)',
  'open.host': 'Organizzatore: {name}',
  'open.seats': 'Posti occupati: {taken} su {all}',
  'open.clock.none': 'senza orologio',
  'open.clock.turn': '{n}\u00a0s per turno',
  'open.clock.bank': '{n}\u00a0min per giocatore',
  'open.game': 'Gioco',
  'open.game.all': 'Tutti i giochi',
  'open.clock': 'Orologio',
  'open.clock.any': 'Orologio o no',
  'open.clock.with': 'Con orologio',
  'open.clock.without': 'Senza orologio',
  'open.free': 'Solo con posti liberi',
  'open.none.fit': 'Nessun tavolo aperto corrisponde.',
  'offline.title': 'Nessuna connessione al server',
  'offline.text':
    'Al momento non puoi aprire tavoli. Le tue partite sono al sicuro sul server e questa pagina continua a provare a connettersi.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'Questo tavolo è privato',
  'error.private.text': 'Possono vederlo solo i suoi giocatori. Se hai un invito, usa il link che hai ricevuto.',
  'hint.slow': 'Il computer si sta preparando… Il primo suggerimento può richiedere mezzo minuto.',
  'trial.back': 'Indietro',
  'example.show': 'Mostra queste azioni',
  'example.next': 'Esempio successivo',
} as const;
