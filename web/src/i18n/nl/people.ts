/** Dutch: people at tables, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Computer laten meespelen',
  'waiting.computer.level': 'Plaats {n}: niveau',
  'waiting.remove': '{name} verwijderen',
  'waiting.remove.words': 'Ook naam en berichten verwijderen',
  'waiting.reinvite': 'Nieuwe uitnodigingslink',
  'waiting.awaited': '{name} is er nog niet',
  'waiting.ask.title': 'Spelers van een eerdere partij uitnodigen',
  'waiting.ask': '{names} uitnodigen',
  'waiting.close': 'Tafel annuleren',
  'waiting.close.sure': 'Ja, annuleren',
  'cancelled.title': 'Deze tafel is geannuleerd',
  'cancelled.text': 'De gastheer heeft de tafel geannuleerd voordat de partij begon.',

  // Absence, time and resignation
  'computer.hurried': 'De computer ({level}) heeft weinig tijd: er worden veel partijen gespeeld.',
  'absent.until': '{name} is niet verbonden. De computer neemt het over in {time}.',
  'absent.wait': '{name} is niet verbonden.',
  'crews.standin': 'computer speelt',
  'crews.holiday': 'met vakantie',
  'banner.time': 'Je tijd is op. De computer speelt voor je.',
  'banner.resigned': 'Je hebt opgegeven. De computer speelt je partij uit.',
  'banner.unsent': 'Geen verbinding. Je zet is bewaard en wordt verstuurd zodra de server antwoordt.',
  'event.timeup': 'De tijd van {name} is op; de computer speelt verder.',
  'event.expired': '{name} geeft op: de tijd is op.',
  'over.why.late': 'De tijd van {name} is op.',
  'over.why.late.you': 'Je tijd is op.',
  'event.computer': 'Er speelt een computer mee ({level}).',
  'event.cancelled': 'De tafel is geannuleerd.',

  // What is kept about a player
  'data.title': 'Jouw gegevens aan deze tafel',
  'data.text': 'De server bewaart je naam, je berichten en een controlesom van je link naar deze plaats.',
  'data.download': 'Downloaden',
  'data.delete': 'Mijn gegevens verwijderen',
  'data.warning':
    'Je naam en je berichten worden aan deze tafel en bij alle revanches verwijderd, en je geeft je plaats op. De partij zelf blijft bewaard voor de andere spelers. Dit kan niet ongedaan worden gemaakt.',
  'data.sure': 'Definitief verwijderen',
  'data.keep': 'Bewaren',
  'data.renew': 'Andere apparaten buitensluiten',
  'data.renew.text':
    'Heeft iemand anders toegang tot je plaats? Daarna kan alleen deze browser nog voor je spelen, ook in revanches.',
  'event.forgotten': '{name} heeft naam en berichten verwijderd.',
  'event.holiday': '{name} is met vakantie tot {until}.',
  'talk.deleted': 'Bericht verwijderd',

  // Spectators
  'watch.badge': 'Je kijkt mee',
  'watch.next': 'Nieuwe partij bekijken',
  'watch.back': 'Terugkijken',
  'watch.at': 'Zet {n} van {all}',
  'watch.now': 'Terug naar de partij',

  // My tables and open tables
  'mine.against': 'tegen {names}',
  'mine.here': 'op dit apparaat',
  'mine.turn': 'Jij bent aan de beurt',
  'mine.theirs': '{name} is aan de beurt',
  'mine.waiting': 'Wachten op spelers',
  'mine.won': 'Je hebt gewonnen',
  'mine.lost': '{name} heeft gewonnen',
  'mine.draw': 'Gelijkspel',
  'mine.unsent': 'Je zet wordt nog verstuurd',
  'mine.gone': 'Niet meer beschikbaar',
  'mine.more': 'Meer tonen ({n} in totaal)',
  'open.host': 'Gastheer: {name}',
  'open.seats': '{taken} van {all} plaatsen bezet',
  'open.clock.none': 'zonder klok',
  'open.clock.turn': '{n}\u00a0s per beurt',
  'open.clock.bank': '{n}\u00a0min per speler',
  'open.game': 'Spel',
  'open.game.all': 'Alle spellen',
  'open.clock': 'Klok',
  'open.clock.any': 'Met/zonder klok',
  'open.clock.with': 'Met klok',
  'open.clock.without': 'Zonder klok',
  'open.free': 'Alleen met vrije plaatsen',
  'open.none.fit': 'Geen open tafel voldoet hieraan.',
  'offline.title': 'Geen verbinding met de server',
  'offline.text':
    'Je kunt nu geen tafels openen. Je partijen zijn bewaard op de server; deze pagina blijft proberen te verbinden.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'Deze tafel is besloten',
  'error.private.text':
    'Alleen de spelers kunnen deze tafel zien. Ben je uitgenodigd, gebruik dan de uitnodigingslink.',
  'hint.slow': 'De computer maakt zich klaar… De eerste hint kan een halve minuut duren.',
  'trial.back': 'Terug',
  'example.show': 'Deze zetten tonen',
  'example.next': 'Volgend voorbeeld',
} as const;
