/** Spanish: the lessons, the examples and the rules. */
import type { Words } from '../en/index.ts';

export const words: Words<'learn'> = {
  'learn.lead': 'Lecciones cortas en una mesa de verdad. Cada una dura menos de un minuto.',
  'learn.tunnel': 'Cartagena en ocho pasos',
  'learn.nest': 'La guarida pirata en cuatro pasos',
  'learn.examples': 'Ejemplos para probar',
  'learn.start': 'Empezar',
  'learn.step': 'Paso {n} de {all}',
  'learn.next': 'Paso siguiente',
  'learn.done': '¡Bien hecho!',
  'learn.retry': 'Reiniciar',
  'learn.wrong': 'Es posible, pero esta lección pide otra cosa.',
  'learn.play': 'Jugar: {game}',
  'learn.finish': 'Ya sabes todo lo necesario. ¡Al abordaje!',

  'lesson.tunnel.1.title': 'Adelante con una carta',
  'lesson.tunnel.1.text':
    'Tus piratas son azules. Elige uno en la salida: tu carta de botella lo lleva a la siguiente botella libre. Envíalo allí.',
  'lesson.tunnel.2.title': 'Las casillas ocupadas se saltan',
  'lesson.tunnel.2.text':
    'Un pirata rojo ocupa la primera botella. Juega tu carta de botella: tu pirata salta a la siguiente botella libre.',
  'lesson.tunnel.3.title': 'Atrás por una carta',
  'lesson.tunnel.3.text':
    'Solo se consiguen cartas retrocediendo. Elige tu pirata de la casilla 8 y hazlo retroceder hasta el pirata rojo de la casilla 5: allí hay un pirata, así que robas una carta.',
  'lesson.tunnel.4.title': 'Dos piratas, dos cartas',
  'lesson.tunnel.4.text':
    'Una pareja vale más. Retrocede de la casilla 12 hasta los dos piratas de la casilla 9 y roba dos cartas.',
  'lesson.tunnel.5.title': 'Tres son multitud',
  'lesson.tunnel.5.text':
    'Una casilla con tres piratas está llena: al retroceder se pasa de largo. Retrocede de la casilla 15 y mira adónde llegas.',
  'lesson.tunnel.6.title': 'Camino libre a la balandra',
  'lesson.tunnel.6.text':
    'De la casilla 17 hasta el final, todas las calaveras están ocupadas. Una sola carta de calavera lleva a tu pirata directamente a bordo.',
  'lesson.tunnel.7.title': 'De una a tres acciones',
  'lesson.tunnel.7.text':
    'En tu turno haces de una a tres acciones, en cualquier combinación. Haz al menos una y termina tu turno. Mientras no hayas robado cartas, puedes deshacer.',
  'lesson.tunnel.8.title': 'La victoria',
  'lesson.tunnel.8.text': 'Cinco de tus seis piratas están a bordo. Lleva al último a la balandra y ganas.',
  'lesson.nest.1.title': 'Empujar a otros por cartas',
  'lesson.nest.1.text':
    'En este juego nadie retrocede. En su lugar, empujas a los piratas de los demás hasta la siguiente casilla con uno o dos piratas y robas otras tantas cartas. Empuja al pirata rojo de la casilla 3.',
  'lesson.nest.2.title': 'A bordo de la balandra',
  'lesson.nest.2.text':
    'Después de la casilla 12 no quedan ducados libres en esta isla, así que la carta de ducados lleva a tu pirata a la balandra. En ella caben tres piratas de cada color.',
  'lesson.nest.3.title': 'La travesía del capitán',
  'lesson.nest.3.text':
    'Nadie tiene más piratas a bordo que tú. Por eso eres capitán: antes de tu primera acción puedes navegar una vez gratis. Navega a la segunda isla.',
  'lesson.nest.4.title': 'El filibustero',
  'lesson.nest.4.text':
    'Tienes nueve cartas. Juega la brújula de borde dorado: tu pirata avanza y después todos los que tienen más de siete cartas descartan hasta quedarse con siete. Descarta las tuyas.',

  'example.a1': 'Tres dagas seguidas: rápido, pero el camino libre les sirve a todos.',
  'example.a2': 'Tres veces atrás por cinco cartas: una mano llena, pero los rezagados siguen atrás.',
  'example.a3':
    'Un poco de todo: un pirata a bordo, otro atrás por dos cartas (y corta el camino libre), otro entra en el túnel.',
  'example.b1': 'El capitán cruza gratis, y tres brújulas ponen a dos piratas a salvo.',
  'example.b2': 'Tres empujones por seis cartas: buena mano, pero con más de siete un filibustero duele.',
  'example.b3': 'Cruzar, poner un pirata a salvo y empujar al azul para cortar la serie de brújulas.',
  'example.title.a': 'Cartagena, ejemplo {n}',
  'example.title.b': 'La guarida pirata, ejemplo {n}',

  'rules.title': 'Reglas',
  'rules.goal': 'Objetivo del juego',
  'rules.goal.tunnel':
    'De dos a cinco jugadores guían cada uno a seis piratas desde la fortaleza, por un túnel de 36 casillas, hasta la balandra. Quien tenga antes a los seis a bordo gana al instante.',
  'rules.goal.nest':
    'De dos a cinco jugadores guían cada uno a seis piratas por la primera isla, por mar en la única balandra que comparten y por la segunda isla hasta la guarida. Quien tenga antes a los seis a salvo gana al instante.',
  'rules.setup': 'Preparación',
  'rules.setup.tunnel':
    'El túnel se forma con seis piezas en cualquier orden y sentido; cada una muestra los seis símbolos. Cada jugador recibe seis de las 102 cartas (17 de cada símbolo).',
  'rules.setup.nest':
    'Dos piezas forman la primera isla y tres la segunda; cada una muestra los siete símbolos. La balandra empieza en la primera isla. Cada jugador recibe siete de las 105 cartas (15 de cada símbolo, una de ellas un filibustero de borde dorado).',
  'rules.turn': 'Tu turno',
  'rules.turn.tunnel':
    'Haz de una a tres acciones en cualquier combinación: avanzar con una carta o retroceder para robar cartas. Después termina tu turno.',
  'rules.turn.nest':
    'Haz de una a tres acciones en cualquier combinación: avanzar con una carta, empujar a un pirata de otro jugador para robar cartas o navegar. Después termina tu turno.',
  'rules.forward': 'Adelante con una carta',
  'rules.forward.tunnel':
    'Juega una carta y haz avanzar a uno de tus piratas hasta la siguiente casilla libre con ese símbolo; las ocupadas se saltan. Si no queda ninguna libre por delante, el pirata sube a bordo de la balandra. No se puede renunciar.',
  'rules.forward.nest':
    'Juega una carta y haz avanzar a uno de tus piratas hasta la siguiente casilla libre con ese símbolo en la misma isla. Si no hay ninguna, va a la balandra (primera isla) o a la guarida (segunda isla). Solo puede embarcar si la balandra está allí y lleva menos de tres piratas de tu color. Los piratas a bordo solo pueden moverse mientras la balandra está en la segunda isla.',
  'rules.back': 'Atrás por cartas',
  'rules.back.text':
    'Haz retroceder a uno de tus piratas hasta la casilla más cercana con uno o dos piratas de cualquier color. Roba una carta por un pirata, dos cartas por dos. Las casillas vacías y las que tienen tres piratas se pasan de largo. Nadie sale del túnel retrocediendo.',
  'rules.back.return': 'Un pirata a bordo también puede retroceder; entonces deja de estar a bordo.',
  'rules.push': 'Empujar por cartas',
  'rules.push.text':
    'Empuja a un pirata de otro jugador hasta la siguiente casilla con uno o dos piratas de la misma isla y roba otras tantas cartas. Si en la primera isla no hay ninguna por delante, va a la balandra, siempre que pueda embarcar, y robas siempre dos cartas. A la guarida no se empuja a nadie.',
  'rules.sail': 'Navegar',
  'rules.sail.text':
    'Navegar es una acción. Para partir necesitas un pirata a bordo. Para traer de vuelta la balandra necesitas un pirata en la primera isla o en la salida. Todos los que están a bordo viajan.',
  'rules.captain': 'El capitán',
  'rules.captain.text':
    'Si al empezar tu turno tienes al menos un pirata a bordo y nadie tiene más que tú, eres capitán, también en caso de empate. Antes de su primera acción, el capitán puede hacer una travesía gratis; aun así debe hacer al menos una acción.',
  'rules.freebooter': 'Los filibusteros',
  'rules.freebooter.text':
    'Puedes tener todas las cartas que quieras. Pero cuando se juega una carta de borde dorado, todos los que tienen más de siete cartas descartan hasta quedarse con siete, empezando por quien la ha jugado. Tú eliges qué cartas descartas.',
  'rules.cards.jamaica': 'Jamaica: las manos son ocultas y las cartas nuevas salen del mazo, boca abajo.',
  'rules.cards.tortuga':
    'Tortuga: todas las cartas están a la vista. Hay doce cartas en fila y se roba de la cabeza. Cuando la fila se acaba, se ponen al instante doce cartas nuevas.',
  'rules.cards.hispaniola':
    'La Española: las manos son ocultas, pero las cartas nuevas salen de una fila descubierta de doce.',
  'rules.cards.title': 'Las cartas',
  'rules.cards.empty':
    'Cuando el mazo se agota y hay que robar, se baraja la pila de descartes para formar un mazo nuevo. Si se agotan los dos, robas menos cartas.',
  'rules.pass': 'Pasar',
  'rules.pass.may': 'En esta edición puedes pasar sin hacer ninguna acción.',
  'rules.pass.must': 'En esta edición debes hacer al menos una acción. Solo se pasa si no se puede hacer nada.',
  'rules.deadlock': 'Si todos los jugadores tienen que pasar uno tras otro, la partida termina en empate.',
  'rules.becalmed':
    'Si al final de un turno a nadie le quedan cartas y no se puede empujar a ningún pirata, esté donde esté la balandra, ya solo queda navegar: la partida termina en empate.',
  'rules.pick': 'Elige un juego y una edición',
};
