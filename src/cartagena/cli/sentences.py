"""Messages as sentences that are safe to print."""


def harmless(text: str) -> str:
    """The text without control characters, which a terminal would obey. Line ends stay."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def sentence(message: str) -> str:
    """The message on one line, with a capital if it starts with an ordinary word, and a full stop.

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
