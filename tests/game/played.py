"""Positions for tests: random games of every kind and size, and the public examples."""

import random
from functools import cache
from typing import Any

from cartagena.game import Game, Position

TORTUGA = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34"
    " BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)
NEST = (
    "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,3,3,b,b,28/5,13,b,18,25,n/3,14,14,b,b,16/s,s,5,28,31,n"
    " C3DM/CGPST/CDMPST/CDGMPST - C4C!D7D!G8G!M6M!P6P!S6S!T6T! C4D4G4M5P5S5T5 1 1.0c"
)
ROW_DUE = (
    "tortuga-en HDKBPS/BSHDKP/DBKPHS/HKPBSD/KBSDHP/BPHSDK s,s,s,s,s,2/s,s,s,1,1,1/s,s,s,s,2,2"
    " BH3K2P2/D2HK4/B3KS3 - B13D13H11K9P13S13 D2H2KP2S - 3.3r12+1"
)
DROP_DUE = (
    "nest-nl DSGCMPT/STMDCPG|MTCDGSP/TSPMGCD/STMCDPG s,s,s,s,7,7/s,s,s,s,s,5/s,s,s,s,s,7"
    " CC!MPS2/DG2M2P!S2S!/CD2GPT2 - C12D11D!G11M11P12S10T12 G!M!T! 1 2.3!2"
)
CARD_DUE = (
    "nest-nl DSGCMPT/STMDCPG|MTCDGSP/TSPMGCD/STMCDPG s,s,s,s,3,7/s,s,s,s,s,s/s,s,s,s,s,3"
    " CMPS2/DGM2M!SS!/CD2GPT2 - C12C!D11D!G12M11P12P!S11T12 G!T! 1 1.3+1"
)
WON = "jamaica-en BPHSDK b,b/s,3 B/D - B15D16H17K17P17S17 B - =1"
DEADLOCK = "jamaica-en BPHSDK s,b/s,b -/- - B17D17H17K17P17S17 - - =0"
BIG_HAND = "jamaica-de BPHSDK s,b/s,b B17D17H17K17P17S15/S2 - - - - 1.0"
EXAMPLES = (TORTUGA, NEST, ROW_DUE, DROP_DUE, CARD_DUE, WON, DEADLOCK, BIG_HAND)

TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    *((f"{game}-{edition}", seats, {}) for game, edition, seats in (("jamaica", "en", 2), ("tortuga", "de", 4))),
    ("hispaniola-nl", 3, {}),
    ("nest-nl", 2, {}),
    ("nest-nl", 5, {"pirates": 8}),
    ("nest-nl", 3, {"pirates": 1, "actions": 5}),
    *(("tortuga-en", 2 + pieces % 4, {"pieces": pieces, "pirates": 9 - pieces}) for pieces in range(1, 7)),
    *(("jamaica-sv", 5, {"pieces": pieces, "style": "random", "pirates": 8}) for pieces in (7, 8)),
)


def played(rules: str, seats: int, sizes: dict[str, Any], moves: int) -> Position:
    """The position after a number of random moves, always the same ones."""
    chooser = random.Random(f"{rules} {seats} {sizes} {moves}")
    game = Game.new(rules, seats=seats, seed=7, **sizes)
    while not game.is_over and len(game.moves) < moves:
        game.play(chooser.choice(list(game.legal_moves)))
    return game.position


@cache
def positions() -> tuple[Position, ...]:
    """Every table at its opening, early and late, some of them as views, and the examples."""
    whole = [played(*table, moves) for table in TABLES for moves in (0, 25, 120)]
    whole += [Position.parse(text) for text in EXAMPLES]
    views = [position.view(number % (position.seats + 1)) for number, position in enumerate(whole)]
    return tuple(whole + views)
