"""Spades as an environment of Pgx, for code that asks for its classes; `Spades` has the same words without Pgx."""

from typing import Any

from spades_env.extras import needed
from spades_env.xla.env import JaxState, Spades

needed("pgx", "spades_env.xla.adapters.as_pgx needs {missing}: pip install pgx")

from pgx._src.struct import dataclass  # noqa: E402
from pgx.core import Env, State  # noqa: E402


@dataclass
class PgxState(State):
    """Pgx's fields, and the state they are taken from."""

    own: JaxState

    @property
    def env_id(self) -> Any:
        """The name by which Pgx would know the game."""
        return Spades.id


class PgxSpades(Env):
    """An environment of Pgx. The arguments are those of `Spades`."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self.env = Spades(*args, **kwargs)

    def init(self, key) -> PgxState:
        return _shown(self.env.init(key))

    def step(self, state: Any, action, key=None) -> PgxState:
        """Let the seat to move act; an illegal action ends the episode and fines that seat alone."""
        return _shown(self.env.step(state.own, action, key))

    _init, _step = init, step

    def _observe(self, state: Any, player_id):
        return self.env.observe(state.own, player_id)

    @property
    def id(self) -> Any:
        return self.env.id

    @property
    def version(self) -> str:
        return self.env.version

    @property
    def num_players(self) -> int:
        return self.env.num_players


def _shown(own: JaxState) -> PgxState:
    return PgxState(**{name: getattr(own, name) for name in State.__annotations__}, own=own)
