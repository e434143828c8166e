/** Spanish: people at tables, absence, spectators, lists of tables, lost connections. */
export const people = {
  // The waiting room
  'waiting.computer': 'Que juegue el ordenador',
  'waiting.computer.level': 'Asiento {n}: dificultad',
  'waiting.remove': 'Quitar a {name}',
  'waiting.remove.words': 'Borrar también el nombre y los mensajes',
  'waiting.reinvite': 'Nuevo enlace de invitación',
  'waiting.awaited': '{name} todavía no ha llegado',
  'waiting.ask.title': 'Invitar a los jugadores de una partida anterior',
  'waiting.ask': 'Invitar a {names}',
  'waiting.close': 'Cancelar esta mesa',
  'waiting.close.sure': 'Sí, cancelarla',
  'cancelled.title': 'Esta mesa se ha cancelado',
  'cancelled.text': 'El anfitrión la ha cancelado antes de empezar la partida.',

  // Absence, time and resignation
  'computer.hurried': 'El ordenador ({level}) anda justo de tiempo: se están jugando muchas partidas.',
  'absent.until': '{name} está sin conexión. El ordenador seguirá dentro de {time}.',
  'absent.wait': '{name} está sin conexión.',
  'crews.standin': 'juega el ordenador',
  'banner.time': 'Se te ha acabado el tiempo. El ordenador juega por ti.',
  'banner.resigned': 'Te has rendido. El ordenador juega con tu tripulación hasta el final.',
  'banner.unsent': 'Sin conexión. Tu acción se conserva y se enviará en cuanto responda el servidor.',
  'event.timeup': 'A {name} se le ha acabado el tiempo; sigue el ordenador.',
  'event.computer': 'Se une un ordenador ({level}).',
  'event.cancelled': 'La mesa se ha cancelado.',

  // What is kept about a player
  'data.title': 'Tus datos en esta mesa',
  'data.text': 'El servidor conserva tu nombre, tus mensajes y una huella de tu enlace a este asiento.',
  'data.download': 'Descargar',
  'data.delete': 'Borrar mis datos',
  'data.warning':
    'Tu nombre y tus mensajes se borran en esta mesa y en sus revanchas, y dejas tu asiento. La partida se conserva para los demás jugadores. No se puede deshacer.',
  'data.sure': 'Borrar para siempre',
  'data.keep': 'Conservar',
  'data.renew': 'Bloquear otros dispositivos',
  'data.renew.text':
    '¿Alguien más tiene acceso a tu asiento? Después solo este navegador podrá jugar por ti, también en las revanchas.',
  'event.forgotten': '{name} ha borrado su nombre y sus mensajes.',
  'event.holiday': '{name} está de vacaciones hasta el {until}.',
  'talk.deleted': 'Mensaje borrado',

  // Spectators
  'watch.badge': 'Estás mirando',
  'watch.next': 'Mirar la próxima partida',
  'watch.back': 'Mirar atrás',
  'watch.at': 'Acción {n} de {all}',
  'watch.now': 'Volver a la partida',

  // My tables and open tables
  'mine.against': 'contra {names}',
  'mine.here': 'en este dispositivo',
  'mine.turn': 'Tu turno',
  'mine.theirs': 'Turno de {name}',
  'mine.waiting': 'Esperando jugadores',
  'mine.won': 'Has ganado',
  'mine.lost': 'Ha ganado {name}',
  'mine.draw': 'Empate',
  'mine.unsent': 'Tu acción espera a ser enviada',
  'mine.gone': 'Ya no está disponible',
  'mine.more': 'Ver más ({n} en total)',
  'open.host': 'Anfitrión: {name}',
  'open.seats': 'Asientos ocupados: {taken} de {all}',
  'open.clock.none': 'sin reloj',
  'open.clock.turn': '{n}\u00a0s por turno',
  'open.clock.bank': '{n}\u00a0min por jugador',
  'open.game': 'Juego',
  'open.game.all': 'Todos los juegos',
  'open.clock': 'Reloj',
  'open.clock.any': 'Con/sin reloj',
  'open.clock.with': 'Con reloj',
  'open.clock.without': 'Sin reloj',
  'open.free': 'Solo con asientos libres',
  'open.none.fit': 'Ninguna mesa abierta coincide.',
  'offline.title': 'Sin conexión con el servidor',
  'offline.text':
    'Ahora mismo no puedes abrir ninguna mesa. Tus partidas están a salvo en el servidor y esta página sigue intentando conectarse.',

  // Links that lead nowhere, slow hints, examples
  'error.private.title': 'Esta mesa es privada',
  'error.private.text': 'Solo la ven sus jugadores. Si te han invitado, usa el enlace de invitación que recibiste.',
  'hint.slow': 'El ordenador se está preparando… La primera pista puede tardar medio minuto.',
  'trial.back': 'Volver',
  'example.show': 'Ver estas acciones',
  'example.next': 'Ejemplo siguiente',
} as const;
