/** Dutch: the lessons, the examples and the rules. */
import type { Words } from '../en/index.ts';

export const words: Words<'learn'> = {
  'learn.lead': 'Korte lessen aan een echte tafel. Elke les duurt nog geen minuut.',
  'learn.tunnel': 'Cartagena in acht stappen',
  'learn.nest': 'Het piratennest in vier stappen',
  'learn.examples': 'Voorbeelden om uit te proberen',
  'learn.start': 'Beginnen',
  'learn.step': 'Stap {n} van {all}',
  'learn.next': 'Volgende stap',
  'learn.done': 'Goed gedaan!',
  'learn.retry': 'Opnieuw',
  'learn.wrong': 'Dat mag, maar deze les vraagt iets anders.',
  'learn.play': 'Speel {game}',
  'learn.finish': 'Nu weet je alles wat je nodig hebt. Veel plezier!',

  'lesson.tunnel.1.title': 'Vooruit met een kaart',
  'lesson.tunnel.1.text':
    'Jouw piraten zijn blauw. Kies er een bij de start: met je flessenkaart komt hij op de volgende vrije fles. Stuur hem erheen.',
  'lesson.tunnel.2.title': 'Bezette velden sla je over',
  'lesson.tunnel.2.text':
    'Op de eerste fles staat een rode piraat. Speel je flessenkaart: jouw piraat springt naar de volgende vrije fles.',
  'lesson.tunnel.3.title': 'Terug voor een kaart',
  'lesson.tunnel.3.text':
    'Kaarten krijg je alleen door terug te gaan. Kies je piraat op veld 8 en zet hem terug bij de rode piraat op veld 5: daar staat één piraat, dus jij pakt één kaart.',
  'lesson.tunnel.4.title': 'Twee piraten, twee kaarten',
  'lesson.tunnel.4.text':
    'Een paar levert meer op. Ga van veld 12 terug naar de twee piraten op veld 9 en pak twee kaarten.',
  'lesson.tunnel.5.title': 'Drie is te veel',
  'lesson.tunnel.5.text':
    'Een veld met drie piraten is vol: op de terugweg sla je het over. Ga terug van veld 15 en kijk waar je uitkomt.',
  'lesson.tunnel.6.title': 'Vrije baan naar de sloep',
  'lesson.tunnel.6.text':
    'Van veld 17 tot de uitgang zijn alle doodskoppen bezet. Met één doodskopkaart komt je piraat meteen aan boord.',
  'lesson.tunnel.7.title': 'Eén tot drie acties',
  'lesson.tunnel.7.text':
    'In je beurt doe je één tot drie acties, in elke combinatie. Doe er minstens één en beëindig dan je beurt. Zolang je geen kaart hebt gepakt, kun je alles ongedaan maken.',
  'lesson.tunnel.8.title': 'De overwinning',
  'lesson.tunnel.8.text': 'Vijf van je zes piraten zijn aan boord. Breng de laatste naar de sloep en je wint.',
  'lesson.nest.1.title': 'Anderen duwen voor kaarten',
  'lesson.nest.1.text':
    'In dit spel gaat niemand terug. In plaats daarvan duw je piraten van anderen vooruit naar het volgende veld met één of twee piraten en pak je evenveel kaarten. Duw de rode piraat op veld 3.',
  'lesson.nest.2.title': 'Aan boord van de sloep',
  'lesson.nest.2.text':
    'Voorbij veld 12 zijn er op dit eiland geen vrije dukaten meer. Daarom brengt de dukatenkaart je piraat naar de sloep. Daar is plaats voor drie piraten van elke kleur.',
  'lesson.nest.3.title': 'De overtocht van de kapitein',
  'lesson.nest.3.text':
    'Niemand heeft meer piraten aan boord dan jij. Daarom ben je kapitein en mag je vóór je eerste actie één keer gratis varen. Vaar naar het tweede eiland.',
  'lesson.nest.4.title': 'De vrijbuiter',
  'lesson.nest.4.text':
    'Je hebt negen kaarten. Speel het kompas met de gouden rand: je piraat gaat vooruit, daarna legt iedereen met meer dan zeven kaarten af tot er zeven over zijn. Leg die van jou af.',

  'example.a1': 'Drie dolken achter elkaar: snel, maar van de vrije baan profiteert iedereen.',
  'example.a2': 'Drie keer terug voor vijf kaarten: veel kaarten, maar de achterblijvers raken verder achterop.',
  'example.a3':
    'Van alles wat: één piraat aan boord, één terug voor twee kaarten (en de vrije baan is onderbroken), één de tunnel in.',
  'example.b1': 'De kapitein steekt gratis over, en met drie kompassen komen twee piraten binnen.',
  'example.b2': 'Drie keer duwen voor zes kaarten: veel kaarten, maar boven de zeven doet een vrijbuiter pijn.',
  'example.b3': 'Oversteken, een piraat binnenbrengen en blauw duwen om de rij kompassen te onderbreken.',
  'example.title.a': 'Cartagena, voorbeeld {n}',
  'example.title.b': 'Het piratennest, voorbeeld {n}',

  'rules.title': 'Spelregels',
  'rules.goal': 'Doel van het spel',
  'rules.goal.tunnel':
    'Twee tot vijf spelers leiden elk zes piraten uit het fort door een tunnel van 36 velden naar de sloep. Wie als eerste alle zes aan boord heeft, wint meteen.',
  'rules.goal.nest':
    'Twee tot vijf spelers leiden elk zes piraten over het eerste eiland, met één sloep voor iedereen over zee en over het tweede eiland naar het piratennest. Wie als eerste alle zes binnen heeft, wint meteen.',
  'rules.setup': 'Voorbereiding',
  'rules.setup.tunnel':
    'De tunnel bestaat uit zes stukken in willekeurige volgorde en richting; op elk stuk staan alle zes tekens. Iedereen krijgt zes van de 102 kaarten (17 van elk teken).',
  'rules.setup.nest':
    'Twee stukken vormen het eerste eiland, drie het tweede; op elk stuk staan alle zeven tekens. De sloep ligt bij het eerste eiland. Iedereen krijgt zeven van de 105 kaarten (15 van elk teken, waarvan één vrijbuiterkaart met een gouden rand).',
  'rules.turn': 'Jouw beurt',
  'rules.turn.tunnel':
    'Doe één tot drie acties in elke combinatie: met een kaart vooruit, of terug om kaarten te pakken. Beëindig daarna je beurt.',
  'rules.turn.nest':
    'Doe één tot drie acties in elke combinatie: met een kaart vooruit, een piraat van een ander duwen om kaarten te pakken, of varen. Beëindig daarna je beurt.',
  'rules.forward': 'Vooruit met een kaart',
  'rules.forward.tunnel':
    'Speel een kaart en zet een van je piraten op het volgende vrije veld met dat teken; bezette velden sla je over. Is er verderop geen vrij veld meer, dan gaat de piraat aan boord van de sloep. Dat kun je niet weigeren.',
  'rules.forward.nest':
    'Speel een kaart en zet een van je piraten op het volgende vrije veld met dat teken op hetzelfde eiland. Is dat er niet, dan gaat hij naar de sloep (eerste eiland) of naar het piratennest (tweede eiland). Aan boord mag hij alleen als de sloep daar ligt en er nog geen drie piraten van jouw kleur in zitten. Piraten aan boord kunnen pas verder als de sloep bij het tweede eiland ligt.',
  'rules.back': 'Terug voor kaarten',
  'rules.back.text':
    'Zet een van je piraten terug op het dichtstbijzijnde veld met één of twee piraten, van welke kleur ook. Voor één piraat pak je één kaart, voor twee piraten twee. Lege velden en velden met drie piraten sla je over. Niemand gaat terug de tunnel uit.',
  'rules.back.return': 'Ook een piraat aan boord mag terug; hij is dan niet meer aan boord.',
  'rules.push': 'Duwen voor kaarten',
  'rules.push.text':
    'Zet een piraat van een ander vooruit op het volgende veld met één of twee piraten op hetzelfde eiland en pak evenveel kaarten. Is er op het eerste eiland geen zo’n veld, dan gaat hij naar de sloep, als dat mag, en pak je altijd twee kaarten. In het piratennest wordt niemand geduwd.',
  'rules.sail': 'Varen',
  'rules.sail.text':
    'Varen is een actie. Voor de heenreis heb je een piraat aan boord nodig. Terughalen mag je de sloep als je nog een piraat op het eerste eiland of bij de start hebt. Wie aan boord is, vaart mee.',
  'rules.captain': 'De kapitein',
  'rules.captain.text':
    'Heb je aan het begin van je beurt minstens één piraat aan boord en heeft niemand er meer dan jij, dan ben je kapitein, ook bij een gelijke stand. De kapitein mag vóór de eerste actie één keer gratis oversteken; één actie blijft verplicht.',
  'rules.freebooter': 'Vrijbuiters',
  'rules.freebooter.text':
    'Je mag zoveel kaarten hebben als je wilt. Maar wordt er een kaart met een gouden rand gespeeld, dan legt iedereen met meer dan zeven kaarten af tot er zeven over zijn, te beginnen met wie de kaart speelde. Je kiest zelf welke kaarten je aflegt.',
  'rules.cards.jamaica': 'Jamaica: de kaarten zijn gesloten, en nieuwe kaarten pak je van de gesloten pakstapel.',
  'rules.cards.tortuga':
    'Tortuga: alle kaarten liggen open. Twaalf kaarten liggen in een rij en nieuwe kaarten pak je vooraan. Is de rij op, dan worden er meteen twaalf nieuwe neergelegd.',
  'rules.cards.hispaniola':
    'Hispaniola: de kaarten zijn gesloten, maar nieuwe kaarten pak je uit een open rij van twaalf.',
  'rules.cards.title': 'De kaarten',
  'rules.cards.empty':
    'Is de pakstapel op en is er een kaart nodig, dan wordt de aflegstapel geschud en vormt die de nieuwe pakstapel. Zijn beide op, dan pak je minder kaarten.',
  'rules.pass': 'Passen',
  'rules.pass.may': 'In deze uitgave mag je passen zonder een actie te doen.',
  'rules.pass.must': 'In deze uitgave moet je minstens één actie doen. Alleen wie helemaal niets kan, past.',
  'rules.deadlock': 'Moet iedereen na elkaar passen, dan eindigt de partij in een gelijkspel.',
  'rules.becalmed':
    'Heeft aan het einde van een beurt niemand nog kaarten en kan geen piraat geduwd worden, waar de sloep ook ligt, dan kan er alleen nog gevaren worden: de partij eindigt in een gelijkspel.',
  'rules.pick': 'Kies een spel en uitgave',
};
