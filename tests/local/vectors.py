"""Whole games at a server's table, for ``web/tests/local.test.ts``: python -m tests.local.vectors

Both sides test the committed file ``vectors.json``; this writes it anew. A step is what was done and a short hash of
what the device and a spectator are told after it. ``--show GAME STEP`` prints what was hashed.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cartagena.game import Move
from cartagena.game.options import options
from cartagena.server.protocol.requests import TableSetup
from cartagena.server.storage.rows import Key
from cartagena.server.tables import decide
from cartagena.server.tables.clocks import Moment
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Dealt, Salted, Undone
from cartagena.server.tables.state import Table
from cartagena.server.tables.tokens import SPECTATOR, Requester
from cartagena.server.tables.updates import UpdateBuilder, looking_seat

PATH: Final = Path(__file__).parent / "vectors.json"
GAMES: Final = ("jamaica-en", "tortuga-de", "hispaniola-sv+pass", "nest-nl")
CREATED: Final = 1_790_000_000_000
STAND_IN: Final = "deckhand"
MOST: Final = (220, 60)
"""Steps after which the device resigns: in most games, and in every fifth."""
HERE: Final = {"kind": "here", "name": "Ann"}
OTHER: Final = {"kind": "here", "name": "Ben"}
COMPUTER: Final = {"kind": "computer", "level": "sailor"}


def set_up(number: int, rules: str, seats: int) -> TableSetup:
    """The set-up of a game: every option is on at some table and off at another."""
    players = [HERE, OTHER if number % 2 else COMPUTER, COMPUTER, OTHER, COMPUTER][:seats]
    nest = rules.startswith("nest")
    sizes = {"deal": 9 if number > 5 else None} if nest else {"pieces": 3, "deal": 4 if number % 4 == 2 else None}
    form = 1 + number // 3 % 2
    bank, turn = {"kind": "bank", "seconds": 60, "increment": 2}, {"kind": "turn", "seconds": 30}
    clocks = [{"kind": "none"}, {**bank, "form": form}, {**turn, "form": form}]
    return TableSetup.model_validate(
        {
            "rules": rules,
            "seats": players,
            "pirates": 2,
            "style": "random" if number % 5 == 4 else "printed",
            "clock": clocks[number % 3],
            "lots": number % 2 == 0,
            "talk": False,
            "salts": 0,
            "promise": 2 + number % 2,
            **sizes,
        }
    )


class Recorded:
    """A table of the server with one device, and what was done there."""

    def __init__(self, number: int, setup: TableSetup) -> None:
        secret = hashlib.sha256(f"secret {number}".encode()).hexdigest()
        self.salt = f"salt{number}"
        self.ms = 700 if setup.clock.kind != "none" else 0
        here = tuple(chair for chair, seat in enumerate(setup.seats, 1) if seat.kind == "here")
        self.key = Key(1, "seat", "", here, host=True)
        self.table = Table(f"local-{number:04d}", CREATED, setup, secret, [self.key])
        self.builder = UpdateBuilder(self.table)
        self.builder.online = frozenset(range(1, len(setup.seats) + 1))
        self.seen = 0
        self.change(Change().add(self.table, self.now, Salted(list(here), self.salt)))
        self.change(Change().add(self.table, self.now, Dealt.drawn(self.table)))

    @property
    def now(self) -> Moment:
        return Moment(CREATED + self.table.seq + 1, self.ms)

    @property
    def who(self) -> Requester:
        return self.table.holder(self.key)

    def change(self, change: Change) -> None:
        for event in change.events:
            event.at = CREATED + event.number
            self.table.apply(event)

    def do(self, what: str) -> None:
        """Carry out one step."""
        table, who = self.table, self.who
        self.seen = table.seq
        match what:
            case "undo":
                assert table.position is not None
                change = Change().add(table, self.now, Undone(table.position.active, ms=self.thought))
            case "leave":
                change = decide.leave_by_choice(table, who, None, self.now, STAND_IN)
            case "back":
                change = decide.come_back(table, who, None, self.now)
            case "resign":
                change = decide.resign(table, who, None, self.now, STAND_IN)
            case _:
                change = decide.play_for(table, Move(what), self.now)
        self.change(change)

    @property
    def thought(self) -> int:
        return self.table.thinking(self.now.steady)

    def told(self) -> list[Any]:
        """What the device and a spectator are told since the step before."""
        looks = [(self.who, looking_seat(self.table, self.who)), (SPECTATOR, 0)]
        return [json.loads(self.builder.update(who, seat, self.seen, 0)) for who, seat in looks]

    @property
    def digest(self) -> str:
        text = json.dumps(self.told(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:10]


def wishes(game: Recorded, chance: random.Random, most: int) -> Iterator[str]:
    """What is done at a table, step by step, until the game is over."""
    table = game.table
    for count in range(most):
        if table.stage == "over" or table.position is None:
            return
        active = table.position.active
        if chance.random() < 0.15 and active in game.who.seats and table.undo_block(active) is None:
            yield "undo"
        elif count % 23 == 11 and any(not table.chair(seat).by_computer for seat in game.who.seats):
            yield "leave"
        elif count % 23 == 14 and any(table.chair(seat).away for seat in game.who.seats):
            yield "back"
        else:
            yield choice(table, chance)
    while table.stage != "over":
        yield "resign" if any(not table.chair(seat).resigned for seat in game.who.seats) else choice(table, chance)


def choice(table: Table, chance: random.Random) -> str:
    """A legal move, most often one that brings a pirate home or forward."""
    assert table.position is not None
    found = options(table.position)
    forward = [each for each in found if each.move.kind == "advance" and each.to not in ("", "s")]
    if forward and chance.random() < 0.7:
        return str(max(forward, key=lambda each: (each.to in ("b", "n"), len(each.to), each.to)).move)
    return str(chance.choice(found).move)


def record(number: int, rules: str, seats: int) -> dict[str, Any]:
    """One game as the file holds it."""
    setup = set_up(number, rules, seats)
    game, chance = Recorded(number, setup), random.Random(number)
    table, steps = game.table, [f"deal {game.digest}"]
    for what in wishes(game, chance, MOST[number % 5 == 4]):
        game.do(what)
        steps.append(f"{what} {game.digest}")
    about = {"id": table.id, "created": CREATED, "secret": table.secret, "salt": game.salt, "ms": game.ms}
    deal = {"opening": str(table.opening), "order": table.order}
    return {**about, **deal, "setup": setup.model_dump(mode="json"), "steps": steps}


def cases() -> list[tuple[int, str, int]]:
    tables = [(rules, seats) for seats in (2, 3, 4, 5) for rules in GAMES]
    return [(number, rules, seats) for number, (rules, seats) in enumerate(tables)]


def again(told: dict[str, Any], number: int) -> Iterator[Recorded]:
    """The same game at a new table, step by step."""
    game = Recorded(number, TableSetup.model_validate(told["setup"]))
    yield game
    for step in told["steps"][1:]:
        game.do(step.split()[0])
        yield game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", nargs=2, type=int, metavar=("GAME", "STEP"))
    wanted = parser.parse_args().show
    if wanted is None:
        games = [record(*case) for case in cases()]
        PATH.write_text("[\n" + ",\n".join(json.dumps(game, separators=(",", ":")) for game in games) + "\n]\n")
        return
    number, step = wanted
    told = json.loads(PATH.read_text())[number]
    for count, game in enumerate(again(told, number)):
        if count == step:
            print(json.dumps(game.told(), indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
