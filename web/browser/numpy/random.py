"""The name of numpy's generator, for annotations and isinstance: a page has none."""


class Generator:
    """The type of a generator; nothing is an instance of it."""
