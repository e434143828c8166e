/** German: the lessons, the examples and the rules. */
import type { Words } from '../en/index.ts';

export const words: Words<'learn'> = {
  'learn.lead': 'Kurze Lektionen direkt am Spieltisch. Jede dauert keine Minute.',
  'learn.tunnel': 'Cartagena in acht Schritten',
  'learn.nest': 'Das Piratennest in vier Schritten',
  'learn.examples': 'Beispiele zum Ausprobieren',
  'learn.start': 'Los geht’s',
  'learn.step': 'Schritt {n} von {all}',
  'learn.next': 'Nächster Schritt',
  'learn.done': 'Gut gemacht!',
  'learn.retry': 'Neu',
  'learn.wrong': 'Das geht, ist hier aber nicht gefragt.',
  'learn.play': '{game} spielen',
  'learn.finish': 'Jetzt weißt du alles, was du brauchst. Viel Spaß!',

  'lesson.tunnel.1.title': 'Vorwärts mit einer Karte',
  'lesson.tunnel.1.text':
    'Deine Piraten sind blau. Wähle einen am Start: Mit der Flaschenkarte kommt er auf die nächste freie Flasche. Schick ihn dorthin.',
  'lesson.tunnel.2.title': 'Besetzte Felder überspringen',
  'lesson.tunnel.2.text':
    'Auf der ersten Flasche steht Rot. Spiel deine Flaschenkarte: Dein Pirat springt auf die nächste freie Flasche.',
  'lesson.tunnel.3.title': 'Zurück für eine Karte',
  'lesson.tunnel.3.text':
    'Neue Karten bekommst du nur, wenn du zurückziehst. Wähle deinen Piraten auf Feld 8 und zieh ihn zurück zum roten Piraten auf Feld 5: ein Pirat dort, eine Karte für dich.',
  'lesson.tunnel.4.title': 'Zwei Piraten, zwei Karten',
  'lesson.tunnel.4.text':
    'Ein Paar lohnt sich mehr. Zieh von Feld 12 zurück zu den beiden Piraten auf Feld 9 und nimm zwei Karten auf.',
  'lesson.tunnel.5.title': 'Drei sind einer zu viel',
  'lesson.tunnel.5.text':
    'Ein Feld mit drei Piraten ist voll, beim Zurückziehen überspringst du es. Zieh von Feld 15 zurück und sieh, wo du landest.',
  'lesson.tunnel.6.title': 'Freie Bahn zur Schaluppe',
  'lesson.tunnel.6.text':
    'Von Feld 17 bis zum Ausgang sind alle Totenköpfe besetzt. Mit einer einzigen Totenkopfkarte kommt dein Pirat direkt an Bord.',
  'lesson.tunnel.7.title': 'Eine bis drei Aktionen',
  'lesson.tunnel.7.text':
    'In deinem Zug führst du eine bis drei Aktionen aus, in beliebiger Mischung. Mach mindestens eine und beende dann den Zug. Solange du keine Karte aufgenommen hast, kannst du deine Aktionen rückgängig machen.',
  'lesson.tunnel.8.title': 'Der Sieg',
  'lesson.tunnel.8.text':
    'Fünf deiner sechs Piraten sind an Bord. Bring den letzten auf die Schaluppe und du gewinnst.',
  'lesson.nest.1.title': 'Andere schieben für Karten',
  'lesson.nest.1.text':
    'In diesem Spiel zieht niemand zurück. Stattdessen schiebst du Piraten der anderen vorwärts auf das nächste Feld mit einem oder zwei Piraten und nimmst ebenso viele Karten auf. Schieb den roten Piraten auf Feld 3.',
  'lesson.nest.2.title': 'An Bord der Schaluppe',
  'lesson.nest.2.text':
    'Nach Feld 12 gibt es auf dieser Insel keine freien Dukaten mehr. Deshalb bringt die Dukatenkarte deinen Piraten an Bord der Schaluppe. Dort ist Platz für drei Piraten jeder Farbe.',
  'lesson.nest.3.title': 'Die Überfahrt des Kapitäns',
  'lesson.nest.3.text':
    'Niemand hat mehr Piraten an Bord als du. Damit bist du Kapitän und darfst vor deiner ersten Aktion einmal kostenlos segeln. Segle zur zweiten Insel.',
  'lesson.nest.4.title': 'Der Freibeuter',
  'lesson.nest.4.text':
    'Du hast neun Karten. Spiel den Kompass mit dem goldenen Rand: Dein Pirat zieht, danach müssen alle, die mehr als sieben Karten haben, bis auf sieben ablegen. Leg deine ab.',

  'example.a1': 'Drei Dolche hintereinander: schnell, aber die freie Bahn nützt allen.',
  'example.a2': 'Dreimal zurück für fünf Karten: viele Karten, aber die Nachzügler bleiben hinten.',
  'example.a3':
    'Von allem etwas: einer an Bord, einer zurück für zwei Karten (und die freie Bahn ist unterbrochen), einer in den Tunnel.',
  'example.b1': 'Der Kapitän setzt kostenlos über, und drei Kompasse bringen zwei Piraten ans Ziel.',
  'example.b2': 'Dreimal schieben für sechs Karten: viele Karten, aber bei mehr als sieben tut ein Freibeuter weh.',
  'example.b3':
    'Übersetzen, einen Piraten ans Ziel bringen und Blau schieben, um die Reihe der Kompasse zu unterbrechen.',
  'example.title.a': 'Cartagena, Beispiel {n}',
  'example.title.b': 'Das Piratennest, Beispiel {n}',

  'rules.title': 'Spielregel',
  'rules.goal': 'Ziel des Spiels',
  'rules.goal.tunnel':
    'Zwei bis fünf Spieler führen je sechs Piraten aus der Festung durch einen Tunnel mit 36 Feldern zur Schaluppe. Wer zuerst alle sechs an Bord hat, gewinnt sofort.',
  'rules.goal.nest':
    'Zwei bis fünf Spieler führen je sechs Piraten über die erste Insel, mit der einen Schaluppe für alle übers Meer und über die zweite Insel ins Piratennest. Wer zuerst alle sechs am Ziel hat, gewinnt sofort.',
  'rules.setup': 'Aufbau',
  'rules.setup.tunnel':
    'Der Tunnel entsteht aus sechs Teilen in beliebiger Reihenfolge und Richtung; jedes zeigt alle sechs Zeichen. Alle erhalten sechs der 102 Karten (17 von jedem Zeichen).',
  'rules.setup.nest':
    'Zwei Teile bilden die erste Insel, drei die zweite; jedes zeigt alle sieben Zeichen. Die Schaluppe liegt an der ersten Insel. Alle erhalten sieben der 105 Karten (15 von jedem Zeichen, davon eine Freibeuterkarte mit goldenem Rand).',
  'rules.turn': 'Dein Zug',
  'rules.turn.tunnel':
    'Führe eine bis drei Aktionen in beliebiger Mischung aus: mit einer Karte vorwärts ziehen oder zurückziehen und Karten aufnehmen. Dann beende den Zug.',
  'rules.turn.nest':
    'Führe eine bis drei Aktionen in beliebiger Mischung aus: mit einer Karte vorwärts ziehen, einen Piraten der anderen schieben und Karten aufnehmen oder segeln. Dann beende den Zug.',
  'rules.forward': 'Vorwärts mit einer Karte',
  'rules.forward.tunnel':
    'Spiel eine Karte aus und zieh einen deiner Piraten auf das nächste freie Feld mit diesem Zeichen; besetzte Felder werden übersprungen. Gibt es vor ihm kein freies mehr, geht der Pirat an Bord der Schaluppe. Ablehnen kannst du das nicht.',
  'rules.forward.nest':
    'Spiel eine Karte aus und zieh einen deiner Piraten auf das nächste freie Feld mit diesem Zeichen auf derselben Insel. Gibt es keines, geht er auf die Schaluppe (erste Insel) oder ins Piratennest (zweite Insel). An Bord darf er nur, wenn die Schaluppe dort liegt und noch keine drei Piraten deiner Farbe trägt. Piraten an Bord können nur ziehen, solange die Schaluppe an der zweiten Insel liegt.',
  'rules.back': 'Zurück für Karten',
  'rules.back.text':
    'Zieh einen deiner Piraten zurück auf das nächstgelegene Feld mit einem oder zwei Piraten, egal welcher Farbe. Für einen Piraten nimmst du eine Karte auf, für zwei Piraten zwei. Leere Felder und Felder mit drei Piraten werden übersprungen. Aus dem Tunnel hinaus zieht niemand zurück.',
  'rules.back.return': 'Auch ein Pirat an Bord darf zurückziehen; er ist dann nicht mehr an Bord.',
  'rules.push': 'Schieben für Karten',
  'rules.push.text':
    'Schieb einen Piraten der anderen auf derselben Insel vorwärts auf das nächste Feld mit einem oder zwei Piraten und nimm ebenso viele Karten auf. Gibt es auf der ersten Insel kein solches Feld, geht er an Bord der Schaluppe, sofern er das darf, und du nimmst immer zwei Karten auf. Ins Piratennest wird niemand geschoben.',
  'rules.sail': 'Segeln',
  'rules.sail.text':
    'Segeln ist eine Aktion. Für die Hinfahrt brauchst du einen Piraten an Bord. Zurückholen darfst du die Schaluppe, wenn du noch einen Piraten auf der ersten Insel oder am Start hast. Alle an Bord fahren mit.',
  'rules.captain': 'Der Kapitän',
  'rules.captain.text':
    'Hast du zu Beginn deines Zuges mindestens einen Piraten an Bord und niemand hat mehr als du, bist du Kapitän, auch bei Gleichstand. Der Kapitän darf vor seiner ersten Aktion einmal kostenlos übersetzen; eine Aktion muss er trotzdem ausführen.',
  'rules.freebooter': 'Freibeuter',
  'rules.freebooter.text':
    'Du darfst beliebig viele Karten auf der Hand haben. Wird aber eine Karte mit goldenem Rand gespielt, müssen alle mit mehr als sieben Karten bis auf sieben ablegen, zuerst die Person, die sie gespielt hat. Welche Karten du ablegst, bestimmst du selbst.',
  'rules.cards.jamaica': 'Jamaika: Die Handkarten sind verdeckt, neue Karten kommen vom verdeckten Nachziehstapel.',
  'rules.cards.tortuga':
    'Tortuga: Alle Karten liegen offen. Zwölf Karten liegen in einer Reihe, neue Karten nimmst du vorne weg. Ist die Reihe aufgebraucht, werden sofort zwölf neue ausgelegt.',
  'rules.cards.hispaniola':
    'Hispaniola: Die Handkarten sind verdeckt, neue Karten kommen aus einer offenen Reihe von zwölf Karten.',
  'rules.cards.title': 'Die Karten',
  'rules.cards.empty':
    'Ist der Nachziehstapel leer und wird eine Karte gebraucht, wird der Ablagestapel gemischt und bildet den neuen Nachziehstapel. Sind beide leer, bekommst du weniger Karten.',
  'rules.pass': 'Passen',
  'rules.pass.may': 'In dieser Ausgabe darfst du passen, ohne eine Aktion auszuführen.',
  'rules.pass.must': 'In dieser Ausgabe musst du mindestens eine Aktion ausführen. Nur wer gar nichts tun kann, passt.',
  'rules.deadlock': 'Müssen alle nacheinander passen, endet die Partie unentschieden.',
  'rules.becalmed':
    'Hat am Ende eines Zuges niemand mehr Karten und kann kein Pirat geschoben werden, wo immer die Schaluppe liegt, bleibt nur noch das Segeln: Die Partie endet unentschieden.',
  'rules.pick': 'Spiel und Ausgabe wählen',
};
