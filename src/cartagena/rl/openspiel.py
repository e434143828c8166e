"""Cartagena as an OpenSpiel game: ``pyspiel.load_game("python_cartagena(rules=tortuga-en,seats=2)")``.

Importing this module registers the game. Parameters: ``rules`` (a rule set's name), ``seats``, ``board`` (in notation;
by default the printed pieces in their printed order) and ``turns`` (the turn limit, at which a game is a draw). The
opening deal and every later one are chance nodes, card by card, with their true probabilities; chance outcomes are card
numbers. Players' actions are those of ``spaces.actions``.

Returns are 1 for the winner and -1 / (seats - 1) for the others; 0 for all in a deadlock or at the turn limit.
"""

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from cartagena.errors import missing

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

from cartagena.game import Move, Position
from cartagena.game.notation.actions import action_to_move
from cartagena.game.notation.cards import card_text
from cartagena.kernel import layout as at
from cartagena.rulesets import MIN_SEATS, load

from .compiled.one_game import CHANCE, FINISHED
from .history import GameSetup, set_up_game
from .resampling import draw_deals
from .spaces.actions import COUNT, why_not
from .spaces.observation import FIELDS, SIZE
from .stepping import SteppedGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NAME", "CartagenaGame", "CartagenaState", "Observer"]

NAME: Final = "python_cartagena"
"""The name of the game in OpenSpiel.

>>> import pyspiel
>>> from cartagena.rl.openspiel import NAME
>>> pyspiel.load_game(NAME, {"rules": "tortuga-en", "seats": 3}).num_players()
3
"""
DEFAULTS: Final[dict[str, Any]] = {"rules": "jamaica-en", "seats": 0, "board": "", "turns": 1000}
REPLAYS: Final = 200


