/** Swedish: the lessons, the examples and the rules. */
import type { Words } from '../en/index.ts';

export const words: Words<'learn'> = {
  'learn.lead': 'Korta lektioner vid ett riktigt bord. Var och en tar mindre än en minut.',
  'learn.tunnel': 'Cartagena i åtta steg',
  'learn.nest': 'Piratnästet i fyra steg',
  'learn.examples': 'Exempel att prova',
  'learn.start': 'Börja',
  'learn.step': 'Steg {n} av {all}',
  'learn.next': 'Nästa steg',
  'learn.done': 'Bra jobbat!',
  'learn.retry': 'Börja om',
  'learn.wrong': 'Det går, men lektionen ber om något annat.',
  'learn.play': 'Spela {game}',
  'learn.finish': 'Nu kan du allt du behöver. Mycket nöje!',

  'lesson.tunnel.1.title': 'Framåt med ett kort',
  'lesson.tunnel.1.text':
    'Dina pirater är blå. Välj en vid starten: med ditt flaskkort kommer han till nästa lediga flaska. Skicka dit honom.',
  'lesson.tunnel.2.title': 'Upptagna rutor hoppas över',
  'lesson.tunnel.2.text':
    'På den första flaskan står en röd pirat. Spela ditt flaskkort: din pirat hoppar till nästa lediga flaska.',
  'lesson.tunnel.3.title': 'Tillbaka för ett kort',
  'lesson.tunnel.3.text':
    'Nya kort får du bara genom att gå tillbaka. Välj din pirat på ruta 8 och flytta tillbaka honom till den röda piraten på ruta 5: en pirat där ger dig ett kort.',
  'lesson.tunnel.4.title': 'Två pirater, två kort',
  'lesson.tunnel.4.text': 'Ett par ger mer. Gå tillbaka från ruta 12 till de två piraterna på ruta 9 och ta två kort.',
  'lesson.tunnel.5.title': 'Tre är en för mycket',
  'lesson.tunnel.5.text':
    'En ruta med tre pirater är full, så du hoppar över den på vägen tillbaka. Gå tillbaka från ruta 15 och se var du hamnar.',
  'lesson.tunnel.6.title': 'Fri väg till slupen',
  'lesson.tunnel.6.text':
    'Från ruta 17 till utgången är alla dödskallar upptagna. Med ett enda dödskallekort kommer din pirat ända ombord.',
  'lesson.tunnel.7.title': 'Ett till tre drag',
  'lesson.tunnel.7.text':
    'På din tur gör du ett till tre drag, i valfri blandning. Gör minst ett och avsluta sedan turen. Så länge du inte har tagit något kort kan du ångra dig.',
  'lesson.tunnel.8.title': 'Segern',
  'lesson.tunnel.8.text': 'Fem av dina sex pirater är ombord. För den sista till slupen så vinner du.',
  'lesson.nest.1.title': 'Knuffa andra för kort',
  'lesson.nest.1.text':
    'I det här spelet går ingen tillbaka. I stället knuffar du andras pirater framåt till nästa ruta med en eller två pirater och tar lika många kort. Knuffa den röda piraten på ruta 3.',
  'lesson.nest.2.title': 'Ombord på slupen',
  'lesson.nest.2.text':
    'Bortom ruta 12 finns inga lediga dukater på ön. Därför tar dukatkortet din pirat till slupen. Där får tre pirater av varje färg plats.',
  'lesson.nest.3.title': 'Kaptenens överfart',
  'lesson.nest.3.text':
    'Ingen har fler pirater ombord än du. Därför är du kapten och får segla en gång gratis före ditt första drag. Segla till den andra ön.',
  'lesson.nest.4.title': 'Fribytaren',
  'lesson.nest.4.text':
    'Du har nio kort. Spela kompassen med guldkant: din pirat flyttas, sedan måste alla som har fler än sju kort slänga så att de har sju kvar. Släng dina.',

  'example.a1': 'Tre dolkar i rad: snabbt, men den fria vägen är öppen för alla.',
  'example.a2': 'Tre steg tillbaka för fem kort: många kort, men eftersläntrarna blir kvar.',
  'example.a3': 'Lite av varje: en ombord, en tillbaka för två kort (då bryts den fria vägen), en in i tunneln.',
  'example.b1': 'Kaptenen seglar gratis, och med tre kompasser kommer två pirater i mål.',
  'example.b2': 'Tre knuffar för sex kort: många kort, men med fler än sju svider en fribytare.',
  'example.b3': 'Segla över, för en pirat i mål och knuffa blå så att raden av kompasser bryts.',
  'example.title.a': 'Cartagena, exempel {n}',
  'example.title.b': 'Piratnästet, exempel {n}',

  'rules.title': 'Regler',
  'rules.goal': 'Spelets mål',
  'rules.goal.tunnel':
    'Två till fem spelare leder sex pirater var från fästningen genom en tunnel med 36 rutor till slupen. Den som först har alla sex ombord vinner genast.',
  'rules.goal.nest':
    'Två till fem spelare leder sex pirater var över den första ön, över havet i den enda slupen och över den andra ön till piratnästet. Den som först har alla sex i mål vinner genast.',
  'rules.setup': 'Förberedelser',
  'rules.setup.tunnel':
    'Tunneln byggs av sex delar i valfri ordning och riktning; varje del visar alla sex symboler. Alla får sex av de 102 korten (17 av varje symbol).',
  'rules.setup.nest':
    'Två delar bildar den första ön, tre den andra; varje del visar alla sju symboler. Slupen ligger vid den första ön. Alla får sju av de 105 korten (15 av varje symbol, varav ett fribytarkort med guldkant).',
  'rules.turn': 'Din tur',
  'rules.turn.tunnel':
    'Gör ett till tre drag i valfri blandning: framåt med ett kort, eller tillbaka för att ta kort. Avsluta sedan turen.',
  'rules.turn.nest':
    'Gör ett till tre drag i valfri blandning: framåt med ett kort, knuffa någon annans pirat för att ta kort, eller segla. Avsluta sedan turen.',
  'rules.forward': 'Framåt med ett kort',
  'rules.forward.tunnel':
    'Spela ett kort och flytta en av dina pirater till nästa lediga ruta med samma symbol; upptagna rutor hoppas över. Finns det ingen ledig ruta längre fram går piraten ombord på slupen. Det går inte att avstå.',
  'rules.forward.nest':
    'Spela ett kort och flytta en av dina pirater till nästa lediga ruta med samma symbol på samma ö. Finns det ingen går han till slupen (första ön) eller till piratnästet (andra ön). Han får bara gå ombord när slupen ligger där och har färre än tre pirater i din färg. Pirater ombord kan bara flyttas när slupen ligger vid den andra ön.',
  'rules.back': 'Tillbaka för kort',
  'rules.back.text':
    'Flytta en av dina pirater tillbaka till närmaste ruta med en eller två pirater, oavsett färg. För en pirat tar du ett kort, för två pirater två kort. Tomma rutor och rutor med tre pirater hoppas över. Ingen går tillbaka ut ur tunneln.',
  'rules.back.return': 'Även en pirat ombord får gå tillbaka; då är han inte längre ombord.',
  'rules.push': 'Knuffa för kort',
  'rules.push.text':
    'Flytta någon annans pirat framåt till nästa ruta med en eller två pirater på samma ö och ta lika många kort. Finns det ingen sådan ruta på den första ön går han till slupen, om han får, och du tar alltid två kort. Ingen knuffas in i piratnästet.',
  'rules.sail': 'Segla',
  'rules.sail.text':
    'Att segla är ett drag. För att segla ut behöver du en pirat ombord. För att hämta tillbaka slupen behöver du en pirat på den första ön eller vid starten. Alla ombord följer med.',
  'rules.captain': 'Kaptenen',
  'rules.captain.text':
    'Om du vid början av din tur har minst en pirat ombord och ingen har fler än du är du kapten, även om andra har lika många. Kaptenen får göra en överfart gratis före sitt första drag; minst ett drag måste ändå göras.',
  'rules.freebooter': 'Fribytare',
  'rules.freebooter.text':
    'Du får ha hur många kort du vill. Men när ett kort med guldkant spelas måste alla som har fler än sju kort slänga så att de har sju kvar, med början hos den som spelade kortet. Du väljer själv vilka kort du slänger.',
  'rules.cards.jamaica': 'Jamaica: korten är dolda, och nya kort tas från den dolda draghögen.',
  'rules.cards.tortuga':
    'Tortuga: alla kort ligger öppet. Tolv kort ligger i en rad, och nya kort tas framifrån. När raden är slut läggs tolv nya kort ut genast.',
  'rules.cards.hispaniola': 'Hispaniola: korten är dolda, men nya kort tas från en öppen rad med tolv kort.',
  'rules.cards.title': 'Korten',
  'rules.cards.empty':
    'När draghögen är slut och ett kort behövs blandas slänghögen och blir ny draghög. Är båda slut får du färre kort.',
  'rules.pass': 'Passa',
  'rules.pass.may': 'I den här utgåvan får du passa utan att göra något drag.',
  'rules.pass.must': 'I den här utgåvan måste du göra minst ett drag. Bara den som inte kan göra något alls passar.',
  'rules.deadlock': 'Om alla i tur och ordning måste passa slutar partiet oavgjort.',
  'rules.becalmed':
    'Om ingen har några kort kvar när en tur slutar och ingen pirat kan knuffas, var slupen än ligger, går det bara att segla: partiet slutar oavgjort.',
  'rules.pick': 'Välj spel och utgåva',
};
