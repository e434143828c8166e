/** Words about playing without a server, and about new versions of the page. */
export const offline = {
  'home.alone': 'Von dieser Seite aus ist kein Server zu erreichen. Gegen den Computer und mit anderen an diesem Gerät kann gespielt werden; die Spiele bleiben in diesem Browser. Tische mit Leuten anderswo brauchen einen Server.',
  'new.alone': 'Ohne Server sitzen alle an diesem Gerät. Der Tisch bleibt in diesem Browser.',
  'new.here': 'Diesen Tisch in diesem Browser behalten, damit er ohne den Server spielbar ist',
  'update.text': 'Eine neue Version dieser Seite ist bereit.',
  'update.load': 'Laden',
  'code.local-full': 'Der Speicher dieses Browsers ist voll, daher ist dieser Zug nicht gespeichert. Platz schaffen und weiterspielen: Der nächste Zug speichert das ganze Spiel.',
  'code.local-unsaved': 'Dieser Browser hat den Zug nicht gespeichert. Das Spiel geht weiter, solange diese Seite offen bleibt.',
  'code.local-unread': 'Dieser Browser kann seine gespeicherten Spiele gerade nicht lesen. Nichts wurde geändert; bitte die Seite neu laden.',
  'code.local-damaged': 'Dieses gespeicherte Spiel ist beschädigt und nicht weiter spielbar. Es wurde so gelassen, wie es ist.',
  'code.local-newer': 'Eine neuere Version der Seite hat dieses Spiel gespeichert. Bitte die Seite neu laden.',
  'code.engine-old': 'Dieser Browser kann die Engine nicht ausführen (WebAssembly mit SIMD): Chrome 91, Firefox 89, Safari 16.4 oder neuer nehmen, oder einen Tisch auf einem Server. Alle Spiele sind sicher.',
  'code.engine-missing': 'Die Engine ist nicht zu laden. Einmal online gehen und die Seite neu laden; alle Spiele sind sicher.',
  'code.engine-mixed': 'Die Teile der Engine haben verschiedene Versionen. Bitte die Seite neu laden; alle Spiele sind sicher.',
};
