"""What can go wrong here, each said in one sentence."""


class BackendError(ValueError):
    """Something that cannot be run: the message is one sentence for a person."""
