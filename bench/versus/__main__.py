"""Compare the speed of an old checkout with that of a new one, in turns: ``python -m bench.versus --old DIR``.

Run it from the root of the checkout that holds it. The exit status is 1 if a benchmark is worse, 2 if one could not be
measured. Every checkout needs its browser table built (``make web``) for the groups web and soak.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from bench.versus.measure import GROUPS, WITH_SERVER
from bench.versus.readings import Reading, Task
from bench.versus.report import ENOUGH, Run, compare_all, page
from bench.versus.turns import Worker, in_turns

HERE: Final = Path(__file__).resolve().parents[2]
ONE_THREAD: Final = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def say(*parts: object) -> None:
    """Tell how far it is."""
    print(*parts, file=sys.stderr, flush=True)


class Bench:
    """Both checkouts, and everything that is measured of them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.sides: dict[str, Path] = {"old": options.old.resolve(), "new": options.new.resolve()}
        own = self.sides["new"] / ".venv" / "bin" / "python"
        self.python = str(own) if own.exists() else sys.executable
        self.options = options
        self.problems: list[str] = []

    def environment(self, sources: Path) -> dict[str, str]:
        """Return the environment in which Python finds that checkout's package."""
        return {**os.environ, **ONE_THREAD, "PYTHONPATH": str(sources / "src")}

    def check(self) -> None:
        """Raise SystemExit if a side's own package is not the one that would be measured."""
        for side, folder in self.sides.items():
            command = [self.python, "-c", "import cartagena; print(cartagena.__file__)"]
            found = subprocess.run(command, env=self.environment(folder), capture_output=True, text=True, check=False)
            if not found.stdout.startswith(str(folder / "src")):
                raise SystemExit(f"{side}: the package of {folder} cannot be loaded. {found.stderr.strip()[-500:]}")

    def worker(self, group: str, task: Task) -> Worker:
        """Start a process for one group of one side; a client of a server always runs with the code here."""
        command = [self.python, "-m", "bench.versus.measure", group, "--side", str(task.side)]
        command += ["--seconds", str(task.seconds), "--soak-seconds", str(task.soak_seconds)]
        return Worker(command, HERE, self.environment(HERE if group in WITH_SERVER else task.side))

    def note(self, problem: str) -> None:
        """Keep a problem for the report, without the places of this machine."""
        for side, folder in self.sides.items():
            problem = problem.replace(str(folder), side.upper())
        self.problems.append(" ".join(problem.replace(str(HERE), "HERE").split())[:300])
        say(self.problems[-1])

    def measure(self, group: str, order: tuple[str, str], scale: float) -> Run:
        """Measure one group of both sides in turns; everything takes ``scale`` of the usual time."""
        began = time.monotonic()
        seconds, soak_seconds = scale * self.options.seconds, scale * self.options.soak_seconds
        workers = [self.worker(group, Task(self.sides[side], seconds, soak_seconds)) for side in order]
        run: Run = {}
        for side, answer in zip(order, in_turns(workers), strict=True):
            run[side] = {f"{group}: {name}": Reading(*value) for name, value in answer["readings"].items()}
            if answer["error"]:
                self.note(f"{group}, {side}: {answer['error']}")
        say(f"  {group} {time.monotonic() - began:.1f} s")
        return run

    def run(self) -> list[Run]:
        """Measure all pairs after one that is thrown away; which side comes first changes from pair to pair."""
        runs: list[Run] = []
        for number in range(self.options.pairs + 1):
            say(f"pair {number} of {self.options.pairs}" if number else "warming up")
            order = ("old", "new") if number % 2 else ("new", "old")
            run: Run = {"old": {}, "new": {}}
            for group in self.options.only:
                for side, readings in self.measure(group, order, 1.0 if number else 0.2).items():
                    run[side] |= readings
            runs += [run] if number else []
        return runs


def commit(folder: Path) -> str:
    """Name the commit of a checkout, and say if files were changed since."""
    git = ["git", "-C", str(folder)]
    found = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False)
    return (found.stdout.strip() or "unknown") + (" with changes" if changed.stdout.strip() else "")


def facts(options: argparse.Namespace) -> dict[str, Any]:
    """Say what was measured, how and where, without names or places of this machine."""
    command = f"python -m bench.versus --old OLD --new NEW --pairs {options.pairs} --only {','.join(options.only)}"
    command += f" --seconds {options.seconds:g} --soak-seconds {options.soak_seconds:g}"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "command": command,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"{platform.machine()}, {cores} cores, {platform.system()}",
        "load before": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "old": commit(options.old),
        "new": commit(options.new),
        "pairs": f"{options.pairs}" + (" (a trial: too few for a result)" if options.pairs < ENOUGH else ""),
    }


def groups(text: str) -> list[str]:
    """Read names of groups with commas between."""
    names = text.split(",")
    if unknown := set(names) - set(GROUPS):
        raise argparse.ArgumentTypeError(f"there is no group {', '.join(sorted(unknown))}")
    return [name for name in GROUPS if name in names]


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.versus", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--old", type=Path, required=True, help="the checkout to compare with")
    parser.add_argument("--new", type=Path, default=HERE, help="the checkout that is judged (default: this one)")
    parser.add_argument("--pairs", type=int, default=ENOUGH, help=f"measurements of each (at least {ENOUGH} count)")
    parser.add_argument("--only", type=groups, default=list(GROUPS), help=f"some of {','.join(GROUPS)}")
    parser.add_argument("--seconds", type=float, default=0.4, help="length of a measurement")
    parser.add_argument("--soak-seconds", type=float, default=5.0, help="length of a trial of the server")
    parser.add_argument("--out", type=Path, default=HERE / "bench" / "results" / "versus.md", help="the page to write")
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error("there must be at least one pair")
    return options


def main() -> int:
    """Measure and write the page, and the numbers beside it."""
    options = read_options()
    bench = Bench(options)
    bench.check()
    about = facts(options)
    runs = bench.run()
    found = compare_all(runs)
    rows = [{**asdict(item), "verdict": item.verdict} for item in found]
    kept = {**about, "results": rows, "problems": bench.problems, "runs": runs}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.with_suffix(".json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    text = page(about, found, bench.problems)
    options.out.write_text(text, encoding="utf-8")
    print(text)
    if any(item.verdict == "worse" for item in found):
        return 1
    return 2 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())
