"""Measure how many requests per second ``cartagena engine`` answers, through pipes as other programs ask.

    .venv/bin/python bench/engine.py

Target: more than 5,000 answers per second to ``legal`` and to ``apply`` on one core that is not shared.
"""

import asyncio
import random
import resource
import sys
import time
from typing import Any

from cartagena import Game
from cartagena.players.engine_client import EngineClient
from cartagena.rulesets import names

ENGINE = [sys.executable, "-m", "cartagena", "engine"]


def positions(games: int) -> list[tuple[str, str]]:
    """Positions of random games of every rule set, each with a legal move."""
    found = []
    chooser = random.Random(1)
    for number in range(games):
        rules = names()[number % len(names())]
        position = Game.new(rules, seats=2 + number % 4, seed=number).position
        for _ in range(300):
            if position.is_over:
                break
            move = chooser.choice(position.legal_words())
            found.append((str(position), move))
            position = position.play(move)
    chooser.shuffle(found)
    return found


def processor_time() -> float:
    """The processor time of all engines that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


async def measure(cmd: str, requests: list[dict[str, Any]]) -> str:
    """Answers per second without start-up, and per second of the engine's processor time with it."""
    before = processor_time()
    engine = await EngineClient.start(ENGINE)
    await engine.request("hello")
    start = time.perf_counter()
    answers = await asyncio.gather(*(engine.request(cmd, **fields) for fields in requests))
    seconds = time.perf_counter() - start
    await engine.close()
    assert not any("error" in answer for answer in answers)
    rate, own = len(requests) / seconds, len(requests) / (processor_time() - before)
    return f"{cmd:6} {rate:8.0f} answers per second, {own:8.0f} per second of processor time"


def main() -> None:
    asked = positions(80)
    print(f"{len(asked)} positions of random games")
    print(asyncio.run(measure("legal", [{"position": position} for position, _ in asked])))
    print(asyncio.run(measure("apply", [{"position": position, "moves": [move]} for position, move in asked])))


if __name__ == "__main__":
    main()
