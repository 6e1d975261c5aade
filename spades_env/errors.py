"""The base of every error that tells somebody what is wrong with what they gave, and what is allowed.

The commands print a SpadesError as one sentence. Any other error is a fault of ours, and keeps its traceback.
"""


class SpadesError(ValueError):
    """What was given cannot be used; the message says why, and what can."""


def one_line(error: BaseException) -> str:
    """Return an error's message as one line without its full stop; the kind of error if it has no message."""
    return " ".join(str(error).split()).rstrip(".")[:300] or type(error).__name__
