/** French: people at tables, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Faire jouer l’ordinateur',
  'waiting.computer.level': 'Place {n}\u00a0: difficulté',
  'waiting.remove': 'Retirer {name}',
  'waiting.remove.words': 'Supprimer aussi le nom et les messages',
  'waiting.reinvite': 'Nouveau lien d’invitation',
  'waiting.awaited': '{name} n’est pas encore là',
  'waiting.ask.title': 'Inviter les joueurs d’une partie précédente',
  'waiting.ask': 'Inviter {names}',
  'waiting.close': 'Fermer cette table',
  'waiting.close.sure': 'Oui, la fermer',
  'cancelled.title': 'Cette table a été fermée',
  'cancelled.text': 'L’hôte l’a fermée avant le début de la partie.',

  // Absence, time and resignation
  'computer.hurried': 'L’ordinateur ({level}) manque de temps\u00a0: beaucoup de parties sont en cours.',
  'absent.until': '{name} est hors ligne. L’ordinateur prend le relais dans {time}.',
  'absent.wait': '{name} est hors ligne.',
  'crews.standin': 'l’ordinateur joue',
  'banner.time': 'Votre temps est écoulé. L’ordinateur joue à votre place.',
  'banner.resigned': 'Vous avez abandonné. L’ordinateur joue votre équipage jusqu’à la fin.',
  'banner.unsent': 'Pas de connexion. Votre action est gardée et sera envoyée dès que le serveur répondra.',
  'event.timeup': '{name} n’a plus de temps\u202f; l’ordinateur continue.',
  'event.computer': 'Un ordinateur rejoint la table ({level}).',
  'event.cancelled': 'La table a été fermée.',

  // What is kept about a player
  'data.title': 'Vos données à cette table',
  'data.text': 'Le serveur conserve votre nom, vos messages et une empreinte de votre lien vers cette place.',
  'data.download': 'Télécharger',
  'data.delete': 'Supprimer mes données',
  'data.warning':
    'Votre nom et vos messages sont supprimés à cette table et à ses revanches, et vous quittez votre place. La partie elle-même reste aux autres joueurs. C’est irréversible.',
  'data.sure': 'Supprimer définitivement',
  'data.keep': 'Conserver',
  'data.renew': 'Bloquer les autres appareils',
  'data.renew.text':
    'Quelqu’un d’autre a accès à votre place\u202f? Ensuite, seul ce navigateur peut jouer pour vous, même dans les revanches.',
  'event.forgotten': '{name} a supprimé son nom et ses messages.',
  'event.holiday': '{name} est en vacances jusqu’au {until}.',
  'talk.deleted': 'Message supprimé',

  // Spectators
  'watch.badge': 'Vous regardez',
  'watch.next': 'Regarder la nouvelle partie',
  'watch.back': 'Revenir en arrière',
  'watch.at': 'Action {n} sur {all}',
  'watch.now': 'Retour à la partie',

  // My tables and open tables
  'mine.against': 'contre {names}',
  'mine.here': 'sur cet appareil',
  'mine.turn': 'À vous de jouer',
  'mine.theirs': 'À {name} de jouer',
  'mine.waiting': 'En attente de joueurs',
  'mine.won': 'Vous avez gagné',
  'mine.lost': '{name} a gagné',
  'mine.draw': 'Match nul',
  'mine.unsent': 'Votre action attend d’être envoyée',
  'mine.gone': 'N’est plus disponible',
  'mine.more': 'En voir plus ({n} en tout)',
  'open.host': 'Hôte\u00a0: {name}',
  'open.seats': 'Places prises\u00a0: {taken} sur {all}',
  'open.clock.none': 'sans pendule',
  'open.clock.turn': '{n}\u00a0s par tour',
  'open.clock.bank': '{n}\u00a0min par joueur',
  'open.game': 'Jeu',
  'open.game.all': 'Tous les jeux',
  'open.clock': 'Pendule',
  'open.clock.any': 'Pendule ou non',
  'open.clock.with': 'Avec pendule',
  'open.clock.without': 'Sans pendule',
  'open.free': 'Seulement avec des places libres',
  'open.none.fit': 'Aucune table ouverte ne correspond.',
  'offline.title': 'Pas de connexion au serveur',
  'offline.text':
    'Vous ne pouvez ouvrir aucune table pour le moment. Vos parties sont en sécurité sur le serveur, et cette page continue d’essayer de se connecter.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'Cette table est privée',
  'error.private.text': 'Seuls ses joueurs peuvent la voir. Si vous avez une invitation, utilisez son lien.',
  'hint.slow': 'L’ordinateur se prépare… Son premier conseil peut prendre une demi-minute.',
  'trial.back': 'Retour',
  'example.show': 'Montrer ces actions',
  'example.next': 'Exemple suivant',
} as const;
