"""Import the optional libraries of the package's extras."""

import importlib
from types import ModuleType

from spades_env.errors import SpadesError

OWN_PACKAGE = "spades_env"


class MissingExtraError(SpadesError):
    """A library of an extra is not installed."""


def needed(module: str, refusal: str) -> ModuleType:
    """Import a module; raise MissingExtraError if a library that it needs is not installed.

    refusal: the error's message, in which {missing} becomes the library's name.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        if missing == OWN_PACKAGE:
            raise
        raise MissingExtraError(refusal.format(missing=missing)) from error
