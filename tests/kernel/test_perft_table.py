"""The two rows of the perft table that any implementation must reproduce."""

import pytest

from cartagena import Position, perft

A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)
B = (
    "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,3,3,b,b,28/5,13,b,18,25,n/3,14,14,b,b,16/s,s,5,28,31,n "
    "C3DM/CGPST/CDMPST/CDGMPST - C4C!D7D!G8G!M6M!P6P!S6S!T6T! C4D4G4M5P5S5T5 1 1.0c"
)


@pytest.mark.parametrize(
    ("text", "counts"), [(A, (16, 248, 3923, 17183)), (B, (20, 345, 6060, 107966))], ids=["A", "B"]
)
def test_the_perft_table_holds(text: str, counts: tuple[int, ...]) -> None:
    position = Position.parse(text)
    assert tuple(perft(position, depth) for depth in (1, 2, 3, 4)) == counts
