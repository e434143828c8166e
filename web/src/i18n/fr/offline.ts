/** French: playing without a server, and new versions of the page. */
export const offline = {
  'home.alone':
    'Aucun serveur n’est joignable. Vous pouvez jouer contre l’ordinateur ou à plusieurs sur cet appareil\u202f; vos parties sont enregistrées dans ce navigateur. Pour jouer à distance, il faut un serveur.',
  'new.alone': 'Sans serveur, tout le monde joue sur cet appareil. La table est enregistrée dans ce navigateur.',
  'new.here': 'Enregistrer cette table dans ce navigateur et jouer sans le serveur',
  'slow.text': 'Le serveur met du temps à répondre.',
  'slow.play': 'Jouer sans le serveur',
  'fair.here.open':
    'Avant la première carte, ce navigateur s’est engagé sur son mélange par cette empreinte. Une fois terminée, la partie enregistrée prouve qu’il s’y est tenu.',
  'fair.here.kept':
    'Les cartes sont venues exactement comme ce navigateur s’y était engagé avant la distribution. La partie enregistrée permet à chacun de le vérifier.',
  'fair.here.broken':
    'Les cartes ne sont pas venues comme ce navigateur s’y était engagé avant la distribution. Enregistrez la partie.',
  'mine.remove': 'Supprimer',
  'mine.remove.sure': 'Supprimer définitivement',
  'update.text': 'Une nouvelle version est disponible.',
  'update.load': 'Mettre à jour',
  'code.local-full':
    'La mémoire de ce navigateur est pleine\u00a0: votre action n’a pas été enregistrée. Libérez de l’espace et continuez\u202f; la prochaine action enregistrera toute la partie.',
  'code.local-unsaved':
    'Ce navigateur n’a pas enregistré votre action. Vous pouvez continuer tant que cette page reste ouverte.',
  'code.local-unread':
    'Ce navigateur ne peut pas lire ses parties enregistrées pour le moment. Rien n’a changé\u202f; rechargez la page.',
  'code.local-damaged': 'Cette partie enregistrée est abîmée et ne peut pas continuer. Elle n’a pas été modifiée.',
  'code.local-newer': 'Cette partie a été enregistrée par une version plus récente de la page. Rechargez la page.',
  'code.local-blocked':
    'Une autre fenêtre de cette page retient encore vos parties enregistrées. Fermez-la ou rechargez-la, puis réessayez.',
  'banner.replaced':
    'La partie a continué dans une autre fenêtre\u00a0: le plateau montre maintenant la partie enregistrée. Les actions faites ici et non enregistrées sont perdues.',
  'error.server.title': 'Pas de serveur de jeu ici',
  'error.server.text':
    'Cette table a été créée sur un serveur de jeu, et aucun ne répond à cette adresse. Si vous avez reçu un lien, vérifiez qu’il est complet. La page continue d’essayer.',
  'code.engine-old':
    'Ce navigateur est trop ancien pour jouer sans serveur (il lui manque WebAssembly avec SIMD). Utilisez Chrome 91, Firefox 89, Safari 16.4 ou plus récent, ou une table sur un serveur. Vos parties sont en sécurité.',
  'code.engine-missing':
    'Le moteur de jeu n’a pas pu être téléchargé. Connectez-vous une fois à Internet et rechargez la page\u202f; vos parties sont en sécurité.',
  'code.engine-mixed':
    'Le moteur de jeu n’a été mis à jour qu’en partie. Rechargez la page\u202f; vos parties sont en sécurité.',
  'code.not-downloaded':
    'Le serveur ne répond pas, et ce navigateur n’a pas encore téléchargé ce qu’il faut pour jouer sans lui.',
} as const;
