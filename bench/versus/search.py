"""The captain with a fixed number of iterations on fixed positions, one thread: iterations per second."""

from functools import partial
from typing import Final

from bench.versus.readings import Reading, Readings, Task, rate

from cartagena import Position
from cartagena.players import Analyst, Limit, create

NODES: Final = 4000
TUNNEL: Final = "DBKPHS/SPBKDH/BSHDKP/HKPBSD/KDSHPB/PHDSBK"
NEST: Final = "GPDCMTS/TPMCGSD|DCGMPST/STMDCPG/PSGDCTM"
VIEWS: Final = {
    "jamaica, 2 seats": f"jamaica-en {TUNNEL} s,1,2,2,6,18/s,s,1,3,24,24 K/?1 - ?76 B6D7HK4P2S4 - 1.0",
    "tortuga, 2 seats": f"tortuga-en {TUNNEL} 4,4,8,12,14,18/s,s,s,8,13,26 -/PS BSHSB ?66 B6D6H3K2P8S4 - 2.0",
    "hispaniola, 2 seats": f"hispaniola-en {TUNNEL} s,s,s,4,7,16/s,s,1,4,15,17 ?1/H SH ?78 B4D4H2KP3S6 - 2.0",
    "nest, 2 seats": f"nest-nl {NEST} 4,4,7,9,12,12/s,s,s,s,14,b PT/?5 - ?85 CDG2M2PP!S3T2 1 1.0",
    "jamaica, 4 seats": f"jamaica-en {TUNNEL} s,s,3,6,8,13/s,s,s,2,14,25/s,s,5,12,14,23/s,s,8,8,14,21 -/-/H/?3 - ?63 "
    "B8D6H3K4P9S5 - 3.0",
    "nest, 4 seats": f"nest-nl {NEST} s,s,s,4,14,21/s,s,3,6,13,14/s,s,s,8,13,18/3,3,5,6,13,19 ?4/CG2S3T/?4/?4 - ?60 "
    "CC!D3G3M7M!P3P!S2T4 2 2.0",
}
"""Views of the seat to move, from the middle of random games."""


def measure(task: Task) -> Readings:
    """Measure the search on every position."""
    for name, text in VIEWS.items():
        view = Position.parse(text)
        yield name, Reading(rate(partial(think, view), task.seconds), "iterations/s")


def think(view: Position) -> int:
    """Let a new captain search, which knows nothing of the position yet; return the number of iterations."""
    captain = create("captain", 1)
    assert isinstance(captain, Analyst)
    return captain.analyse(view, Limit(nodes=NODES)).nodes
