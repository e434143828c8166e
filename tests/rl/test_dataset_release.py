"""The data set of a release: one archive with games of every level, their card and their checksums."""

import hashlib
import tarfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tools.dataset_release import PAIRS, make

from cartagena import CartagenaError
from cartagena.players import LEVELS

ONE = {"jamaica": "jamaica-en"}


@pytest.mark.usefixtures("compiled_code")
def test_the_archive_has_games_of_every_level_with_card_and_checksums(tmp_path: Path) -> None:
    archive = make(tmp_path / "games", 1, 1, ONE)
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "read", filter="data")
    folder = tmp_path / "read" / "games"
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = sorted((folder / "data").iterdir())
    assert sums == {f"data/{file.name}": hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    tables = [pq.read_table(file) for file in files]
    assert {name for table in tables for name in table["player"].to_pylist()} == set(LEVELS)
    card = (folder / "README.md").read_text()
    assert f"{len(PAIRS)} games, {sum(table.num_rows for table in tables):,} choices." in card
    assert "](" not in card, "links of the documentation lead nowhere here"
    before = archive.read_bytes()
    assert make(tmp_path / "games", 1, 1, ONE).read_bytes() == before
    with pytest.raises(
        CartagenaError, match=r"jamaica-sailor-sailor\.parquet is of another version or has other games"
    ):
        make(tmp_path / "games", 400, 1, ONE)
