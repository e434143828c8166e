"""Random and damaged text raises only CartagenaError, in short sentences, and nothing hangs."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.referee.positions import random_position

from cartagena import CartagenaError, Game, Move, Position, Record, RuleSetError
from cartagena.rulesets import by_name, from_toml

ROUNDS = 1500
SIGNS = " /|,.:;-+=?!<@#[]{}()\"'\\\n\t\x000123456789BDHKPSCGMTsbnrcpe\u00e9\ud800\U0001f3f4"
TOML = (
    'base = "jamaica-en+pass"\npieces = 4\npirates = 3\ndeal = 5\nactions = 2\ncards = 9\nseats = 3\nstyle = "random"\n'
)
FUZZ = settings(max_examples=300)
SEED = os.environ.get("CARTAGENA_FUZZ", "")
"""Another seed in every round of ``make fuzz``."""


def damaged(text: str, rng: random.Random) -> str:
    """The text with a few small changes."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        length = rng.choice([0, 0, 1, 1, 2, 10])
        match rng.randrange(4):
            case 0:
                text = text[:at] + text[at + length :]
            case 1:
                text = text[:at] + rng.choice(SIGNS) + text[at + length :]
            case 2:
                text = text[:at] + text[at : at + 12] * rng.choice([2, 3, 40]) + text[at:]
            case _:
                other = rng.randrange(len(text) + 1)
                text = text[:at] + text[other : other + 8] + text[at:]
    return text


def record_text(rng: random.Random) -> str:
    game = Game.new("nest-nl" if rng.random() < 0.5 else "tortuga-sv", seats=2, seed=rng.randrange(50), pirates=2)
    for _ in range(12):
        game.play(rng.choice(list(game.legal_moves)))
    record = game.record()
    return str(record) if rng.random() < 0.5 else json.dumps(record.to_json())


def sane(call: Callable[[str], object], text: str) -> bool:
    """Whether the text was read. Fails on any error but CartagenaError, and on a long or broken sentence."""
    try:
        call(text)
    except (CartagenaError, RuleSetError) as error:
        message = str(error)
        if not message or "\n" in message or len(message) > 500:
            pytest.fail(f"{message!r} for {text!r}")
        return False
    return True


PARSERS: dict[str, tuple[Callable[[str], object], Callable[[random.Random], str]]] = {
    "position": (Position.parse, random_position),
    "move": (Move.parse, lambda rng: rng.choice(["17:B", "18<", "3@14", "sail", "drop:D!", "end", "+D", "b:C!"])),
    "record": (Record.parse, record_text),
    "rule set": (by_name, lambda rng: random_position(rng).split(" ")[0]),
    "toml": (from_toml, lambda _: TOML),
}


@pytest.mark.parametrize("kind", PARSERS)
def test_damaged_text_is_read_or_refused_in_one_sentence(kind: str) -> None:
    parse, make = PARSERS[kind]
    rng = random.Random(f"fuzz {kind}{SEED}")
    rounds = ROUNDS // 5 if kind == "record" else ROUNDS
    read = sum(sane(parse, damaged(make(rng), rng)) for _ in range(rounds))
    assert 0 < read < rounds, "some damage does no harm, and some does"


@pytest.mark.parametrize("kind", PARSERS)
def test_a_text_that_is_read_is_written_so_that_it_reads_the_same(kind: str) -> None:
    if kind in ("toml", "rule set"):
        assert by_name(from_toml(TOML).name).name == from_toml(TOML).name
        return
    parse, make = PARSERS[kind]
    rng = random.Random(f"again {kind}{SEED}")
    for _ in range(150):
        text = damaged(make(rng), rng)
        if sane(parse, text):
            value = parse(text)
            assert parse(str(value)) == value


@pytest.mark.parametrize("kind", PARSERS)
@FUZZ
@given(text=st.text(max_size=200))
def test_any_text_at_all_is_answered(kind: str, text: str) -> None:
    sane(PARSERS[kind][0], text)


@FUZZ
@given(
    st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8), st.lists, max_leaves=8)
)
def test_any_json_in_the_place_of_a_part_is_answered(part: object) -> None:
    opening = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"
    for data in (
        part,
        {"opening": part},
        {"opening": opening, "tags": part},
        {"opening": opening, "tags": {"A": part}},
        {"opening": opening, "moves": part},
        {"opening": opening, "moves": [part]},
        {"opening": opening, "moves": [{"move": part}]},
        {"opening": opening, "moves": [{"move": "s:B", "comment": part}]},
        {"opening": opening, "moves": [{"move": "s:B", "eval": part}]},
    ):
        sane(lambda text: Record.from_json(json.loads(text)), json.dumps(data))


@FUZZ
@given(st.sampled_from(["base", "pieces", "islands", "pirates", "deal", "pass", "style"]), st.text(max_size=30))
def test_any_value_of_a_key_is_answered(key: str, value: str) -> None:
    sane(from_toml, f'base = "jamaica-en"\n{key} = {value}')
    sane(from_toml, f'base = "nest-nl"\n{key} = {json.dumps(value)}')


@pytest.mark.parametrize("kind", PARSERS)
@pytest.mark.parametrize("sign", list("B9/,|?!+-[{\\ ="))
def test_a_million_characters_are_answered(kind: str, sign: str) -> None:
    parse, make = PARSERS[kind]
    text = make(random.Random(1))
    for long in (sign * 1_000_000, text + sign * 1_000_000, text.replace(" ", sign * 100_000, 3)):
        sane(parse, long)