def game_type(information: pyspiel.GameType.Information) -> pyspiel.GameType:
    """Return the game type. Whether its information is perfect depends on the rule set."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Cartagena",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=at.MAX_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=DEFAULTS,
    )


def game_info(setup: GameSetup) -> pyspiel.GameInfo:
    """Return the sizes of the game. Dropped cards were dealt before, so that deals bound drops."""
    rules = setup.laid.rules
    dealt = len(setup.order) + setup.turns * rules.actions * 2
    return pyspiel.GameInfo(
        num_distinct_actions=COUNT,
        max_chance_outcomes=at.CARDS,
        num_players=setup.laid.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=setup.turns * (rules.actions + 2) + (dealt if rules.freebooters else 0),
    )


NO_TENSOR: Final = (
    "python_cartagena has no information_state_tensor: what a seat remembers has no largest size. "
    "Use observation_tensor, or information_state_string, which has all of it."
)
kept_setup = lru_cache(maxsize=64)(set_up_game)


def setup_of(rules: str, seats: int, board: str, turns: int) -> GameSetup:
    """Return the set-up of these parameters. Raises OpenSpiel's own kind of error.

    With 0 seats there are as many as the rule set names, or 2.

    A file of rules is read every time: what is kept is found by the rule set, not by the name of its file.
    """
    try:
        chosen = load(rules)
        return kept_setup(chosen, seats or chosen.seats or MIN_SEATS, board, turns)
    except ValueError as error:
        raise pyspiel.SpielError(str(error)) from None


class CartagenaGame(pyspiel.Game):  # type: ignore[misc]
    """The game with its parameters.

    >>> import pyspiel
    >>> import cartagena.rl.openspiel
    >>> game = pyspiel.load_game("python_cartagena(rules=jamaica-en,seats=2)")
    >>> game.num_players(), game.num_distinct_actions()
    (2, 1200)
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        self.setup = setup_of(chosen["rules"], chosen["seats"], chosen["board"], chosen["turns"])
        kinds = pyspiel.GameType.Information
        open_hands = self.setup.laid.rules.open_hands
        kind = kinds.PERFECT_INFORMATION if open_hands else kinds.IMPERFECT_INFORMATION
        super().__init__(game_type(kind), game_info(self.setup), params or {})

    def new_initial_state(self) -> "CartagenaState":
        """Return the state before the first card is dealt."""
        return CartagenaState(self, self.setup)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound: every retreat or push brings at most 2 cards, and perhaps a row before them."""
        rules = self.setup.laid.rules
        return len(self.setup.order) + self.setup.turns * rules.actions * (2 + rules.row)

    def information_state_tensor_shape(self) -> NoReturn:
        """Refuse: there is no such tensor."""
        raise pyspiel.SpielError(NO_TENSOR)

    information_state_tensor_size = information_state_tensor_shape
    information_state_tensor_layout = information_state_tensor_shape

    def make_py_observer(self, iig_obs_type: pyspiel.IIGObservationType = None, params: object = None) -> "Observer":
        """Return an observer of states."""
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class CartagenaState(pyspiel.State):  # type: ignore[misc]
    """A state: the history of the game so far.

    >>> import pyspiel
    >>> import cartagena.rl.openspiel
    >>> state = pyspiel.load_game("python_cartagena(rules=jamaica-en,seats=2)").new_initial_state()
    >>> while state.is_chance_node():
    ...     state.apply_action(state.chance_outcomes()[0][0])
    >>> state.current_player(), state.action_to_string(state.legal_actions()[0])
    (0, 's:B')
    """

    def __init__(self, game: pyspiel.Game, setup: GameSetup) -> None:
        super().__init__(game)
        self.past = SteppedGame(setup)

    def current_player(self) -> int:
        """Return the player to choose, or OpenSpiel's number for chance or for the end of the game."""
        return self.past.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.past.player == FINISHED

    # OpenSpiel would answer these by several calls from C++ back into Python.

    def is_chance_node(self) -> bool:
        """Return whether a card is dealt next."""
        return self.past.player == CHANCE

    def is_player_node(self) -> bool:
        """Return whether a player must choose."""
        return self.past.player >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player in ascending order; without a player, those of the one to move."""
        past = self.past
        if player is not None and player != past.player:
            return []
        return [card for card, _ in past.outcomes()] if past.player == CHANCE else past.legal()[:]

    def _legal_actions(self, player: int) -> list[int]:
        """Return the same to OpenSpiel; only the player to move has any."""
        return self.past.legal() if player == self.past.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that can be dealt with their probabilities."""
        return list(self.past.outcomes())

    def _apply_action(self, action: int) -> None:
        past = self.past
        if past.player == FINISHED:
            raise pyspiel.SpielError("The game is over.")
        if past.player == CHANCE:
            if all(card != action for card, _ in past.outcomes()):
                raise pyspiel.SpielError(f"Card {action} cannot be dealt now.")
        elif action not in past.legal():
            raise pyspiel.SpielError(f"{why_not(self.position, action)}.")
        past.play(action)

    def _move(self, action: int) -> Move:
        laid = self.past.setup.laid
        return action_to_move(laid.rules, laid.table, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"+{card_text(self.past.setup.laid.rules, action)}"
        return str(self._move(action))

    def information_state_tensor(self, player: int | None = None) -> NoReturn:  # noqa: ARG002
        """Refuse: there is no such tensor."""
        raise pyspiel.SpielError(NO_TENSOR)

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 / (seats - 1) for the others; 0 for all if there is no winner."""
        winner = self.past.winner
        seats = self.past.setup.laid.seats
        if winner < 0:
            return [0.0] * seats
        return [1.0 if seat == winner else -1.0 / (seats - 1) for seat in range(seats)]

    @property
    def position(self) -> Position:
        """The position, with all cards open."""
        return self.past.position()

    def __str__(self) -> str:
        return str(self.position)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "CartagenaState":
        """Return a state that the player cannot tell from this one, with the hidden cards drawn anew.

        The drawing gets only what the player remembers, never the true cards.
        """
        rng = Random(int(probability_sampler() * (1 << 53)))
        events = self.past.remembered(player_id)
        remembered = self.past.tokens_of(player_id)
        for _ in range(REPLAYS):
            deals = iter(draw_deals(self.past.setup.deck, events, rng))
            again = self.get_game().new_initial_state()
            if again.replays([next(deals) if event.deal else event.action for event in events], player_id, remembered):
                return again  # type: ignore[no-any-return]
        raise pyspiel.SpielError("No other state was found that agrees with what this player remembers.")

    def replays(self, actions: list[int], player: int, tokens: list[str]) -> bool:
        """Play these actions. Returns whether the player then remembers exactly these tokens."""
        for action in actions:
            if self.past.player >= 0 and action not in self.past.legal():
                return False
            self.apply_action(action)
        return self.past.tokens_of(player) == tokens


class Observer:
    """Observes a state for a player: tensors as ``spaces.observation`` describes them, strings in notation.

    >>> import pyspiel
    >>> import cartagena.rl.openspiel
    >>> game = pyspiel.load_game("python_cartagena(rules=jamaica-en,seats=2)")
    >>> observer = game.make_py_observer()
    >>> observer.set_from(game.new_initial_state(), player=0)
    >>> observer.dict["pirates"].shape
    (5, 50)
    """

    def __init__(self, kind: pyspiel.IIGObservationType, params: object) -> None:
        if params:
            raise pyspiel.SpielError(f"Observation parameters are not supported: {params}.")
        self.kind = kind
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        whole = kind.public_info and single and not kind.perfect_recall
        self.tensor = np.zeros(SIZE, np.float32) if whole else None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self.tensor is not None:
            for field in FIELDS:
                self.dict[field.name] = self.tensor[field.start : field.start + field.size].reshape(field.shape)

    def set_from(self, state: CartagenaState, player: int) -> None:
        """Fill the tensor with what the player sees."""
        if self.tensor is not None:
            self.tensor[:] = state.past.observation(player)

    def string_from(self, state: CartagenaState, player: int) -> str:
        """Return what the player sees or remembers, or its public or private part, as text."""
        if self.kind.perfect_recall:
            return state.past.information(player)
        single = self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not self.kind.public_info:
            return f"hand {state.past.hand_text(player)}" if single else ""
        return str(state.position.view(player + 1 if single else 0))


pyspiel.register_game(game_type(pyspiel.GameType.Information.IMPERFECT_INFORMATION), CartagenaGame)
