"""What the engine's tests in ``web/tests`` check besides the rules: python -m tests.conformance.vectors

Both sides test the committed file ``vectors.json``; this writes it anew.
"""

import json
from pathlib import Path
from typing import Any

from tests.perft.test_perft_files import FILES, rows

from cartagena import Game, Limit, Position, Record
from cartagena.game.fair_deal import Terms, chance_of, commitment, draw_lots, next_card
from cartagena.game.options import options, refusals
from cartagena.game.setup import open_position
from cartagena.players import choose, create
from cartagena.players.ismcts import CAPTAIN, QUARTERMASTER, Searcher
from cartagena.rulesets import by_name, vary

PATH = Path(__file__).parent / "vectors.json"
SEARCHES = [("jamaica-en", 2, CAPTAIN), ("nest-nl", 3, CAPTAIN), ("tortuga-en", 2, QUARTERMASTER)]
LEVELS = [
    ("deckhand", ["jamaica-en", "nest-nl"], 2),
    ("sailor", ["hispaniola-de", "nest-nl"], 3),
    ("gunner", ["tortuga-en", "nest-nl"], 2),
    ("gunner", ["jamaica-en"], 5),
    ("quartermaster", ["hispaniola-en"], 4),
    ("captain", ["tortuga-nl", "nest-nl"], 2),
    ("admiral", ["jamaica-de", "nest-nl"], 2),
    ("admiral", ["tortuga-en"], 3),
]
"""Levels with rule sets and a number of seats."""
SETUPS: list[dict[str, Any]] = [
    {"rules": "jamaica-en", "seats": 2},
    {"rules": "tortuga-de-pass", "seats": 5, "pirates": 3, "deal": 4},
    {"rules": "hispaniola-sv+cards2", "seats": 2, "pieces": 8, "style": "random"},
    {"rules": "nest-nl", "seats": 4, "style": "random"},
    {"rules": "nest-nl-crew", "seats": 3, "pirates": 2, "deal": 0},
    {"rules": "jamaica-nl", "seats": 3, "pieces": 1, "pirates": 1},
]
MISFITS: list[dict[str, Any]] = [
    {"rules": "jamaica-en", "seats": 6},
    {"rules": "jamaica-en", "seats": 2, "pieces": 7},
    {"rules": "nest-nl", "seats": 2, "pieces": 4},
    {"rules": "jamaica-en+cards2", "seats": 5, "deal": 3},
    {"rules": "jamaica-en", "seats": 2, "pirates": 9},
    {"rules": "jamaica-en", "seats": 2, "style": "painted"},
    {"rules": "jamaica-en+crew", "seats": 2},
]
"""Setups that fit no game."""
STAND_OFF = (
    "nest-nl DCGMPST/GPCDMTS|TPMCGSD/PSGDCTM/GPDCMTS "
    "b,n,n,n,n,n/35,n,n,n,n,n -/- - C5C!D8G10M10P6S6S!T12 C9D6D!G4G!M4M!P8P!S8T2T! 1 1.0c"
)
"""The sloop may sail back and forth."""
RECORD = """\ufeff[Event "A \\"quiet\\" \\\\ evening\\nby the sea"]
[Rules "jamaica-en"]

jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0

1. s:B {a jump} {[%eval 0.75,0.25] and more\\} of it} s:B {[%eval 1e-05,1.0]} end
2. s:D {\\[%eval is no number} end
"""
WRONG_RECORDS = [
    "",
    "[Rules jamaica-en]",
    '[Rules "jamaica-en"]',
    '[Rules "tortuga-en"]\n\njamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0',
    '[Result "1"]\n\njamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0',
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0\n\n1. s:H",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0\n\n{first} s:B",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0\n\n1. s:B {open",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0\n\n1. jump",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0\n\n1. s:B {[%eval 1e999]}",
    "{",
    '{"opening": 1}',
    '{"opening": "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0", "moves": {}}',
    '{"opening": "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0", "moves": ["s:B"]}',
    '{"opening": "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0", "tags": {"a b": ""}}',
    '{"opening": "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0", "moves": [{"move": 1}]}',
]
"""Texts that are no record."""
WRONG = [
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - -",
    "jamaica-xx BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0",
    "jamaica-en+crew BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0",
    "jamaica-en BPHSDD s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0",
    "jamaica-en BPHSDK s,s/s,9 B2/DK - B15D16H17K16P17S17 - - 1.0",
    "jamaica-en BPHSDK 2,1/s,s B2/DK - B15D16H17K16P17S17 - - 1.0",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B16D16H17K16P17S17 - - 1.0",
    "jamaica-en BPHSDK s,s/s,s BB/DK - B15D16H17K16P17S17 - - 1.0",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - 1 1.0",
    "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 3.0",
]
"""Texts that are no position."""


def about(text: str) -> dict[str, Any]:
    """What both sides must find in a position."""
    position = Position.parse(text)
    told = options(position)
    return {
        "position": text,
        "turn": position.turn,
        "options": [[str(each.move), each.to] for each in told],
        "after": str(position.play(told[-1].move)) if told else None,
        "refusals": [[str(each.move), each.error.reason] for each in refusals(position)[:6]],
        "view": str(position.view(1)),
    }


def search(rules: str, seats: int, style: Any) -> dict[str, Any]:
    """The visits of a short search."""
    view = Game.new(rules, seats=seats, seed=11).view(1)
    player = Searcher(style, 3)
    player.enter_game(None)
    job = player.search(view, Limit(nodes=400), player.analysing)
    root = job.gather(job.root)
    visits = {str(view.move(action)): root.counts[action] for action in root.ranked()}
    return {"view": str(view), "level": style.name, "nodes": 400, "seed": 3, "visits": visits}


def decision(level: str, rules: str, seats: int) -> dict[str, Any]:
    """What a level answers in the middle of a game, by its seed and the view alone."""
    game = Game.new(rules, seats=seats, seed=7)
    for _ in range(8):
        game.play(game.legal_moves[len(game.legal_moves) // 2])
    view = game.view(game.turn)
    found = choose(create(level, 12345), view, Limit(nodes=240))
    turns = [{"moves": [*map(str, turn.moves)], "value": turn.value, "visits": turn.visits} for turn in found.turns]
    told = {"move": str(found.move), "value": found.value, "why": found.why, "nodes": found.nodes, "turns": turns}
    return {"view": str(view), "level": level, "limits": {"nodes": 240, "seed": 12345, "turns": 10}, "answer": told}


def stand_off(level: str) -> dict[str, Any]:
    """Two players of a level in a game that could go on for ever: every decision of both."""
    game = Game(Position.parse(STAND_OFF), seed=1)
    players = [create(level, 1), create(level, 2)]
    asked: list[list[Any]] = []
    while not game.is_over and len(asked) < 40:
        view = game.view(game.turn)
        move = choose(players[game.turn - 1], view, game="standing").move
        asked.append([game.turn, str(view), str(move)])
        game.play(move)
    return {"level": level, "decisions": asked}


def deal(setup: dict[str, Any]) -> dict[str, Any]:
    """A fair deal: the commitment, the lots, the opening, and a game with the cards that come."""
    secret, salts = f"{setup['rules']}-{setup['seats']}", ["salt", "", "x" * 64, "-_", "5"][: setup["seats"]]
    sizes = (setup.get("pirates"), setup.get("pieces"), setup.get("deal"))
    terms = Terms("k3v9x2m4q8rt", setup["rules"], setup["seats"], setup.get("style", "printed"), sizes, lots=True)
    chance = chance_of(secret, salts)
    entries = {key: value for key, value in setup.items() if key not in ("rules", "seats")}
    rules = by_name(setup["rules"])
    opening = position = open_position(vary(rules, entries, "deal") if entries else rules, setup["seats"], chance)
    moves: list[str] = []
    cards = 0
    while len(moves) < 24 and position.outcome() is None:
        if position.turn:
            moves.append(str(position.legal_moves[-1]))
        else:
            moves.append(str(next_card(position, chance, cards)))
            cards += 1
        position = position.play(moves[-1])
    told = {"commitment": commitment(secret, terms), "lots": draw_lots(chance, setup["seats"])}
    return {"setup": setup, "secret": secret, "salts": salts, **told, "record": str(Record(opening, moves))}


def vectors() -> dict[str, Any]:
    texts = [text for path in FILES for text, _ in rows(path)]
    return {
        "positions": [about(text) for text in texts[::2]],
        "wrong": WRONG,
        "searches": [search(*each) for each in SEARCHES],
        "decisions": [decision(level, each, seats) for level, names, seats in LEVELS for each in names],
        "stand-offs": [stand_off(level) for level in ("sailor", "gunner")],
        "deals": [deal(setup) for setup in SETUPS],
        "misfits": MISFITS,
        "record": [RECORD, str(Record.parse(RECORD)), Record.parse(RECORD).to_json()],
        "wrong records": WRONG_RECORDS,
    }


if __name__ == "__main__":
    groups = [f"{json.dumps(name)}:{json.dumps(each, separators=(',', ':'))}" for name, each in vectors().items()]
    PATH.write_text("{\n" + ",\n".join(groups) + "\n}\n", encoding="utf-8")
