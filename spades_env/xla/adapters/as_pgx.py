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

    current_player: Any
    observation: Any
    rewards: Any
    terminated: Any
    truncated: Any
    legal_action_mask: Any
    _step_count: Any
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
        return self._init(key)

    def step(self, state: Any, action, key=None) -> PgxState:
        """Let the seat to move act; an illegal action ends the episode and fines that seat alone."""
        return self._step(state, action, key)

    def _init(self, key) -> PgxState:
        return _shown(self.env.init(key))

    def _step(self, state: Any, action, key) -> PgxState:
        return _shown(self.env.step(state.own, action, key))

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
    return PgxState(**{name: getattr(own, name) for name in PgxState.__annotations__ if name != "own"}, own=own)
