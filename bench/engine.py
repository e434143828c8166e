"""How many requests a second ``cartagena engine`` answers, through pipes as another program would ask.

    .venv/bin/python bench/engine.py

Target: more than 5,000 answers a second to ``legal`` and to ``apply`` on one core that is not shared.
"""

import json
import random
import resource
import subprocess
import sys
import time

from cartagena import Game
from cartagena.rulesets import names

ENGINE = [sys.executable, "-c", "from cartagena.cli import main; main()", "engine"]


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


def worked() -> float:
    """The processor time of all engines that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(requests: list[dict[str, object]]) -> str:
    """Answers a second, start-up not counted; and a second of processor time, start-up counted."""
    before = worked()
    lines = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(b'{"cmd":"hello"}\n')
        engine.stdin.flush()
        engine.stdout.readline()
        start = time.perf_counter()
        answers = engine.communicate(lines)[0].splitlines()
        seconds = time.perf_counter() - start
    assert len(answers) == len(requests)
    assert not any(b'"error"' in answer for answer in answers)
    rate, own = len(requests) / seconds, len(requests) / (worked() - before)
    return f"{rate:8.0f} answers a second, {own:8.0f} a second of processor time"


def main() -> None:
    asked = positions(80)
    print(f"{len(asked)} positions of random games")
    legal: list[dict[str, object]] = [{"cmd": "legal", "position": position} for position, _ in asked]
    apply: list[dict[str, object]] = [
        {"cmd": "apply", "position": position, "moves": [move]} for position, move in asked
    ]
    print(f"legal  {measure(legal)}")
    print(f"apply  {measure(apply)}")


if __name__ == "__main__":
    main()
