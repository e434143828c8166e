"""Matches from Python: let players play each other and read the score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.backends.arguments import checked_number
from cartagena.errors import PlayerError, shown
from cartagena.game.plurals import counted
from cartagena.players import register
from cartagena.players.registry import name_of
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet

from .contest import Contest, run
from .fixture import Result
from .ratings import Adjusted, Rating, Sequential, Share, adjusted_share, ratings, share_of
from .report import text

MOST_PROCESSES: Final = 10_000


@dataclass(frozen=True)
class Match:
    """A match that was played. ``str(match)`` gives the tables that ``cartagena arena`` prints.

    >>> from cartagena.arena import play_match
    >>> match = play_match(["sailor", "random"], "nest-nl", games=2)
    >>> sorted(rating.label for rating in match.ratings())
    ['random', 'sailor']
    """

    contest: Contest
    results: Sequence[Result]

    def share(self, player: str) -> Share:
        """The player's share of the decided games, with its 95 % interval."""
        self._check_played(player)
        return share_of(self.results, player)

    def adjusted(self, player: str) -> Adjusted:
        """The same share without the luck of the cards, with its 95 % interval."""
        self._check_played(player)
        return adjusted_share(self.results, player)

    def _check_played(self, player: object) -> None:
        played = sorted({label for result in self.results for label in result.seats})
        if not isinstance(player, str) or player not in played:
            raise PlayerError(f"{shown(player)} did not play; the players are {', '.join(played)}")

    def ratings(self) -> list[Rating]:
        """The Elo ratings of all players, best first."""
        return ratings(self.results)

    def __repr__(self) -> str:
        games, rules = counted(len(self.results), "game"), self.contest.content
        return f"<Match of {', '.join(self.contest.players)}: {games} of {rules.variant or rules.name}>"

    def __str__(self) -> str:
        return text(self.contest, self.results)


def known_as(player: str | object) -> str:
    """The name of a player. One of your own is registered under it."""
    if isinstance(player, str):
        return player
    name = name_of(player)
    register(name, player)
    return name


def play_match(
    players: Sequence[str | object],
    rules: str | RuleSet = "jamaica-en",
    *,
    seats: int | None = None,
    games: int = 100,
    seed: str = "1",
    stop: Sequential | None = None,
    processes: int = 1,
) -> Match:
    """Let players play each other: every deal is played once from each seat, and neighbours change.

    Args:
        players: names of the registry, perhaps with a limit each, such as ``captain@0.1s`` or ``captain@5000n``;
            ``cmd:PROGRAM`` is an external program. A class or an object is registered under its name first.
        rules: a rule set, its name or its file.
        seats: how many seats play, by default what the rule set says, or 2.
        games: rounded up to whole rounds of the seating (see ``Contest``).
        stop: end the match as soon as this test of the first player's share is decided.
        processes: games played at a time. With more than one, guard your script with ``if __name__ == "__main__"``.

    >>> from cartagena.arena import play_match
    >>> match = play_match(["sailor", "deckhand"], "tortuga-en", games=4, seed="example")
    >>> len(match.results), match.share("sailor").mean > 0.5
    (4, True)
    """
    if isinstance(players, str | bytes | bytearray) or not isinstance(players, Sequence):
        raise PlayerError(f"name the players of a match as a list, not as {shown(players)}")
    chosen = 0 if seats is None else checked_number("seats", seats, MIN_SEATS, MAX_SEATS, PlayerError)
    processes = checked_number("processes", processes, 1, MOST_PROCESSES, PlayerError)
    contest = Contest(tuple(map(known_as, players)), rules, chosen, games, seed, stop=stop)
    return Match(contest, run(contest, processes=processes))
