"""The base of every error that tells somebody what is wrong with what they gave, and what is allowed.

The commands print a SpadesError as one sentence. Any other error is a fault of ours, and keeps its traceback.
"""


class SpadesError(ValueError):
    """What was given cannot be used; the message says why, and what can."""
