"""Run the recipes one after the other and write their scores to bench/results/recipes.md: ``make recipes``.

Names of recipes as arguments run only these; the others keep their lines. Before them the loader of docs/datasets.md is
run on a small dataset.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RESULT = ROOT / "bench" / "results" / "recipes.md"
LOADER = re.compile(r"For PyTorch, five lines:\n\n```\n((?:.+\n){5})```")
RECIPES = ("pytorch_ppo", "sb3_maskable_ppo", "rllib_ppo")
HEAD = """# Recipes

`make recipes`; every recipe of `examples/recipes` learns jamaica-en with 3 pirates and 3 pieces for two seats from
nothing. Its score is the share of games that it then wins against `deckhand`, half of them from each seat. A recipe
fails below what it promises. The promises were set after these runs, a little below the scores of one seed; the seconds
were measured on a busy machine.

| recipe | steps | score | promised | games | seconds | machine | date |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def check_loader():
    """Run the five lines of docs/datasets.md, which must load what the dataset holds."""
    import pyarrow.dataset
    import torch

    lines = LOADER.search((ROOT / "docs" / "datasets.md").read_text(encoding="utf-8"))[1]
    words = ["dataset", "--games", "4", "--shard", "2", "--columns", "observation", "games"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([sys.executable, "-m", "cartagena", *words], check=True)
        names = {"pyarrow": pyarrow, "torch": torch}
        exec(lines, names)
        seen, action = next(iter(names["loader"]))
        rows = pyarrow.dataset.dataset("games").count_rows()
        os.chdir(ROOT)
    assert (len(names["pairs"]), tuple(seen.shape), tuple(action.shape)) == (rows, (256, 832), (256,))
    print(f"The loader of docs/datasets.md has read {rows} rows.", flush=True)


def line_of(name, found, seconds):
    """A row of the table."""
    cells = (name, f"{found['steps']:,d}", f"{found['score']:.1%}", f"{found['promised']:.0%}", found["games"])
    whole = (*cells, round(seconds), platform.machine(), time.strftime("%Y-%m-%d"))
    return f"| {' | '.join(str(cell) for cell in whole)} |"


def run(name):
    """Run one recipe. Returns its line, or None if it did not reach its score."""
    before = time.time()
    done = subprocess.run([sys.executable, HERE / f"{name}.py"], stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(done.stdout)
    if done.returncode != 0:
        return None
    return line_of(name, json.loads(done.stdout.splitlines()[-1]), time.time() - before)


def main():
    wanted = sys.argv[1:] or RECIPES
    if unknown := [name for name in wanted if name not in RECIPES]:
        sys.exit(f"{unknown[0]} is not a recipe; there are {', '.join(RECIPES)}.")
    old = RESULT.read_text(encoding="utf-8").splitlines() if RESULT.exists() else []
    lines = {name: line for name in RECIPES for line in old if line.startswith(f"| {name} |")}
    check_loader()
    failed = []
    for name in wanted:
        line = run(name)
        if line is None:
            failed.append(name)
        else:
            lines[name] = line
    RESULT.write_text(HEAD + "".join(f"{lines[name]}\n" for name in RECIPES if name in lines), encoding="utf-8")
    if failed:
        sys.exit(f"not reached: {', '.join(failed)}")


if __name__ == "__main__":
    main()
