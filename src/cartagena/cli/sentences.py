"""Messages as sentences."""


def harmless(text: str) -> str:
    """The text without characters that could do something to a terminal; lines stay lines."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def sentence(message: str) -> str:
    """The message on one line, with a capital where it starts with an ordinary word, and a full stop.

    >>> sentence("the sloop lies at the other island")
    'The sloop lies at the other island.'
    >>> sentence("hands: 6 hands for 2 seats")
    'hands: 6 hands for 2 seats.'
    """
    text = harmless(" ".join(message.split()))
    first = text.split(" ", 1)[0]
    if first.isalpha():
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
