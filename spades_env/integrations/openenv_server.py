"""Spades for OpenEnv: one seat for the learner, bots at the others, over HTTP and WebSocket.

    from spades_env.integrations.openenv_server import make_app

    app = make_app()                          uvicorn examples.openenv.server.app:app
    reset(seed=7, rules="match", opponents="rule", seat=0, episode="hand", reward="regret")

A step takes what a model has written and returns the next prompt. The reward is the outcome at the end, or with
`reward="regret"` after every step what the move has lost of the chance to win, as a negative number.

It needs the extra `openenv`: `pip install "spades-env[openenv]"`.
"""

from typing import Any
from uuid import uuid4

from spades_env import words
from spades_env.agents.registry import check_bundled
from spades_env.checks import one_of, random_seed
from spades_env.errors import SpadesError
from spades_env.extras import needed
from spades_env.game.rules import Rules
from spades_env.integrations.live_table import LiveTable
from spades_env.play.coach.regret import RegretJudge

NEEDED = 'the server for OpenEnv needs {missing}: pip install "spades-env[openenv]"'
types: Any = needed("openenv.core.env_server.types", NEEDED)
interfaces: Any = needed("openenv.core.env_server.interfaces", NEEDED)
REWARDS = ("outcome", "regret")
MOST_TABLES = 64  # that one server has at the same time


class SpadesAction(types.Action):
    """What a model has answered, such as "Action: AS"."""

    answer: str


class SpadesObservation(types.Observation):
    """The next prompt, and what became of the last answer. regret: what the action played has lost."""

    system: str = ""
    prompt: str = ""
    outcome: str = ""
    why: str = ""
    regret: float | None = None


class SpadesEnvironment(interfaces.Environment):
    """One table; each session has its own."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._judge = RegretJudge()
        self._table: LiveTable | None = None
        self._state = types.State(episode_id=None, step_count=0)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        rules: str = "classic",
        opponents: str = "rule",
        seat: int = 0,
        episode: str = "hand",
        reward: str = "outcome",
        **_: Any,
    ) -> SpadesObservation:
        """Deal a hand and return the first prompt."""
        one_of("reward", reward, REWARDS)
        check_bundled(opponents)
        seed = random_seed() if seed is None else seed
        self._table = LiveTable(Rules.parse(rules), (seat,), opponents, seed, episode, self._judge)
        self._seat, self._reward = seat, reward
        self._state = types.State(episode_id=episode_id or str(uuid4()), step_count=0)
        return self._observation(0.0)

    def step(self, action: SpadesAction, timeout_s: float | None = None, **_: Any) -> SpadesObservation:
        """Play an answer; one that can't be played is replaced by a random legal action, and counted in the state."""
        if self._table is None:
            raise SpadesError("there is no table yet: reset the environment first")
        move = self._table.answer(action.answer)
        self._state.step_count += 1
        found = -(move.regret or 0.0) if self._reward == "regret" else 0.0
        if self._table.over and self._reward == "outcome":
            found = self._table.reward(self._seat)
        return self._observation(found, outcome=move.outcome, why=move.why, regret=move.regret)

    @property
    def state(self) -> Any:
        """The episode, its steps, and how many answers were legal, illegal, unreadable and late."""
        counts = self._table.counts(self._seat) if self._table else {}
        return types.State(episode_id=self._state.episode_id, step_count=self._state.step_count, answers=counts)

    def _observation(self, reward: float, **move: Any) -> SpadesObservation:
        assert self._table is not None
        table, over = self._table, self._table.over
        prompt = "" if over else words.question(table.view)
        system = words.system_prompt(table.game.rules)
        return SpadesObservation(system=system, prompt=prompt, done=over, reward=reward, **move)


def make_app() -> Any:
    """Return the FastAPI application of the server."""
    server = needed("openenv.core.env_server.http_server", NEEDED)
    return server.create_app(
        SpadesEnvironment, SpadesAction, SpadesObservation, env_name="spades", max_concurrent_envs=MOST_TABLES
    )
