"""Many games side by side: what the loops of every backend do to one of them. ``episode`` says what a step does."""

from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.reasons import LEGAL, reason
from ...kernel.view import view
from .episode import IDLE, may_choose
from .games import Games, begin, choice
from .generator import key_of, next_key
from .intrinsics import States, state_of, word


@rule
def open_game(games: Games, number: int, numbers: RuleTable, seed: int) -> None:
    """Start a game as game number ``numbers[number]`` of a seed. A number below 0 leaves it as it is."""
    if numbers[number] >= 0:
        games.keys[number] = key_of(word(seed), word(numbers[number]))
        begin(games, number)


@rule
def sample(games: Games, number: int, actions: Words) -> None:
    """Choose an action by the policy."""
    actions[number] = IDLE
    if may_choose(games, number):
        games.keys[number] = next_key(games.keys[number])
        actions[number] = choice(games.rules, state_of(games.states, number), games.keys[number])


@rule
def check(games: Games, number: int, actions: RuleTable) -> None:
    """Set ``ended`` if the action is not legal. An action below 0 stands for none and is never marked."""
    games.ended[number] = False
    if actions[number] >= 0:
        games.ended[number] = reason(games.rules, state_of(games.states, number), actions[number]) != LEGAL


@rule
def show(games: Games, number: int, seats: RuleTable, views: States) -> None:
    """Write what a seat may see. Seat -1 is a spectator."""
    view(games.rules, state_of(games.states, number), seats[number], state_of(views, number))
