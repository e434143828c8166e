"""What ``web/tests/engine.test.ts`` checks of positions, moves, views and searches: python -m tests.conformance.vectors

Both sides test the committed file ``vectors.json``; this writes it anew.
"""

import json
from pathlib import Path
from typing import Any

from tests.perft.test_perft_files import FILES, rows

from cartagena import Game, Limit, Position
from cartagena.game.options import options, refusals
from cartagena.players.ismcts import CAPTAIN, QUARTERMASTER, Searcher

PATH = Path(__file__).parent / "vectors.json"
SEARCHES = [("jamaica-en", 2, CAPTAIN), ("nest-nl", 3, CAPTAIN), ("tortuga-en", 2, QUARTERMASTER)]
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


def vectors() -> dict[str, Any]:
    texts = [text for path in FILES for text, _ in rows(path)]
    return {
        "positions": [about(text) for text in texts[::2]],
        "wrong": WRONG,
        "searches": [search(*each) for each in SEARCHES],
    }


if __name__ == "__main__":
    PATH.write_text(json.dumps(vectors(), indent=0) + "\n", encoding="utf-8")
