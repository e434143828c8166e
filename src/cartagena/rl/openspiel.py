"""Cartagena as an OpenSpiel game: ``pyspiel.load_game("python_cartagena(rules=tortuga-en,seats=2)")``.

Importing this module registers the game. Parameters: ``rules`` (a rule set's name), ``seats``, ``board`` (the board as
in notation; without it the printed pieces in their printed order) and ``turns`` (a game that has not ended after so
many turns is a draw). The opening deal and every later one are chance nodes, card by card, with the true chances;
chance outcomes are card numbers. Players' actions are the fixed action space of ``actions``.

Returns are 1 for the winner and -1 / (seats - 1) for the others; 0 for everybody in a deadlock or at the turn limit.
"""

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel

from cartagena.game import Move, Position
from cartagena.game.notation.actions import action_to_move
from cartagena.game.notation.cards import card_text
from cartagena.kernel import layout as at
from cartagena.kernel.reasons import LEGAL, reason

from .compiled import observation as sight
from .history import Story, Table, lay
from .resampling import draw_deals
from .spaces.actions import COUNT, why_not
from .spaces.observation import FIELDS, SIZE

NAME: Final = "python_cartagena"
DEFAULTS: Final[dict[str, Any]] = {"rules": "jamaica-en", "seats": 2, "board": "", "turns": 1000}
REPLAYS: Final = 200


def game_type(information: Any) -> Any:
    """What the game offers; whether its information is perfect depends on the rule set."""
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


def game_info(table: Table) -> Any:
    """The game's sizes. Cards that must be dropped were dealt before, so deals bound drops."""
    rules = table.laid.rules
    dealt = len(table.order) + table.turns * rules.actions * 2
    return pyspiel.GameInfo(
        num_distinct_actions=COUNT,
        max_chance_outcomes=at.CARDS,
        num_players=table.laid.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=table.turns * (rules.actions + 2) + (dealt if rules.freebooters else 0),
    )


@lru_cache(maxsize=64)
def lay_game(rules: str, seats: int, board: str, turns: int) -> Table:
    """The table of these parameters; what is wrong with them is said in OpenSpiel's own kind of error."""
    try:
        return lay(rules, seats, board, turns)
    except ValueError as error:
        raise pyspiel.SpielError(str(error)) from None


class CartagenaGame(pyspiel.Game):  # type: ignore[misc]
    """The game with its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        self.table = lay_game(chosen["rules"], chosen["seats"], chosen["board"], chosen["turns"])
        kinds = pyspiel.GameType.Information
        open_hands = self.table.laid.rules.open_hands
        kind = kinds.PERFECT_INFORMATION if open_hands else kinds.IMPERFECT_INFORMATION
        super().__init__(game_type(kind), game_info(self.table), params or {})

    def new_initial_state(self) -> "CartagenaState":
        """The state before the first card is dealt."""
        return CartagenaState(self, self.table)

    def max_chance_nodes_in_history(self) -> int:
        """Every retreat or push brings two cards at most, and perhaps a row before them."""
        rules = self.table.laid.rules
        return len(self.table.order) + self.table.turns * rules.actions * (2 + rules.row)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What looks at states for a player."""
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class CartagenaState(pyspiel.State):  # type: ignore[misc]
    """A state: the story of the game so far."""

    def __init__(self, game: Any, table: Table) -> None:
        super().__init__(game)
        self.story = Story(table)

    def current_player(self) -> int:
        """Who must choose: a player, chance, or nobody."""
        if self.story.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.story.is_chance else self.story.actor

    def is_terminal(self) -> bool:
        return self.story.over

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions of the player to move, ascending; nobody else has any."""
        return self.story.legal_actions() if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that can come with their true chances."""
        weights = self.story.chances()
        number = sum(weights.values())
        return [(card, weight / number) for card, weight in weights.items()]

    def _apply_action(self, action: int) -> None:
        story = self.story
        if story.over:
            raise pyspiel.SpielError("The game is over.")
        if story.is_chance:
            if not story.chances().get(action):
                raise pyspiel.SpielError(f"Card {action} cannot come now.")
            story.deal(action)
            return
        if reason(story.table.numbers, story.words, action) != LEGAL:
            raise pyspiel.SpielError(f"{why_not(self.position, action)}.")
        story.act(action)

    def _move(self, action: int) -> Move:
        laid = self.story.table.laid
        return action_to_move(laid.rules, laid.table, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"+{card_text(self.story.table.laid.rules, action)}"
        return str(self._move(action))

    def returns(self) -> list[float]:
        """1 for the winner, -1 / (seats - 1) for the others, 0 for all without a winner."""
        winner = self.story.winner
        seats = self.story.table.laid.seats
        if winner < 0:
            return [0.0] * seats
        return [1.0 if seat == winner else -1.0 / (seats - 1) for seat in range(seats)]

    @property
    def position(self) -> Position:
        """The position, with all cards open."""
        return self.story.position()

    def __str__(self) -> str:
        return str(self.position)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "CartagenaState":
        """A state that the player cannot tell from this one, its hidden cards drawn anew.

        Only what the player remembers is passed on to the drawing, never the true cards.
        """
        rng = Random(int(probability_sampler() * (1 << 53)))
        events = self.story.remembered(player_id)
        remembered = self.story.tokens_of(player_id)
        for _ in range(REPLAYS):
            deals = iter(draw_deals(self.story.table.deck, events, rng))
            again = self.get_game().new_initial_state()
            if again.replays([next(deals) if event.deal else event.action for event in events], player_id, remembered):
                return again  # type: ignore[no-any-return]
        raise pyspiel.SpielError("No state was found that this player cannot tell from the true one.")

    def replays(self, actions: list[int], player: int, tokens: list[str]) -> bool:
        """Play these actions; whether the player would remember exactly these words."""
        for action in actions:
            if not self.is_chance_node() and reason(self.story.table.numbers, self.story.words, action) != LEGAL:
                return False
            self.apply_action(action)
        return self.story.tokens_of(player) == tokens


class Observer:
    """Looks at a state for a player: tensors by the observation specification, strings in notation."""

    def __init__(self, kind: Any, params: Any) -> None:
        if params:
            raise pyspiel.SpielError(f"Observation parameters are not supported: {params}.")
        self.kind = kind
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        whole = kind.public_info and single and not kind.perfect_recall
        self.tensor = np.zeros(SIZE, np.float32) if whole else None
        self.dict: dict[str, Any] = {}
        if self.tensor is not None:
            for field in FIELDS:
                self.dict[field.name] = self.tensor[field.start : field.start + field.size].reshape(field.shape)

    def set_from(self, state: CartagenaState, player: int) -> None:
        """Fill the tensor with what the player sees."""
        if self.tensor is not None:
            out = [0] * SIZE
            sight.observe(state.story.table.numbers, state.story.seen_by(player), player, out, 0)
            self.tensor[:] = out

    def string_from(self, state: CartagenaState, player: int) -> str:
        """What the player sees or remembers, or its public or private part, as words."""
        if self.kind.perfect_recall:
            return state.story.information(player)
        single = self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not self.kind.public_info:
            return f"hand {state.story.hand_text(player)}" if single else ""
        return str(state.position.view(player + 1 if single else 0))


pyspiel.register_game(game_type(pyspiel.GameType.Information.IMPERFECT_INFORMATION), CartagenaGame)
