"""Where a table's deals come from: a secret, or a seed that somebody chose."""

from dataclasses import dataclass

from spades_env.checks import LARGEST_SEED, whole
from spades_env.errors import SpadesError
from spades_env.game.game import Game
from spades_env.game.secret_deals import checked_secret, derived


@dataclass(frozen=True)
class DealSource:
    """A seed or a secret, not both: `Game(rules, source.seed, secret=source.secret)`."""

    seed: int | None = None
    secret: str | None = None

    def __post_init__(self):
        if (self.seed is None) == (self.secret is None):
            raise SpadesError("a table's deals come from a seed or a secret: give one of them")
        if self.secret is None:
            whole("seed", self.seed, 0, LARGEST_SEED)
        else:
            checked_secret(self.secret)

    @classmethod
    def of(cls, game: Game) -> "DealSource":
        return cls(game.seed if game.secret is None else None, game.secret)

    @property
    def bot_seed(self) -> int:
        """The seed of the bots' own randomness. It reveals nothing about a secret, so their moves can't either."""
        return derived(self.secret, "bots") if self.secret is not None else self.seed or 0
