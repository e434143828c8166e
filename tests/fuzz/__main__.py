"""Run the property tests with fresh random examples for some minutes: ``python -m tests.fuzz --minutes 10``.

``make test`` runs the same tests with the same examples each time. Here every round draws others, and the first failure
ends the run. Its report shows the example, which then belongs into the test for good: as ``@example(...)`` above the
property, or as a case of its own.
"""

import argparse
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SEED = "CARTAGENA_FUZZ"
"""The environment variable with the seed of a round; without it the examples are always the same."""
ADVICE = """
Found in round {number} with the seed {seed}. Repeat it:
    {variable}={seed} .venv/bin/pytest {files} --hypothesis-seed={seed}
Add the falsifying example above to its test, as @example(...) or as a case of its own, and mend what it shows.
"""


def property_files() -> list[str]:
    """The files with properties that draw their examples."""
    found = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if "@given" in path.read_text("utf-8")]
    return [path.relative_to(ROOT).as_posix() for path in found]


def run_round(files: list[str], seed: int) -> int:
    """Run every property once with the examples of a seed. Returns pytest's status."""
    words = ["-q", "-x", "-n", str(os.cpu_count() or 2), f"--hypothesis-seed={seed}", "-p", "no:cacheprovider", *files]
    command = [sys.executable, "-m", "pytest", *words]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {SEED: str(seed)}, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the property tests with fresh random examples.")
    parser.add_argument("--minutes", type=float, default=10.0, help="begin no round after so many minutes")
    parser.add_argument("files", nargs="*", help="test files (default: all that have properties)")
    given = parser.parse_args()
    files, end, number = given.files or property_files(), time.monotonic() + 60 * given.minutes, 0
    while not number or time.monotonic() < end:
        number, seed = number + 1, secrets.randbelow(2**32)
        if run_round(files, seed):
            print(ADVICE.format(number=number, seed=seed, variable=SEED, files=" ".join(files)))
            return 1
    print(f"{number} rounds of {len(files)} files found nothing.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
