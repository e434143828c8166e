"""Messages as sentences that are safe to print."""

from collections.abc import Sequence

from cartagena.game import Position


def harmless(text: str) -> str:
    """The text without control characters, which a terminal would obey. Line ends stay."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def why_no_winner(position: Position) -> str:
    """How a game without a winner ended, as a sentence."""
    if position.is_becalmed:
        return "All hands are empty, and no pirate can be moved any more: the game is a draw."
    return "All players had to pass: the game is a draw."


def sentence(message: str, typed: Sequence[str] = ()) -> str:
    """The message on one line, with a capital if it starts with an ordinary word, and a full stop.

    Words that a person has ``typed``, such as the name of a file, are no ordinary words.

    >>> sentence("the sloop lies at the other island")
    'The sloop lies at the other island.'
    >>> sentence("hands: 6 hands for 2 seats")
    'hands: 6 hands for 2 seats.'
    >>> sentence("notes is not a record", ["replay", "notes"])
    'notes is not a record.'
    """
    text = harmless(" ".join(message.split()))
    first = text.split(" ", 1)[0]
    if first.isalpha() and first not in typed:
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
