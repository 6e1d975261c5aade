"""Spades for verifiers: a taskset of deals, and an environment with one to four live seats.

    uv run eval spades_v1 --env.taskset.rules match --env.seats 2       with a package spades_v1 that exports both:

    from spades_env.integrations.verifiers_env import SpadesSeatsEnv, SpadesTaskset
    __all__ = ["SpadesSeatsEnv", "SpadesTaskset"]

The agents are player0 to player3, at South, West, North and East; two live seats are partners, South and North.
Every trace gets the reward `outcome`, the reward `regret` (the mean loss of the chance to win, negative) with its
weight, and counts of its answers as metrics. A seat whose run has ended, by a limit for example, answers late.

It needs the extra `verifiers`: `pip install "spades-env[verifiers]"`.
"""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

from spades_env import words
from spades_env.extras import needed
from spades_env.game.rules import Rules
from spades_env.integrations.live_table import LiveTable
from spades_env.play.coach.regret import QUICK_WORLDS, RegretJudge

NEEDED = 'the environment for verifiers needs {missing}: pip install "spades-env[verifiers]"'
vf: Any = needed("verifiers.v1", NEEDED)
pydantic: Any = needed("pydantic", NEEDED)

PLAYER = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}  # a chat without tools runs no code
LIVE = ((0,), (0, 2), (0, 1, 2), (0, 1, 2, 3))  # seats, by how many are live
__all__ = ["SpadesSeatsConfig", "SpadesSeatsEnv", "SpadesTaskset"]


class SpadesTasksetConfig(vf.TasksetConfig):
    """The rules of the tables, and who has the other seats."""

    rules: str = "classic"
    opponents: str = "rule"  # the agent of the seats that are not live
    episode: str = "hand"
    first_seed: int = 0


class SpadesData(vf.TaskData):
    """A deal. info: the arguments of its `LiveTable`."""

    info: dict


class SpadesTask(vf.Task[SpadesData, vf.State, vf.TaskConfig]):
    """A deal to play."""


class SpadesTaskset(vf.Taskset[SpadesTask, SpadesTasksetConfig]):
    """Deals without end, each decided by its seed."""

    INFINITE = True

    def load(self) -> Iterator[SpadesTask]:
        config = self.config
        seed, system = config.first_seed, words.system_prompt(Rules.of(config.rules))
        while True:
            info = {"rules": config.rules, "opponents": config.opponents, "episode": config.episode, "seed": seed}
            yield SpadesTask(SpadesData(name=f"spades#{seed}", system_prompt=system, info=info), config.task)
            seed += 1


class SpadesSeatsConfig(vf.EnvConfig):
    """Who has each seat, how many are live, and how moves are judged."""

    player0: vf.AgentConfig = vf.AgentConfig(**PLAYER)
    player1: vf.AgentConfig = vf.AgentConfig(**PLAYER)
    player2: vf.AgentConfig = vf.AgentConfig(**PLAYER)
    player3: vf.AgentConfig = vf.AgentConfig(**PLAYER)
    seats: int = pydantic.Field(1, ge=1, le=len(LIVE))
    worlds: int = pydantic.Field(QUICK_WORLDS, ge=2)  # of the search that judges a move
    regret_weight: float = 1.0


class SpadesSeatsEnv(vf.Env[SpadesSeatsConfig]):
    """A table: each live seat is an interaction, and is asked when it is to move."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play one hand or game."""
        seats, info = LIVE[self.config.seats - 1], task.data.info
        table = LiveTable(seats=seats, judge=RegretJudge(self.config.worlds), **info)
        async with AsyncExitStack() as stack:
            players = {
                seat: await stack.enter_async_context(getattr(agents, f"player{seat}").interaction(task))
                for seat in seats
            }
            gone = set()
            while not table.over:
                seat = table.view.seat
                segment = None if seat in gone else await players[seat].turn(words.question(table.view))
                if segment is None or segment.terminated:
                    gone.add(seat)
                table.answer(None if seat in gone else segment.last_reply)
        for seat, player in players.items():
            self._record(player.trace, table, seat)

    def _record(self, trace: Any, table: LiveTable, seat: int) -> None:
        trace.record_reward("outcome", table.reward(seat))
        trace.record_reward("regret", -table.mean_regret(seat), self.config.regret_weight)
        trace.record_metrics({"points": float(table.points(seat))} | table.counts(seat))
