"""The name of the store's owner."""

from spades_env.play.store.database import Store
from spades_env.play.store.settings import NAME
from spades_env.play.table.seats import checked_name

DEFAULT_NAME = "You"  # before a name was given


def rename(store: Store, name: str) -> str:
    """Change the person's name; games played without a name become theirs."""
    if store.settings.all().get(NAME, DEFAULT_NAME) == DEFAULT_NAME:
        store.rename(DEFAULT_NAME, name)
    store.settings.set(NAME, checked_name(name))
    return name
