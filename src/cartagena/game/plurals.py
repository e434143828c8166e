"""Words for numbers of things."""


def counted(number: int, thing: str) -> str:
    """A number of things, in the singular for 1.

    >>> counted(1, "card"), counted(5, "card"), counted(0, "card")
    ('1 card', '5 cards', '0 cards')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
