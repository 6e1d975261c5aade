"""The environments as a learner meets them: observation and mask at every decision, random legal actions."""

import time

import numpy as np

from benchmarks.measure import Row, rate, rate_of
from spades_env import Game, SpadesVectorEnv, spades_v0
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.cards import NUM_ACTIONS

VECTOR_BUDGET = 8e6
RAW_BUDGET = 60e3
WRAPPED_BUDGET = 20e3
SEATS = (  # tables, who plays the other seats, decisions a repeat, budget
    (256, "random", 200_000, None),
    (4096, "random", 400_000, None),
    (256, "rule", 100_000, 120e3),
    (4096, "rule", 200_000, 200e3),
    (256, "standard", 10_000, 7e3),
)
CHANCES = np.random.default_rng(0).random(1 << 16).tolist()  # drawn beforehand: we time the env, not the generator


def quick(repeats: int) -> list[Row]:
    """Measure the most important lines, in seconds."""
    return [
        rate_of("vector", "step alone, 4,096 tables, 1 thread", step_alone(4096, 0.5), repeats, VECTOR_BUDGET),
        rate("vector", "4,096 tables, 1 thread", vector_steps(4096, 1, 0.5), repeats),
        rate("one table", "PettingZoo raw_env", aec_steps(spades_v0.raw_env(), 0.2), repeats, RAW_BUDGET),
    ]


def measure(repeats: int, scale: float) -> list[Row]:
    """Measure the vector API at several sizes, then the one-table environments."""
    rows = [rate_of("vector", "step alone, 4,096 tables, 1 thread", step_alone(4096, scale), repeats, VECTOR_BUDGET)]
    for tables, threads in ((256, 1), (4096, 1), (4096, 2), (32768, 2)):
        name = f"{tables:,} tables, {threads} thread" + "s" * (threads > 1)
        rows.append(rate("vector", name, vector_steps(tables, threads, scale), repeats))
    for rules in ("pagat", "showdown", "solo", "classic trumps=nyc blind_nil_deficit=0 blind_nil_pass=3"):
        rows.append(rate("vector", f"4,096 tables, 1 thread, {rules}", vector_steps(4096, 1, scale, rules), repeats))
    rows.append(rate("one table", "Game.apply (checked, with undo)", game_steps(scale), repeats))
    rows.append(rate("one table", "PettingZoo raw_env", aec_steps(spades_v0.raw_env(), scale), repeats, RAW_BUDGET))
    rows.append(rate("one table", "PettingZoo env", aec_steps(spades_v0.env(), scale), repeats, WRAPPED_BUDGET))
    rows.append(rate("one table", "Gymnasium, three random opponents", gym_steps(scale), repeats))
    return rows + one_seat(repeats, scale)


def one_seat(repeats: int, scale: float) -> list[Row]:
    """Measure a learner at one seat of many tables, against several opponents."""
    return [
        rate_of("one seat", f"{tables:,} tables, three `{opponents}`", work, repeats, budget)
        for tables, opponents, decisions, budget in SEATS
        for work in [seat_steps(tables, opponents, decisions * scale)]
    ]


def vector_steps(tables: int, threads: int, scale: float, rules: str = "classic"):
    """Time `SpadesVectorEnv.step` and the choice of a random legal action, which is compiled too."""
    env = SpadesVectorEnv(tables, rules, seed=0, threads=threads)
    env.reset()
    actions = env.random_actions()
    steps = max(1, int(2_000_000 * scale) // tables)

    def work() -> int:
        for _ in range(steps):
            env.random_actions(actions)
            env.step(actions)
        return steps * tables

    return work


def step_alone(tables: int, scale: float):
    """Time `SpadesVectorEnv.step` alone: what the environment costs a learner."""
    env = SpadesVectorEnv(tables, seed=0, threads=1)
    env.reset()
    actions = env.random_actions()
    steps = max(1, int(2_000_000 * scale) // tables)

    def timed() -> tuple[int, float]:
        seconds = 0.0
        for _ in range(steps):
            env.random_actions(actions)
            start = time.perf_counter()
            env.step(actions)
            seconds += time.perf_counter() - start
        return steps * tables, seconds

    return timed


def seat_steps(tables: int, opponents: str, decisions: float):
    """Time `SpadesGymVectorEnv.step` alone: what environment and opponents cost a learner."""
    env = SpadesGymVectorEnv(tables, opponents=opponents, threads=1)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    steps = max(1, int(decisions) // tables)

    def timed() -> tuple[int, float]:
        done, seconds = 0, 0.0
        ended = np.zeros(tables, bool)
        env.reset()
        for _ in range(steps):
            actions = (env.action_masks() * rng.random((tables, NUM_ACTIONS), np.float32)).argmax(axis=1)
            start = time.perf_counter()
            _, _, terminations, truncations, _ = env.step(actions)
            seconds += time.perf_counter() - start
            done += int(np.count_nonzero(~ended))  # a table that resets takes no action
            ended = terminations | truncations
        return done, seconds

    return timed


def game_steps(scale: float):
    steps = int(20_000 * scale)

    def work() -> int:
        game = Game(seed=1)
        for i in range(steps):
            legal = game.legal_actions()
            game.apply(legal[int(CHANCES[i & 0xFFFF] * len(legal))])
        return steps

    return work


def aec_steps(env, scale: float):
    """Time PettingZoo's loop: last(), choose, step()."""
    steps = int(60_000 * scale)

    def work() -> int:
        done = 0
        env.reset(seed=1)
        while done < steps:
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(CHANCES[done & 0xFFFF] * len(legal))])
                done += 1
            env.reset()
        return done

    return work


def gym_steps(scale: float):
    """Time the learner's own decisions; its opponents make three times as many."""
    import gymnasium

    env = gymnasium.make("Spades-v0", disable_env_checker=True)
    steps = int(10_000 * scale)

    def work() -> int:
        observation, _ = env.reset(seed=1)
        for i in range(steps):
            legal = observation["action_mask"].nonzero()[0]
            observation, _, terminated, truncated, _ = env.step(legal[int(CHANCES[i & 0xFFFF] * len(legal))])
            if terminated or truncated:
                observation, _ = env.reset()
        return steps

    return work
