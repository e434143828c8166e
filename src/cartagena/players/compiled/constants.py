"""The constants of the search, each with its effect.

What a player's strength depends on most (exploration, heat, trust, mix and the limits) is its ``Style`` in
``players.ismcts``; the weights of the evaluation are data (``players.weights``).
"""

from typing import Final

# --- one search
CHUNK: Final = 16
"""Iterations between two readings of the clock. More would overrun short limits, fewer would cost speed."""
SETTLED: Final = 8
"""Chunks between two checks whether the result is proved, which ends the search early."""
MARGIN: Final = 0.004
"""Seconds of the time limit that are left for gathering the result."""
FRESH: Final = 4
"""One wanted node in this many is searched anew even where the tree knows the view well."""
MOST_LINES: Final = 5
"""The most turns that an analysis lists."""
MOST_MOVES: Final = 12
"""The most moves of one turn that an analysis lists."""

# --- the tree
LEAST_NODES: Final = 2048
"""The fewest nodes that a tree can hold."""
MOST_NODES: Final = 1 << 18
"""The most nodes that all trees of a search together can hold."""
MOST_TREES: Final = 4
"""The most trees that are searched side by side where time alone limits a search."""
ROOM_FACTOR: Final = 3
"""A tree can hold this multiple of the nodes that a limit can bring, so that most of a turn fits."""
NODES_A_SECOND: Final = 150_000
"""Nodes that a tree can hold for each second of a time limit. A fast core searches about as many."""
EDGES: Final = 24
"""Moves of a node that a tree has space for, on average."""
MAX_DEPTH: Final = 96
"""The longest path of one iteration; below it the position is evaluated."""

# --- playouts
PLAYOUT_MOVES: Final = 400
"""Moves after which a playout ends without a winner."""
LOOKS: Final = 3
"""Cards compared before one is played, where more than two play."""
LEAD: Final = 6
"""Weight of a rival's progress against pushing it one field further, in sixteenths of a field."""
IDLE: Final = 24
"""Moves in a row that only sail or end a turn after which a game is stuck: more than two rounds of five seats."""

# --- whole turns (the gunner, and self-play for tuning)
STATES: Final = 6000
"""Positions within a turn that are kept; a turn of three actions has fewer."""
SLOTS: Final = 1 << 14
"""Size of the hash table of these positions, a power of two above twice their number."""

# --- self-play for tuning
MOST: Final = 1500
"""Moves and deals after which a game is broken off."""
HEATED: Final = 16
"""Where whole turns are played, one decision in this many is drawn by heat, so that games differ and end."""
