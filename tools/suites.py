"""Deal the suites of openings that ship. Results are comparable as long as the suites do not change."""

from pathlib import Path

from cartagena import Game

FOLDER = Path(__file__).parent.parent / "src/cartagena/arena/data/suites"
OPENINGS = 24


def main() -> None:
    """Write a file for each game and number of seats."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for rules in ("jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl"):
        for seats in (2, 3, 4):
            deals = [Game.new(rules, seats=seats, seed=f"suite-{rules}-{seats}-{n}").position for n in range(OPENINGS)]
            text = "".join(f"{position}\n" for position in deals)
            (FOLDER / f"{rules}-{seats}.txt").write_text(f"# {rules}, {seats} seats\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
