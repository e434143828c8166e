"""Reasons why a move is not legal: a code for programs and a sentence for people."""

from typing import Final

from cartagena.errors import IllegalMove
from cartagena.kernel import layout as at
from cartagena.kernel import options
from cartagena.kernel import reasons as why
from cartagena.kernel.intrinsics import RuleTable
from cartagena.rulesets import RuleSet

from .move import Move
from .seats import colour

CODES: Final = {
    why.NOT_IN_THIS_GAME: "not-in-this-game",
    why.GAME_IS_OVER: "game-is-over",
    why.CARD_IS_DUE: "card-is-due",
    why.NO_CARD_IS_DUE: "no-card-is-due",
    why.NO_SUCH_CARD_LEFT: "no-such-card-left",
    why.DROP_IS_DUE: "drop-is-due",
    why.NO_DROP_IS_DUE: "no-drop-is-due",
    why.NO_ACTIONS_LEFT: "no-actions-left",
    why.NO_PIRATE_THERE: "no-pirate-there",
    why.CARD_NOT_HELD: "card-not-held",
    why.ALREADY_HOME: "already-home",
    why.SLOOP_IS_AWAY: "sloop-is-away",
    why.SLOOP_IS_FULL: "sloop-is-full",
    why.NOTHING_BEHIND: "nothing-behind",
    why.NO_RETURN: "no-return",
    why.NOT_IN_THE_TUNNEL: "not-in-the-tunnel",
    why.OWN_PIRATE: "own-pirate",
    why.NO_SUCH_SEAT: "no-such-seat",
    why.NOTHING_AHEAD: "nothing-ahead",
    why.NOBODY_ABOARD: "nobody-aboard",
    why.NOBODY_ASHORE: "nobody-ashore",
    why.MUST_ACT: "must-act",
}

WALLS: Final = {
    options.NEW_TURN: "nothing-to-undo",
    options.OTHERS_CHOSE: "others-chose",
    options.CARDS_DEALT: "cards-dealt",
}
"""Why a move, and those before it, cannot be taken back."""

UNDO_SENTENCES: Final = {
    "not-your-turn": "It is not your turn.",
    "nothing-to-undo": "Nothing was played in this turn.",
    "cards-dealt": "A card was dealt since, and that cannot be unseen.",
    "others-chose": "Another player has chosen since.",
    "game-is-over": "The game is over.",
    "not-seated": "Only seated players can take a move back.",
}

SENTENCES: Final = {
    "not-in-this-game": "{rules} has no move {move} on this board",
    "game-is-over": "the game is over",
    "card-is-due": "a card is to be dealt first",
    "no-card-is-due": "no card is to be dealt now",
    "no-such-card-left": "no card {card} can come: none is left to be dealt",
    "drop-is-due": "{dropper} has too many cards and must drop one first",
    "no-drop-is-due": "no seat has to drop a card now",
    "no-actions-left": "all {actions} actions of this turn are taken; end it",
    "no-pirate-there": "no {owner} pirate stands on {place}",
    "card-not-held": "{holder} holds no card {card}",
    "already-home": "a pirate that is home stays there",
    "sloop-is-away": "the sloop lies at the other island",
    "sloop-is-full": "three {owner} pirates are aboard already",
    "nothing-behind": "no field behind {place} has one or two pirates",
    "no-return": "this rule set lets no pirate go back from the sloop",
    "not-in-the-tunnel": "a pirate that has not set out cannot go back",
    "own-pirate": "only pirates of other colours can be pushed",
    "no-such-seat": "there is no seat {seat} at this table",
    "nothing-ahead": "no field ahead on this island has one or two pirates, and no pirate is pushed into the nest",
    "nobody-aboard": "no {mover} pirate is aboard, so {mover} may not sail",
    "nobody-ashore": "no {mover} pirate is left on the first island, so {mover} may not fetch the sloop",
    "must-act": "at least one action must be taken before the turn ends",
}


def sentence(rules: RuleSet, rule_table: RuleTable, state: RuleTable, move: Move, code: str) -> str:
    """The reason as a sentence about this move in this position, without a full stop."""
    dropper = state[at.DROPPER] - 1
    mover = colour(state[at.TURN])
    return SENTENCES[code].format(
        rules=rules.name,
        move=move,
        card=move.card,
        place={"s": "the start", "b": "the sloop", "n": "the nest"}.get(move.place, f"field {move.place}"),
        seat=move.seat,
        owner=colour(move.seat - 1) if move.seat else mover,
        mover=mover,
        holder=colour(dropper) if dropper >= 0 else mover,
        dropper=colour(dropper),
        actions=rule_table[at.T_ACTIONS],
    )


def refusal(rules: RuleSet, rule_table: RuleTable, state: RuleTable, move: Move, reason: int) -> IllegalMove:
    """The error for a move that a reason of the kernel forbids in this state."""
    code = CODES[reason]
    return IllegalMove(sentence(rules, rule_table, state, move, code), code)
