"""The version, which the packaging reads."""

__version__ = "0.1.0"
