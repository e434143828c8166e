"""The index map: the words of a state, the numbers of a rule table, the numbers of the actions.

Places are numbered along the track, so that "ahead" is "higher" and a set of places is one mask:

    one tunnel     s  1 ....................... F   b           (goal: b)
    index          0  1 ....................... F  F+1          F = 6 to 48 fields

    the nest       s  1 ........ 14  b  15 ........ 35  n       (goal: n)
    index          0  1 ........ 14  15 16 ........ 36  37

Cards are numbered by sign in alphabetical order of their letters (B D H K P S, or C D G M P S T); the freebooter
of sign i is card FREEBOOTER + i.

The words of a state:

     0 TURN      seat to move, 0..n-1          8 SLOOP    0 none, else the island it lies at: 1 or 2
     1 USED      actions taken this turn       9 LOW      fields, bit 0 of the number of pirates there
     2 PASSES    forced passes in a row       10 HIGH     fields, bit 1 of the number of pirates there
     3 CAPTAIN   1: may sail free             11 ROW      open row, 3 bits a card, next card lowest
     4 ROW_DUE   cards due to the row         12 ROW_LEN  cards in the row
     5 OWED      cards owed to the mover      13 STOCK    a card word (see ``cards``)
     6 DROPPER   seat + 1 that must drop      14 DISCARD  a card word
     7 OVER      0 running, seat + 1 won,     15 HIDDEN   views only: sizes of what is not shown, 8 bits each:
                 or DEADLOCK                              hands of seats 0..4, then the stock
    16..22 SIGN  for each sign the mask of its fields
    23..47 SEAT  for each of five seats: four bit planes of the number of own pirates on each place (a start or
                 a goal can hold eight), then the hand as a card word

Rules ask the board by masks: a vacant field is in neither LOW nor HIGH, a field with one or two pirates is in exactly
one of them.
"""

from typing import Final

MAX_SEATS: Final = 5
MAX_SIGNS: Final = 7
MAX_PLACES: Final = 50
MAX_PIRATES: Final = 8
FREEBOOTER: Final = 7
CARDS: Final = 14

# --- words of a state
TURN: Final = 0
USED: Final = 1
PASSES: Final = 2
CAPTAIN: Final = 3
ROW_DUE: Final = 4
OWED: Final = 5
DROPPER: Final = 6
OVER: Final = 7
SLOOP: Final = 8
LOW: Final = 9
HIGH: Final = 10
ROW: Final = 11
ROW_LEN: Final = 12
STOCK: Final = 13
DISCARD: Final = 14
HIDDEN: Final = 15
SIGN: Final = 16
SEAT: Final = 23
SEAT_WORDS: Final = 5
HAND: Final = 4  # within a seat's words
WORDS: Final = SEAT + MAX_SEATS * SEAT_WORDS

DEADLOCK: Final = 6  # in OVER: no pirate can be moved any more, and no seat has won
ROW_BITS: Final = 3
HIDDEN_BITS: Final = 8
HIDDEN_STOCK: Final = HIDDEN_BITS * MAX_SEATS
SLOOP_ROOM: Final = 3  # of each colour

# --- numbers of a rule table
T_SEATS: Final = 0
T_PIRATES: Final = 1
T_ACTIONS: Final = 2  # actions a turn
T_PASS: Final = 3  # 1: a turn may be passed although an action is possible
T_CREW: Final = 4  # pirates a captain needs aboard
T_ROW: Final = 5  # cards laid out in the open row, 0: there is none
T_OPEN: Final = 6  # 1: hands lie open
T_NEST: Final = 7  # 1: two islands and a sloop that sails
T_SIGNS: Final = 8
T_LIMIT: Final = 9  # cards a freebooter leaves in a hand
T_DECK: Final = 10  # all cards, a card word
T_BOAT: Final = 11  # place of the sloop
T_GOAL: Final = 12  # place where a pirate is home
T_FIELDS: Final = 13  # mask of all fields
T_FIRST: Final = 14  # mask of the start and the fields before the sloop
T_SECOND: Final = 15  # mask of the fields behind the sloop
T_RETREAT: Final = 16  # mask of the places a pirate may retreat from
T_HOLD: Final = 17  # cards in a hand at which a draw stops, or NO_HOLD; 0: no such number, and T_DRAW is 0 too
T_DRAW: Final = 18  # cards that a retreat or a push draws, 0: as many as pirates stand there
T_HOME: Final = 19  # pirates at the goal that win, 0: all of them
T_NUMBERS: Final = 20
NO_HOLD: Final = 255  # in T_HOLD: more cards than any hand can have

# --- actions: one fixed space for all games
CARD_BITS: Final = 4
CARD_SLOTS: Final = 1 << CARD_BITS
SEAT_BITS: Final = 6
SEAT_SLOTS: Final = 1 << SEAT_BITS
ADVANCE: Final = 0  # + place * CARD_SLOTS + card
RETREAT: Final = MAX_PLACES * CARD_SLOTS  # + place
PUSH: Final = RETREAT + MAX_PLACES  # + seat * SEAT_SLOTS + place
SAIL: Final = PUSH + MAX_SEATS * SEAT_SLOTS
END: Final = SAIL + 1
DROP: Final = END + 1  # + card
DEAL: Final = DROP + CARDS  # + card
ACTIONS: Final = DEAL + CARDS

MAX_LEGAL: Final = 256  # words that ``legal`` needs: more than the most moves any position has
