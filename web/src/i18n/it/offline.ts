/** Italian: playing without a server, and new versions of the page. */
export const offline = {
  'home.alone':
    'Nessun server è raggiungibile. Puoi giocare contro il computer o con altri su questo dispositivo; le tue partite vengono salvate in questo browser. Per giocare a distanza serve un server.',
  'new.alone': 'Senza server si gioca tutti su questo dispositivo. Il tavolo viene salvato in questo browser.',
  'new.here': 'Salva questo tavolo in questo browser e gioca senza server',
  'slow.text': 'Il server tarda a rispondere.',
  'slow.play': 'Gioca senza server',
  'fair.here.open':
    'Prima di distribuire la prima carta questo browser ha fissato la sua mescolata con questa impronta. Alla fine la partita salvata dimostra che l’ha rispettata.',
  'fair.here.kept':
    'Le carte sono uscite proprio come questo browser aveva fissato prima di distribuirle. Con la partita salvata chiunque può verificarlo.',
  'fair.here.broken':
    'Le carte non sono uscite come questo browser aveva fissato prima di distribuirle. Salva la partita.',
  'mine.remove': 'Rimuovi',
  'mine.remove.sure': 'Rimuovi per sempre',
  'update.text': 'È disponibile una nuova versione.',
  'update.load': 'Aggiorna',
  'code.local-full':
    'Questo browser non ha più spazio, quindi la tua azione non è stata salvata. Libera spazio e continua: la prossima azione salverà tutta la partita.',
  'code.local-unsaved':
    'Questo browser non ha salvato la tua azione. Puoi continuare finché questa pagina resta aperta.',
  'code.local-unread':
    'Al momento questo browser non può leggere le sue partite salvate. Non è cambiato nulla; ricarica la pagina.',
  'code.local-damaged': 'Questa partita salvata è danneggiata e non si può continuare. Non è stata modificata.',
  'code.local-newer': 'Questa partita è stata salvata da una versione più recente della pagina. Ricarica la pagina.',
  'code.local-blocked':
    'Un’altra finestra di questa pagina trattiene ancora le tue partite salvate. Chiudila o ricaricala, poi riprova.',
  'banner.replaced':
    'Si è continuato a giocare in un’altra finestra, quindi il tabellone mostra ora la partita salvata. Le azioni fatte qui e non salvate sono perse.',
  'error.server.title': 'Qui non c’è un server di gioco',
  'error.server.text':
    'Questo tavolo è stato creato su un server di gioco, e a questo indirizzo non ne risponde nessuno. Se hai ricevuto un link, controlla che sia completo. La pagina continua a provare.',
  'code.engine-old':
    'Questo browser è troppo vecchio per giocare senza server (gli manca WebAssembly con SIMD). Usa Chrome 91, Firefox 89, Safari 16.4 o più recenti, oppure un tavolo su un server. Le tue partite sono al sicuro.',
  'code.engine-missing':
    'Impossibile scaricare il motore di gioco. Collegati una volta a internet e ricarica la pagina; le tue partite sono al sicuro.',
  'code.engine-mixed':
    'Il motore di gioco è stato aggiornato solo in parte. Ricarica la pagina; le tue partite sono al sicuro.',
  'code.not-downloaded':
    'Il server non risponde e questo browser non ha ancora scaricato tutto il necessario per giocare senza.',
} as const;
