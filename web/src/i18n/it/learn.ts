/** Italian: the lessons, the examples and the rules. */
import type { Words } from '../en/index.ts';

export const words: Words<'learn'> = {
  'learn.lead': 'Brevi lezioni a un tavolo vero. Ognuna dura meno di un minuto.',
  'learn.tunnel': 'Cartagena in otto passi',
  'learn.nest': 'Il covo dei pirati in quattro passi',
  'learn.examples': 'Esempi da provare',
  'learn.start': 'Inizia',
  'learn.step': 'Passo {n} di {all}',
  'learn.next': 'Passo successivo',
  'learn.done': 'Ben fatto!',
  'learn.retry': 'Ricomincia',
  'learn.wrong': 'Si può fare, ma questa lezione chiede altro.',
  'learn.play': 'Gioca: {game}',
  'learn.finish': 'Ora sai tutto quello che serve. All’arrembaggio!',

  'lesson.tunnel.1.title': 'Avanti con una carta',
  'lesson.tunnel.1.text':
    'I tuoi pirati sono blu. Scegline uno alla partenza: la tua carta bottiglia lo porta alla prossima bottiglia libera. Mandalo lì.',
  'lesson.tunnel.2.title': 'Le caselle occupate si saltano',
  'lesson.tunnel.2.text':
    'Sulla prima bottiglia c’è un pirata rosso. Gioca la tua carta bottiglia: il tuo pirata salta alla prossima bottiglia libera.',
  'lesson.tunnel.3.title': 'Indietro per una carta',
  'lesson.tunnel.3.text':
    'Le carte si ottengono solo arretrando. Scegli il tuo pirata sulla casella 8 e fallo arretrare fino al pirata rosso sulla casella 5: lì c’è un pirata, quindi peschi una carta.',
  'lesson.tunnel.4.title': 'Due pirati, due carte',
  'lesson.tunnel.4.text':
    'Una coppia rende di più. Arretra dalla casella 12 fino ai due pirati sulla casella 9 e pesca due carte.',
  'lesson.tunnel.5.title': 'In tre è già pieno',
  'lesson.tunnel.5.text':
    'Una casella con tre pirati è piena: arretrando la si oltrepassa. Arretra dalla casella 15 e guarda dove arrivi.',
  'lesson.tunnel.6.title': 'Via libera per la scialuppa',
  'lesson.tunnel.6.text':
    'Dalla casella 17 all’uscita tutti i teschi sono occupati. Una sola carta teschio porta il tuo pirata direttamente a bordo.',
  'lesson.tunnel.7.title': 'Da una a tre azioni',
  'lesson.tunnel.7.text':
    'Nel tuo turno fai da una a tre azioni, in qualsiasi combinazione. Fanne almeno una, poi termina il turno. Finché non hai pescato, puoi annullare le tue azioni.',
  'lesson.tunnel.8.title': 'La vittoria',
  'lesson.tunnel.8.text': 'Cinque dei tuoi sei pirati sono a bordo. Porta l’ultimo alla scialuppa e hai vinto.',
  'lesson.nest.1.title': 'Spingi gli altri per le carte',
  'lesson.nest.1.text':
    'In questo gioco nessuno arretra. Spingi invece i pirati degli altri fino alla prossima casella con uno o due pirati e pesca altrettante carte. Spingi il pirata rosso sulla casella 3.',
  'lesson.nest.2.title': 'A bordo della scialuppa',
  'lesson.nest.2.text':
    'Dopo la casella 12 su quest’isola non ci sono più ducati liberi, quindi la carta ducati porta il tuo pirata alla scialuppa. C’è posto per tre pirati di ogni colore.',
  'lesson.nest.3.title': 'La traversata del capitano',
  'lesson.nest.3.text':
    'Nessuno ha più pirati a bordo di te. Per questo il capitano sei tu: prima della tua prima azione puoi salpare una volta gratis. Salpa verso la seconda isola.',
  'lesson.nest.4.title': 'Il filibustiere',
  'lesson.nest.4.text':
    'Hai nove carte. Gioca la bussola dal bordo dorato: il tuo pirata avanza, poi chi ha più di sette carte ne scarta fino a tenerne sette. Scarta le tue.',

  'example.a1': 'Tre pugnali di fila: rapido, ma la via libera serve a tutti.',
  'example.a2': 'Tre volte indietro per cinque carte: una mano piena, ma chi è in coda resta indietro.',
  'example.a3':
    'Un po’ di tutto: un pirata a bordo, uno indietro per due carte (e interrompe la via libera), uno dentro il tunnel.',
  'example.b1': 'Il capitano attraversa gratis e tre bussole portano in salvo due pirati.',
  'example.b2': 'Tre spinte per sei carte: una bella mano, ma oltre le sette un filibustiere fa male.',
  'example.b3': 'Attraversa, porta in salvo un pirata e spingi il blu per interrompere la serie di bussole.',
  'example.title.a': 'Cartagena, esempio {n}',
  'example.title.b': 'Il covo dei pirati, esempio {n}',

  'rules.title': 'Regole',
  'rules.goal': 'Scopo del gioco',
  'rules.goal.tunnel':
    'Da due a cinque giocatori guidano ciascuno sei pirati dalla fortezza, lungo un tunnel di 36 caselle, fino alla scialuppa. Vince subito chi per primo li ha tutti e sei a bordo.',
  'rules.goal.nest':
    'Da due a cinque giocatori guidano ciascuno sei pirati attraverso la prima isola, per mare sull’unica scialuppa comune e attraverso la seconda isola fino al covo. Vince subito chi per primo li ha tutti e sei in salvo.',
  'rules.setup': 'Preparazione',
  'rules.setup.tunnel':
    'Il tunnel si compone di sei pezzi, in qualsiasi ordine e verso; ognuno mostra tutti e sei i simboli. Ogni giocatore riceve sei delle 102 carte (17 per simbolo).',
  'rules.setup.nest':
    'Due pezzi formano la prima isola, tre la seconda; ognuno mostra tutti e sette i simboli. La scialuppa parte dalla prima isola. Ogni giocatore riceve sette delle 105 carte (15 per simbolo, una delle quali è un filibustiere dal bordo dorato).',
  'rules.turn': 'Il tuo turno',
  'rules.turn.tunnel':
    'Fai da una a tre azioni in qualsiasi combinazione: avanzare con una carta o arretrare per pescare. Poi termina il turno.',
  'rules.turn.nest':
    'Fai da una a tre azioni in qualsiasi combinazione: avanzare con una carta, spingere un pirata altrui per pescare, oppure salpare. Poi termina il turno.',
  'rules.forward': 'Avanti con una carta',
  'rules.forward.tunnel':
    'Gioca una carta e fai avanzare uno dei tuoi pirati fino alla prossima casella libera con quel simbolo; quelle occupate si saltano. Se davanti non ce n’è più di libere, il pirata sale a bordo della scialuppa. Non si può rinunciare.',
  'rules.forward.nest':
    'Gioca una carta e fai avanzare uno dei tuoi pirati fino alla prossima casella libera con quel simbolo sulla stessa isola. Se non ce n’è, va alla scialuppa (prima isola) o al covo (seconda isola). Può imbarcarsi solo se la scialuppa è lì e porta meno di tre pirati del tuo colore. I pirati a bordo possono muoversi solo finché la scialuppa è alla seconda isola.',
  'rules.back': 'Indietro per le carte',
  'rules.back.text':
    'Fai arretrare uno dei tuoi pirati fino alla casella più vicina con uno o due pirati di qualsiasi colore. Pesca una carta per un pirata, due carte per due. Le caselle vuote e quelle con tre pirati si oltrepassano. Nessuno esce dal tunnel arretrando.',
  'rules.back.return': 'Anche un pirata a bordo può arretrare; allora non è più a bordo.',
  'rules.push': 'Spingere per le carte',
  'rules.push.text':
    'Spingi un pirata altrui fino alla prossima casella con uno o due pirati sulla stessa isola e pesca altrettante carte. Se sulla prima isola davanti non ce n’è, va alla scialuppa, purché possa imbarcarsi, e peschi sempre due carte. Nel covo non si spinge nessuno.',
  'rules.sail': 'Salpare',
  'rules.sail.text':
    'Salpare è un’azione. Per partire ti serve un pirata a bordo. Per riportare indietro la scialuppa ti serve un pirata sulla prima isola o alla partenza. Tutti quelli a bordo viaggiano con la scialuppa.',
  'rules.captain': 'Il capitano',
  'rules.captain.text':
    'Se all’inizio del tuo turno hai almeno un pirata a bordo e nessuno ne ha più di te, il capitano sei tu, anche in caso di parità. Prima della sua prima azione il capitano può fare una traversata gratuita; deve comunque fare almeno un’azione.',
  'rules.freebooter': 'I filibustieri',
  'rules.freebooter.text':
    'Puoi avere quante carte vuoi. Ma quando si gioca una carta dal bordo dorato, chi ha più di sette carte ne scarta fino a tenerne sette, a cominciare da chi l’ha giocata. Scegli tu quali scartare.',
  'rules.cards.jamaica': 'Giamaica: le mani sono coperte e si pesca dal mazzo coperto.',
  'rules.cards.tortuga':
    'Tortuga: tutte le carte sono in vista. Dodici carte formano una fila e si pesca dalla testa. Quando la fila è esaurita, se ne dispongono subito dodici nuove.',
  'rules.cards.hispaniola': 'Hispaniola: le mani sono coperte, ma si pesca da una fila scoperta di dodici carte.',
  'rules.cards.title': 'Le carte',
  'rules.cards.empty':
    'Quando il mazzo è esaurito e bisogna pescare, si mescola la pila degli scarti per formare un nuovo mazzo. Se sono esauriti entrambi, peschi meno carte.',
  'rules.pass': 'Passare',
  'rules.pass.may': 'In questa edizione puoi passare senza fare azioni.',
  'rules.pass.must': 'In questa edizione devi fare almeno un’azione. Si passa solo se non si può fare nulla.',
  'rules.deadlock': 'Se tutti i giocatori devono passare uno dopo l’altro, la partita finisce in pareggio.',
  'rules.becalmed':
    'Se alla fine di un turno nessuno ha più carte e nessun pirata può essere spinto, ovunque sia la scialuppa, non resta che salpare: la partita finisce in pareggio.',
  'rules.pick': 'Scegli gioco ed edizione',
};
