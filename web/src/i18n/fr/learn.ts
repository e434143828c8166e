/** French: the lessons, the examples and the rules. */
import type { Words } from '../en/index.ts';

export const words: Words<'learn'> = {
  'learn.lead': 'De courtes leçons à une vraie table. Chacune dure moins d’une minute.',
  'learn.tunnel': 'Cartagena en huit étapes',
  'learn.nest': 'Le Repaire des pirates en quatre étapes',
  'learn.examples': 'Des exemples à essayer',
  'learn.start': 'Commencer',
  'learn.step': 'Étape {n} sur {all}',
  'learn.next': 'Étape suivante',
  'learn.done': 'Bravo\u202f!',
  'learn.retry': 'Recommencer',
  'learn.wrong': 'C’est possible, mais cette leçon demande autre chose.',
  'learn.play': 'Jouer\u00a0: {game}',
  'learn.finish': 'Vous savez tout ce qu’il faut. À l’abordage\u202f!',

  'lesson.tunnel.1.title': 'Avancer avec une carte',
  'lesson.tunnel.1.text':
    'Vos pirates sont bleus. Choisissez-en un au départ\u00a0: votre carte Bouteille le mène à la prochaine bouteille libre. Envoyez-le là-bas.',
  'lesson.tunnel.2.title': 'Les cases occupées sont sautées',
  'lesson.tunnel.2.text':
    'Un pirate rouge occupe la première bouteille. Jouez votre carte Bouteille\u00a0: votre pirate saute jusqu’à la prochaine bouteille libre.',
  'lesson.tunnel.3.title': 'Reculer pour une carte',
  'lesson.tunnel.3.text':
    'On ne gagne des cartes qu’en reculant. Choisissez votre pirate sur la case 8 et faites-le reculer jusqu’au pirate rouge de la case 5\u00a0: un pirate sur place, une carte pour vous.',
  'lesson.tunnel.4.title': 'Deux pirates, deux cartes',
  'lesson.tunnel.4.text':
    'Une paire rapporte davantage. Reculez de la case 12 jusqu’aux deux pirates de la case 9 et piochez deux cartes.',
  'lesson.tunnel.5.title': 'Trois, c’est complet',
  'lesson.tunnel.5.text':
    'Une case avec trois pirates est pleine\u00a0: on la dépasse en reculant. Reculez de la case 15 et voyez où vous arrivez.',
  'lesson.tunnel.6.title': 'Voie libre vers la chaloupe',
  'lesson.tunnel.6.text':
    'De la case 17 à la sortie, toutes les têtes de mort sont occupées. Une seule carte Tête de mort mène votre pirate directement à bord.',
  'lesson.tunnel.7.title': 'Une à trois actions',
  'lesson.tunnel.7.text':
    'À votre tour, vous faites une à trois actions, dans n’importe quelle combinaison. Faites-en au moins une, puis terminez votre tour. Tant que vous n’avez pas pioché, vous pouvez annuler vos actions.',
  'lesson.tunnel.8.title': 'La victoire',
  'lesson.tunnel.8.text': 'Cinq de vos six pirates sont à bord. Amenez le dernier à la chaloupe et vous gagnez.',
  'lesson.nest.1.title': 'Pousser les autres pour des cartes',
  'lesson.nest.1.text':
    'Dans ce jeu, aucun pirate ne recule. Vous poussez ceux des autres joueurs jusqu’à la prochaine case avec un ou deux pirates, et vous piochez autant de cartes. Poussez le pirate rouge de la case 3.',
  'lesson.nest.2.title': 'À bord de la chaloupe',
  'lesson.nest.2.text':
    'Après la case 12, il n’y a plus de ducats libres sur cette île\u00a0: la carte Ducats mène votre pirate à la chaloupe. Elle accueille jusqu’à trois pirates de chaque couleur.',
  'lesson.nest.3.title': 'La traversée du capitaine',
  'lesson.nest.3.text':
    'Personne n’a plus de pirates à bord que vous. Vous êtes donc capitaine\u00a0: avant votre première action, vous pouvez naviguer une fois gratuitement. Naviguez vers la deuxième île.',
  'lesson.nest.4.title': 'Le flibustier',
  'lesson.nest.4.text':
    'Vous avez neuf cartes. Jouez la boussole au bord doré\u00a0: votre pirate avance, puis chaque joueur qui a plus de sept cartes en défausse pour n’en garder que sept. Défaussez les vôtres.',

  'example.a1': 'Trois poignards de suite\u00a0: rapide, mais la voie libre profite à tout le monde.',
  'example.a2': 'Trois reculs pour cinq cartes\u00a0: une main bien garnie, mais les traînards restent derrière.',
  'example.a3':
    'Un peu de tout\u00a0: un pirate à bord, un autre recule pour deux cartes (et coupe la voie libre), un troisième entre dans le tunnel.',
  'example.b1': 'Le capitaine traverse gratuitement, et trois boussoles mènent deux pirates à bon port.',
  'example.b2': 'Trois poussées pour six cartes\u00a0: une belle main, mais au-delà de sept un flibustier fait mal.',
  'example.b3': 'Traverser, mener un pirate à bon port et pousser le bleu pour couper la suite de boussoles.',
  'example.title.a': 'Cartagena, exemple {n}',
  'example.title.b': 'Le Repaire des pirates, exemple {n}',

  'rules.title': 'Règles',
  'rules.goal': 'But du jeu',
  'rules.goal.tunnel':
    'Deux à cinq joueurs mènent chacun six pirates hors de la forteresse, par un tunnel de 36 cases, jusqu’à la chaloupe. Le premier à avoir ses six pirates à bord gagne aussitôt.',
  'rules.goal.nest':
    'Deux à cinq joueurs mènent chacun six pirates à travers la première île, sur la mer dans l’unique chaloupe commune, puis à travers la deuxième île jusqu’au repaire. Le premier à y avoir ses six pirates gagne aussitôt.',
  'rules.setup': 'Mise en place',
  'rules.setup.tunnel':
    'Le tunnel se compose de six éléments, dans un ordre et un sens quelconques\u202f; chacun porte les six symboles. Chaque joueur reçoit six des 102 cartes (17 par symbole).',
  'rules.setup.nest':
    'Deux éléments forment la première île, trois la deuxième\u202f; chacun porte les sept symboles. La chaloupe commence à la première île. Chaque joueur reçoit sept des 105 cartes (15 par symbole, dont un flibustier au bord doré).',
  'rules.turn': 'Votre tour',
  'rules.turn.tunnel':
    'Faites une à trois actions, dans n’importe quelle combinaison\u00a0: avancer avec une carte, ou reculer pour piocher. Puis terminez votre tour.',
  'rules.turn.nest':
    'Faites une à trois actions, dans n’importe quelle combinaison\u00a0: avancer avec une carte, pousser le pirate d’un autre joueur pour piocher, ou naviguer. Puis terminez votre tour.',
  'rules.forward': 'Avancer avec une carte',
  'rules.forward.tunnel':
    'Jouez une carte et avancez l’un de vos pirates jusqu’à la prochaine case libre portant ce symbole\u202f; les cases occupées sont sautées. S’il n’y en a plus de libre devant lui, le pirate monte à bord de la chaloupe. On ne peut pas y renoncer.',
  'rules.forward.nest':
    'Jouez une carte et avancez l’un de vos pirates jusqu’à la prochaine case libre de la même île portant ce symbole. S’il n’y en a pas, il va à la chaloupe (première île) ou au repaire (deuxième île). Il ne peut embarquer que si la chaloupe est là et compte moins de trois pirates de votre couleur. Les pirates à bord ne peuvent avancer que si la chaloupe est à la deuxième île.',
  'rules.back': 'Reculer pour des cartes',
  'rules.back.text':
    'Faites reculer l’un de vos pirates jusqu’à la case la plus proche qui contient un ou deux pirates, quelle que soit leur couleur. Piochez une carte pour un pirate, deux cartes pour deux. Les cases vides et les cases avec trois pirates sont dépassées. On ne ressort pas du tunnel en reculant.',
  'rules.back.return': 'Un pirate à bord peut reculer lui aussi\u202f; il n’est alors plus à bord.',
  'rules.push': 'Pousser pour des cartes',
  'rules.push.text':
    'Poussez le pirate d’un autre joueur jusqu’à la prochaine case de la même île qui contient un ou deux pirates, et piochez autant de cartes. S’il n’y en a pas devant lui sur la première île, il va à la chaloupe, à condition de pouvoir embarquer, et vous piochez toujours deux cartes. On ne pousse personne dans le repaire.',
  'rules.sail': 'Naviguer',
  'rules.sail.text':
    'Naviguer est une action. Pour partir, il vous faut un pirate à bord. Pour ramener la chaloupe, il vous faut un pirate sur la première île ou au départ. Tous ceux qui sont à bord font le voyage.',
  'rules.captain': 'Le capitaine',
  'rules.captain.text':
    'Si, au début de votre tour, vous avez au moins un pirate à bord et que personne n’en a plus que vous, vous êtes capitaine, même en cas d’égalité. Avant sa première action, le capitaine peut faire une traversée gratuite\u202f; il doit tout de même faire au moins une action.',
  'rules.freebooter': 'Les flibustiers',
  'rules.freebooter.text':
    'Vous pouvez avoir autant de cartes que vous voulez. Mais quand une carte au bord doré est jouée, chaque joueur qui a plus de sept cartes en défausse pour n’en garder que sept, en commençant par celui qui l’a jouée. Vous choisissez vos cartes à défausser.',
  'rules.cards.jamaica':
    'Jamaïque\u00a0: les mains sont cachées, et les nouvelles cartes viennent de la pioche, face cachée.',
  'rules.cards.tortuga':
    'Tortuga\u00a0: toutes les cartes sont visibles. Douze cartes forment une rangée, et l’on pioche en tête de celle-ci. Quand elle est épuisée, on pose aussitôt douze nouvelles cartes.',
  'rules.cards.hispaniola':
    'Hispaniola\u00a0: les mains sont cachées, mais l’on pioche dans une rangée visible de douze cartes.',
  'rules.cards.title': 'Les cartes',
  'rules.cards.empty':
    'Quand la pioche est vide et qu’il faut une carte, on mélange la défausse pour former une nouvelle pioche. Si les deux sont vides, on pioche moins de cartes.',
  'rules.pass': 'Passer',
  'rules.pass.may': 'Dans cette édition, vous pouvez passer sans faire d’action.',
  'rules.pass.must':
    'Dans cette édition, vous devez faire au moins une action. On ne passe que si l’on ne peut rien faire.',
  'rules.deadlock': 'Si tous les joueurs doivent passer l’un après l’autre, la partie se termine par un match nul.',
  'rules.becalmed':
    'Si plus personne n’a de carte à la fin d’un tour et qu’aucun pirate ne peut être poussé, où que soit la chaloupe, il ne reste plus qu’à naviguer\u00a0: la partie se termine par un match nul.',
  'rules.pick': 'Choisir un jeu et une édition',
};
