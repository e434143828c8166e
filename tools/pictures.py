"""Draw the pictures of the documents; ``--check`` only lists stale ones."""

import sys
from pathlib import Path

from cartagena.game import Position

FOLDER = Path(__file__).parent.parent / "docs" / "images"
POSITIONS = {
    "tortuga.svg": "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS"
    " s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0",
    "nest.svg": "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM"
    " s,3,3,b,b,28/5,13,b,18,25,n/3,14,14,b,b,16/s,s,5,28,31,n"
    " C3DM/CGPST/CDMPST/CDGMPST - C4C!D7D!G8G!M6M!P6P!S6S!T6T! C4D4G4M5P5S5T5 1 1.0c",
}


def stale() -> list[str]:
    """Names of the pictures that are missing or out of date."""
    return [
        name
        for name, text in POSITIONS.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text("utf-8") != Position.parse(text).svg()
    ]


def main() -> int:
    """Draw the stale pictures, or list them."""
    names = stale()
    if "--check" in sys.argv[1:]:
        for name in names:
            sys.stderr.write(f"docs/images/{name} is not current: run python tools/pictures.py\n")
        return 1 if names else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        (FOLDER / name).write_text(Position.parse(POSITIONS[name]).svg(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
