"""Agents at many tables at once: they answer as one by one, and errors name a wrong answer."""

from typing import Any

import numpy as np
import pytest
from support.game.envs import LastLegal, all_same, choose_all, first_legal

from spades_env import IllegalActionError, Rules, SpadesVectorEnv, agents
from spades_env._jit import JIT_ON
from spades_env.agents import Agent, AgentError, Batch
from spades_env.envs.gym_env import SpadesEnv
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.vector.env import STAY

RULES = [*Rules.presets()] * 3
TABLES = len(RULES)
pytestmark = pytest.mark.skipif(not JIT_ON, reason="minutes without the compiler")


class OneByOne:
    """Answers one view at a time, whatever the agent behind it can do."""

    def __init__(self, agent: Agent):
        self.agent = agent

    def act(self, view) -> int:
        return self.agent.act(view)


class Drawing:
    """Draws its actions from its own generator, so the order of the questions matters."""

    def __init__(self):
        self.rng = np.random.default_rng(5)

    def act(self, view) -> int:
        return int(self.rng.choice(view.legal_actions()))


class DrawingInBatches(Drawing):
    def act_batch(self, views) -> list[int]:
        return [self.act(view) for view in views]


class FirstLegal(Agent):
    """Does what `first_legal` does, in batches, and counts them."""

    def __init__(self):
        super().__init__("first")
        self.calls = 0

    def _choose(self, batch: Batch) -> np.ndarray:
        self.calls += 1
        return np.array([first_legal(view) for view in batch.views()])


class Answering(Agent):
    """Gives the same answer everywhere."""

    def __init__(self, answer):
        super().__init__("answering")
        self.answer = answer

    def _choose(self, batch: Batch) -> np.ndarray:
        return np.full(len(batch), self.answer)


def played(steps: int = 45, **options) -> list:
    """Return all observations and rewards of a learner that acts at random."""
    envs = SpadesGymVectorEnv(TABLES, RULES, truncate_after=2, threads=1, **options)
    rng = np.random.default_rng(1)
    seen: list[Any] = [*envs.reset(seed=40)]
    for _ in range(steps):
        seen += envs.step(choose_all(rng, envs.action_masks()))
    return seen


def one_by_one(monkeypatch, **options) -> list:
    """Return the same, with named agents that answer one view at a time."""
    load = agents.load
    with monkeypatch.context() as patched:
        patched.setattr(agents, "load", lambda name, seed: OneByOne(load(name, seed=seed)))
        return played(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "rule"},
        {"opponents": "milly", "seat": 2},
        {"opponents": "standard+temperature:0.7"},
        {"opponents": "random/rule"},
        {"opponents": ("rule", "bis"), "partner": "rb"},
        {"opponents": ("random", "rule"), "partner": first_legal},
        {"opponents": ("rule", LastLegal()), "seat": 1},
    ],
    ids=["rule", "milly", "standard", "pair", "two", "function", "object"],
)
def test_named_agents_answer_as_they_do_one_by_one(monkeypatch, options):
    at_once = played(**options)
    rewards = at_once[3::5]
    assert sum(paid.any() for paid in rewards) > 2, "hands must end, or there is little to compare"
    assert all_same(at_once, one_by_one(monkeypatch, **options))


@pytest.mark.parametrize("opponents", ["rule", "standard", ("bis", "rule")])
def test_named_agents_play_as_at_one_table(opponents):
    envs = SpadesGymVectorEnv(TABLES, RULES, opponents=opponents, truncate_after=1, autoreset_mode="Disabled")
    singles = [SpadesEnv(rules, opponents=opponents, truncate_after=1) for rules in RULES]
    observations, _ = envs.reset(seed=70)
    present = [single.reset(seed=70 + i) for i, single in enumerate(singles)]
    rng = np.random.default_rng(2)
    ended = np.zeros(TABLES, bool)
    while not ended.any():
        assert all_same(list(observations["observation"]), [observation["observation"] for observation, *_ in present])
        actions = choose_all(rng, observations["action_mask"])
        observations, rewards, terminations, truncations, _ = envs.step(actions)
        present = [single.step(action) for single, action in zip(singles, actions, strict=True)]
        assert rewards.tolist() == [reward for _, reward, *_ in present]
        assert all_same([terminations, truncations], [np.array(end) for end in list(zip(*present, strict=True))[2:4]])
        ended = terminations | truncations


@pytest.mark.parametrize("opponents", ["rule", ("random", "rule"), FirstLegal()])
def test_agents_that_take_batches_are_not_shown_views(monkeypatch, opponents):
    """A view for every table made many tables slower than one."""
    monkeypatch.delattr(SpadesVectorEnv, "view")
    played(opponents=opponents, steps=4)


def test_an_agent_of_our_kind_is_asked_once_for_all_tables():
    agent = FirstLegal()
    envs = SpadesGymVectorEnv(50, opponents=agent, episode="hand")
    envs.reset(seed=1)
    assert agent.calls <= 6  # not one for each of some hundred moves
    assert all_same(played(opponents=agent), played(opponents=first_legal))


def test_lots_are_drawn_in_the_order_of_the_tables():
    assert all_same(played(opponents=Drawing()), played(opponents=DrawingInBatches()))


@pytest.mark.parametrize("answer", [STAY, 0, 70, 10**12, 57.5])
def test_an_agent_of_our_kind_that_errs_is_named(answer):
    envs = SpadesGymVectorEnv(4, "showdown", opponents=Answering(answer))
    with pytest.raises(IllegalActionError, match=rf"the agent at North answered {answer} at table 0: North cannot"):
        envs.reset(seed=1)


def test_only_the_table_where_the_answer_is_wrong_is_named():
    class ErrsAtTheThird(FirstLegal):
        def _choose(self, batch: Batch) -> np.ndarray:
            return np.where(np.arange(len(batch)) == 2, 69, super()._choose(batch))

    envs = SpadesGymVectorEnv(5, "solo", opponents=ErrsAtTheThird())
    with pytest.raises(IllegalActionError, match=r"answered 69 at table [2-4]: "):
        envs.reset(seed=1)


@pytest.mark.parametrize("answers", [[57], [57] * 9, np.full(1, 57), np.array(57), None, 57], ids=str)
def test_too_few_answers_say_so(answers):
    class Miscounts(LastLegal):
        def act_batch(self, views):
            return answers

    envs = SpadesGymVectorEnv(6, "solo", opponents=Miscounts())
    with pytest.raises(
        ValueError, match=r"the agent at \w+ answered .* at \d tables: it must answer one action for each"
    ):
        envs.reset(seed=1)


def test_an_agent_that_looks_at_hidden_cards_is_still_refused():
    """In a batch of views it would see empty hands."""
    with pytest.raises(AgentError, match="oracle plays with all cards open"):
        SpadesGymVectorEnv(2, opponents="oracle").reset(seed=1)
