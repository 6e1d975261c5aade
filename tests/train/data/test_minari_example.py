"""`examples/minari_dataset.py`: Minari opens what it writes, it holds what the Parquet files hold, and replays."""

from pathlib import Path

import numpy as np
import pytest

from spades_env.envs.gym_env import SpadesEnv
from spades_env.game.cards import NUM_SEATS
from spades_env.play.commands.cli import main

pytestmark = pytest.mark.filterwarnings("ignore:.* is set to None:UserWarning")  # what Minari would like to be told
pq = pytest.importorskip("pyarrow.parquet", reason="datasets need pyarrow")
minari = pytest.importorskip("minari", reason="Minari datasets need minari")
RULES = "classic target=100 blind_nil_deficit=0 blind_nil_pass=1"
HANDS = 21
WORDS = ["--agent", "rb", "--agent", "random", "--hands", str(HANDS), "--shard-hands", "18", "--seed", "5"]


@pytest.fixture(scope="module")
def parquet(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("parquet") / "data"
    assert main(["generate", *WORDS, "--rules", RULES, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def dataset(parquet, tmp_path_factory):
    from examples.minari_dataset import convert

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINARI_DATASETS_PATH", str(tmp_path_factory.mktemp("minari")))
        convert(parquet, "house/rb-v3")
        yield minari.load_dataset("house/rb-v3")


def rows(folder: Path, table: str) -> list[dict]:
    return [row for path in sorted((folder / table).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_it_holds_what_the_parquet_files_hold(dataset, parquet):
    decisions, hands = rows(parquet, "decisions"), rows(parquet, "hands")
    assert (len(dataset), dataset.total_steps) == (NUM_SEATS * HANDS, len(decisions))
    known = dataset.storage.get_episode_metadata(range(len(dataset)))
    for number, (episode, told) in enumerate(zip(dataset, known, strict=True)):
        hand, seat = hands[number // NUM_SEATS], number % NUM_SEATS
        own = [row for row in decisions if row["hand_id"] == hand["hand_id"] and row["seat"] == seat]
        observations = episode.observations["observation"]
        assert [row["step"] for row in own] == episode.infos["step"][:-1].tolist()
        assert [row["action"] for row in own] == episode.actions.tolist()
        assert b"".join(row["observation"] for row in own) == observations[:-1].tobytes()
        assert b"".join(row["mask"] for row in own) == episode.observations["action_mask"][:-1].tobytes()
        assert observations.dtype == episode.observations["action_mask"].dtype == np.int8
        assert episode.rewards.tolist() == [0] * (len(own) - 1) + [hand["reward"][seat]]
        assert episode.terminations.tolist() == [False] * (len(own) - 1) + [True]
        assert not episode.truncations.any()
        assert {name: told[name] for name in ("hand_id", "seat", "seed")} == {
            "hand_id": hand["hand_id"],
            "seat": seat,
            "seed": hand["seed"],
        }
        for name in ("agent", "bid", "nil", "tricks", "won"):
            assert told.get(name) == own[0][name], name


class Script:
    """Plays what a seat is recorded to have played."""

    def __init__(self, actions):
        self.actions = list(actions)

    def act(self, view):
        return self.actions.pop(0)


def test_the_environment_shows_the_same(dataset):
    """Each episode is what `Spades-v0` shows to its seat, from the first observation to the last."""
    told = list(dataset.storage.get_episode_metadata(range(len(dataset))))
    for number, episode in enumerate(dataset):
        seat, first = number % NUM_SEATS, number - number % NUM_SEATS
        left, partner, right = (Script(dataset[first + (seat + i) % NUM_SEATS].actions) for i in (1, 2, 3))
        env = SpadesEnv(**dataset.spec.env_spec.kwargs, seat=seat, opponents=(left, right), partner=partner)
        observation, _ = env.reset(seed=told[number]["seed"], options=told[number]["options"])
        for step, action in enumerate(episode.actions):
            assert observation["observation"].tolist() == episode.observations["observation"][step].tolist()
            assert observation["action_mask"].tolist() == episode.observations["action_mask"][step].tolist()
            observation, reward, terminated, truncated, info = env.step(action)
            assert not info["illegal"]
            assert (reward, terminated, truncated) == (
                episode.rewards[step],
                episode.terminations[step],
                episode.truncations[step],
            )
        assert observation["observation"].tolist() == episode.observations["observation"][-1].tolist()
        assert observation["action_mask"].tolist() == episode.observations["action_mask"][-1].tolist()


def test_its_environment_comes_with_it(dataset):
    env = dataset.recover_environment()
    assert env.observation_space == dataset.observation_space
    assert env.action_space == dataset.action_space
    assert env.unwrapped.terms.episode == "hand"
    env.reset(seed=1)
    assert str(env.unwrapped._table.rules).startswith("classic target=100")


def test_hidden_cards_are_in_no_part_of_it(dataset):
    assert set(dataset[0].observations) == {"observation", "action_mask"}
    assert set(dataset[0].infos) == {"step"}
