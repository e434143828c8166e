/** Words of the lessons, the examples and the rules, in our own words. */
export const words = {
  'learn.lead': 'Short lessons at a real table. Each takes less than a minute.',
  'learn.tunnel': 'Cartagena in eight steps',
  'learn.nest': 'The Pirate’s Nest in four steps',
  'learn.examples': 'Examples to try out',
  'learn.start': 'Start',
  'learn.step': 'Step {n} of {all}',
  'learn.next': 'Next step',
  'learn.done': 'Well done!',
  'learn.retry': 'Restart',
  'learn.wrong': 'Possible, but this lesson asks for something else.',
  'learn.play': 'Play {game}',
  'learn.finish': 'You know all you need. Off you go!',

  'lesson.tunnel.1.title': 'Forward with a card',
  'lesson.tunnel.1.text':
    'Your pirates are blue. Pick one at the start: your bottle card takes him to the next free bottle. Send him there.',
  'lesson.tunnel.2.title': 'Occupied signs are skipped',
  'lesson.tunnel.2.text':
    'A red pirate stands on the first bottle. Play your bottle card: your pirate skips to the next free bottle.',
  'lesson.tunnel.3.title': 'Back for a card',
  'lesson.tunnel.3.text':
    'You only get cards by going back. Pick your pirate on field 8 and move him back to the red pirate on field 5: one pirate there means one card for you.',
  'lesson.tunnel.4.title': 'Two pirates, two cards',
  'lesson.tunnel.4.text':
    'A pair is worth more. Go back from field 12 to the two pirates on field 9 and draw two cards.',
  'lesson.tunnel.5.title': 'Three is a crowd',
  'lesson.tunnel.5.text':
    'A field with three pirates is full, so you pass it on your way back. Go back from field 15 and see where you end up.',
  'lesson.tunnel.6.title': 'Clear road to the sloop',
  'lesson.tunnel.6.text':
    'From field 17 to the exit, every skull is occupied. A single skull card takes your pirate all the way aboard.',
  'lesson.tunnel.7.title': 'One to three actions',
  'lesson.tunnel.7.text':
    'On your turn you take one to three actions, in any mix. Take at least one, then end your turn. As long as you have not drawn a card, you can undo.',
  'lesson.tunnel.8.title': 'Victory',
  'lesson.tunnel.8.text': 'Five of your six pirates are aboard. Bring the last one to the sloop and you win.',
  'lesson.nest.1.title': 'Push others for cards',
  'lesson.nest.1.text':
    'In this game no pirate goes back. Instead you push other players’ pirates forward to the next field with one or two pirates, and draw that many cards. Push the red pirate on field 3.',
  'lesson.nest.2.title': 'Aboard the sloop',
  'lesson.nest.2.text':
    'Beyond field 12 there are no free ducats on this island, so the ducat card takes your pirate to the sloop. It holds up to three pirates of each colour.',
  'lesson.nest.3.title': 'The captain’s crossing',
  'lesson.nest.3.text':
    'No one has more pirates aboard than you. That makes you captain: before your first action you may sail once for free. Sail to the second island.',
  'lesson.nest.4.title': 'The freebooter',
  'lesson.nest.4.text':
    'You hold nine cards. Play the compass with the golden edge: your pirate moves, then every player with more than seven cards discards down to seven. Discard yours.',

  'example.a1': 'Three daggers in a row: fast, but the road they open is open to everyone.',
  'example.a2': 'Three steps back for five cards: a full hand, but the stragglers stay behind.',
  'example.a3':
    'A bit of everything: one pirate aboard, one back for two cards (which also breaks the road), one into the tunnel.',
  'example.b1': 'The captain crosses for free, and three compasses bring two pirates home.',
  'example.b2': 'Three pushes for six cards: a fine hand, but above seven a freebooter hurts.',
  'example.b3': 'Cross over, bring a pirate home, and push blue to break the row of compasses.',
  'example.title.a': 'Cartagena, example {n}',
  'example.title.b': 'The Pirate’s Nest, example {n}',

  'rules.title': 'Rules',
  'rules.goal': 'Goal',
  'rules.goal.tunnel':
    'Two to five players each lead six pirates from the fortress through a tunnel of 36 fields to the sloop. The first player with all six aboard wins at once.',
  'rules.goal.nest':
    'Two to five players each lead six pirates across the first island, over the sea in the one sloop they all share, and across the second island to the nest. The first player with all six home wins at once.',
  'rules.setup': 'Setup',
  'rules.setup.tunnel':
    'The tunnel is built from six pieces in any order, either way round; each piece shows all six signs. Every player is dealt six of the 102 cards (17 of each sign).',
  'rules.setup.nest':
    'Two pieces form the first island, three the second; each piece shows all seven signs. The sloop starts at the first island. Every player is dealt seven of the 105 cards (15 of each sign, one of them a freebooter with a golden edge).',
  'rules.turn': 'Your turn',
  'rules.turn.tunnel':
    'Take one to three actions in any mix: move forward with a card, or move back for cards. Then end your turn.',
  'rules.turn.nest':
    'Take one to three actions in any mix: move forward with a card, push another player’s pirate for cards, or sail. Then end your turn.',
  'rules.forward': 'Forward with a card',
  'rules.forward.tunnel':
    'Play a card and move one of your pirates to the next free field with that sign; occupied ones are skipped. If there is no free one ahead, the pirate goes aboard the sloop. You cannot decline.',
  'rules.forward.nest':
    'Play a card and move one of your pirates to the next free field with that sign on the same island. If there is none, he goes to the sloop (first island) or to the nest (second island). He can only board while the sloop is there and carries fewer than three pirates of your colour. Pirates aboard can only move while the sloop is at the second island.',
  'rules.back': 'Back for cards',
  'rules.back.text':
    'Move one of your pirates back to the nearest field with one or two pirates of any colour. Draw one card for one pirate, two cards for two. Empty fields and fields with three pirates are passed. No pirate goes back out of the tunnel.',
  'rules.back.return': 'A pirate aboard may go back too; then he is no longer aboard.',
  'rules.push': 'Push for cards',
  'rules.push.text':
    'Move another player’s pirate forward to the next field with one or two pirates on the same island and draw that many cards. If there is none ahead on the first island, he goes to the sloop, provided he may board, and you always draw two cards. No pirate is pushed into the nest.',
  'rules.sail': 'Sail',
  'rules.sail.text':
    'Sailing is an action. To sail out, you need a pirate aboard. To fetch the sloop back, you need a pirate on the first island or at the start. Everyone aboard comes along.',
  'rules.captain': 'The captain',
  'rules.captain.text':
    'If, at the start of your turn, you have at least one pirate aboard and no one has more than you, you are captain, even if others have just as many. As captain you may cross once for free before your first action; you must still take at least one action.',
  'rules.freebooter': 'Freebooters',
  'rules.freebooter.text':
    'You may hold as many cards as you like. But when a card with a golden edge is played, every player with more than seven cards discards down to seven, starting with the one who played it. You choose your own discards.',
  'rules.cards.jamaica': 'Jamaica: hands are hidden, and new cards come from the face-down stock.',
  'rules.cards.tortuga':
    'Tortuga: all cards are open. Twelve cards lie in a row, and new cards come from the front of it. When the row is used up, twelve new cards are laid out at once.',
  'rules.cards.hispaniola': 'Hispaniola: hands are hidden, but new cards come from an open row of twelve.',
  'rules.cards.title': 'The cards',
  'rules.cards.empty':
    'When the stock has run out and a card is to be drawn, the discard pile is shuffled and becomes the new stock. If both are empty, you draw fewer cards.',
  'rules.pass': 'Passing',
  'rules.pass.may': 'In this edition you may pass without taking an action.',
  'rules.pass.must':
    'In this edition you must take at least one action. You only pass if you cannot do anything at all.',
  'rules.deadlock': 'If all players in turn have to pass, the game ends in a draw.',
  'rules.becalmed':
    'If no one has a card left when a turn ends, and no pirate can be pushed wherever the sloop lies, only sailing is left: the game ends in a draw.',
  'rules.pick': 'Choose a game and edition',
} as const;
