/** Spanish: playing without a server, and new versions of the page. */
export const offline = {
  'home.alone':
    'No se puede contactar con ningún servidor. Puedes jugar contra el ordenador o con otros en este dispositivo; tus partidas se guardan en este navegador. Para jugar a distancia hace falta un servidor.',
  'new.alone': 'Sin servidor, todos juegan en este dispositivo. La mesa se guarda en este navegador.',
  'new.here': 'Guardar esta mesa en este navegador y jugar sin el servidor',
  'slow.text': 'El servidor tarda en responder.',
  'slow.play': 'Jugar sin el servidor',
  'fair.here.open':
    'Antes de repartir la primera carta, este navegador fijó su mezcla con esta huella. Al terminar, la partida guardada demuestra que la ha respetado.',
  'fair.here.kept':
    'Las cartas salieron tal como este navegador había fijado antes de repartir. Con la partida guardada cualquiera puede comprobarlo.',
  'fair.here.broken': 'Las cartas no salieron como este navegador había fijado antes de repartir. Guarda la partida.',
  'mine.remove': 'Quitar',
  'mine.remove.sure': 'Quitar para siempre',
  'update.text': 'Hay una versión nueva.',
  'update.load': 'Actualizar',
  'code.local-full':
    'Este navegador no tiene espacio, así que tu acción no se ha guardado. Libera espacio y sigue jugando: la próxima acción guardará toda la partida.',
  'code.local-unsaved':
    'Este navegador no ha guardado tu acción. Puedes seguir jugando mientras esta página siga abierta.',
  'code.local-unread':
    'Este navegador no puede leer ahora sus partidas guardadas. Nada ha cambiado; recarga la página.',
  'code.local-damaged': 'Esta partida guardada está dañada y no se puede continuar. No se ha modificado.',
  'code.local-newer': 'Esta partida se guardó con una versión más nueva de la página. Recarga la página.',
  'code.local-blocked':
    'Otra ventana de esta página retiene todavía tus partidas guardadas. Ciérrala o recárgala e inténtalo de nuevo.',
  'banner.replaced':
    'Se ha seguido jugando en otra ventana, así que el tablero muestra ahora la partida guardada. Las acciones hechas aquí que no se pudieron guardar se han perdido.',
  'error.server.title': 'Aquí no hay servidor de juego',
  'error.server.text':
    'Esta mesa se creó en un servidor de juego y en esta dirección no responde ninguno. Si te han enviado un enlace, comprueba que esté completo. La página sigue intentándolo.',
  'code.engine-old':
    'Este navegador es demasiado antiguo para jugar sin servidor (le falta WebAssembly con SIMD). Usa Chrome 91, Firefox 89, Safari 16.4 o posterior, o una mesa en un servidor. Tus partidas están a salvo.',
  'code.engine-missing':
    'No se ha podido descargar el motor del juego. Conéctate una vez a internet y recarga la página; tus partidas están a salvo.',
  'code.engine-mixed':
    'El motor del juego solo se ha actualizado en parte. Recarga la página; tus partidas están a salvo.',
  'code.not-downloaded':
    'El servidor no responde y este navegador aún no ha descargado lo que necesita para jugar sin él.',
} as const;
