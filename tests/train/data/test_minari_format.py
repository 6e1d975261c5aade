"""`spades generate --format minari`: Minari opens it, it holds what the Parquet files hold, and plays again."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spades_env.envs.gym_env import SpadesEnv
from spades_env.game.cards import NUM_SEATS
from spades_env.play.commands import cli
from spades_env.play.commands.cli import main
from spades_env.training.data import minari_format
from spades_env.training.data.dataset import read_manifest

pq = pytest.importorskip("pyarrow.parquet", reason="datasets need pyarrow")
RULES = "classic target=100 blind_nil_deficit=0 blind_nil_pass=1"
HANDS = 21
WORDS = ["--agent", "rb", "--agent", "random", "--hands", str(HANDS), "--shard-hands", "18", "--seed", "5"]
WORDS += ["--rules", RULES]


def generated(folder: Path, *words: str) -> Path:
    assert main(["generate", *WORDS, "--out", str(folder), *words]) == 0
    return folder


def minari() -> Any:
    return pytest.importorskip("minari", reason="Minari datasets need minari")


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A folder of Minari's, with the dataset `house/rb-v3` in it, and the same hands as Parquet files."""
    minari()
    with pytest.MonkeyPatch.context() as patch:
        root = tmp_path_factory.mktemp("minari")
        patch.setenv("MINARI_DATASETS_PATH", str(root))
        generated(root / "house" / "rb-v3", "--format", "minari")
        generated(root / ".parquet")
    return root


@pytest.fixture
def dataset(root, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(root))
    return minari().load_dataset("house/rb-v3")


def rows(folder: Path, table: str) -> list[dict]:
    return [row for path in sorted((folder / table).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_it_holds_what_the_parquet_files_hold(dataset, root):
    decisions, hands = rows(root / ".parquet", "decisions"), rows(root / ".parquet", "hands")
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


def test_the_card_and_the_manifest_tell_what_there_is(dataset, root):
    folder = root / "house" / "rb-v3"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["dataset_id"], manifest["complete"]) == ("house/rb-v3", True)
    assert (manifest["episodes"], manifest["steps"]) == (len(dataset), dataset.total_steps)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "license: mit" in card
    assert "spades generate --agent rb --agent random --rules 'classic target=100" in card
    assert f"| steps | {dataset.total_steps:,} |" in card
    assert '`minari.load_dataset("house/rb-v3")`' in card
    for table in minari_format.MEANINGS.values():
        assert all(f"| `{name}` |" in card for name in table)
    assert sorted(path.name for path in folder.parent.iterdir()) == ["rb-v3"]  # the shards are gone


def test_hidden_cards_are_in_no_part_of_it(dataset, root):
    """Neither by name, nor in a folder of their own."""
    assert sorted(path.name for path in (root / "house" / "rb-v3").rglob("*")) == [
        "README.md",
        "data",
        "main_data.hdf5",
        "manifest.json",
        "metadata.json",
    ]
    assert set(dataset[0].observations) == {"observation", "action_mask"}
    assert set(dataset[0].infos) == {"step"}


def test_the_same_command_again_changes_nothing(root, monkeypatch, capsys):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(root))
    folder = root / "house" / "rb-v3"
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.rglob("*")}
    generated(folder, "--format", "minari", "--json")
    assert json.loads(capsys.readouterr().out) == read_manifest(folder)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.rglob("*")} == before


def test_what_a_killed_run_left_is_used(root, tmp_path, monkeypatch):
    """Whole shards are kept, a half-written dataset is not."""
    minari()
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    folder = tmp_path / "rb-v0"
    shards = minari_format.shards_of(folder)
    generated(shards)
    (shards / "decisions" / "00001.parquet").unlink()
    first = (shards / "decisions" / "00000.parquet").read_bytes()
    (tmp_path / ".rb-v0.part" / "data").mkdir(parents=True)
    (tmp_path / ".rb-v0.part" / "data" / "main_data.hdf5").write_bytes(b"half")
    seen = []
    monkeypatch.setattr(
        minari_format,
        "_write",
        lambda *given, whole=minari_format._write: (
            seen.append((given[1] / "decisions" / "00000.parquet").read_bytes()) or whole(*given)
        ),
    )
    generated(folder, "--format", "minari")
    assert seen == [first]
    assert [path.name for path in tmp_path.iterdir()] == ["rb-v0"]
    one, other = (read_manifest(path) for path in (folder, root / "house" / "rb-v3"))
    assert one | {"dataset_id": other["dataset_id"]} == other


def test_a_failure_leaves_no_half_dataset(tmp_path, monkeypatch):
    minari()
    monkeypatch.setattr(minari_format, "_labels", lambda *_: iter([None]))
    with pytest.raises(AssertionError):
        main(["generate", "--agent", "random", "--hands", "1", "--format", "minari", "--out", str(tmp_path / "x-v0")])
    assert [path.name for path in tmp_path.iterdir()] == [".x-v0.shards"]


def test_a_stopped_run_says_what_is_kept(tmp_path, monkeypatch, capsys):
    minari()

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(minari_format, "generate_shards", stopped)
    words = ["generate", "--agent", "random", "--hands", "1", "--format", "minari", "--out", str(tmp_path / "x-v0")]
    assert main(words) == cli.STOPPED
    assert f"{tmp_path / '.x-v0.shards'} keeps whole files: the same command continues" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "6", "--format", "minari"], "holds a dataset with seed 5, not 6: name a new folder"),
        (["--rules", "solo", "--format", "minari"], "holds a dataset with rules"),
        ([], "holds a dataset in another format, minari: name a new folder"),
    ],
)
def test_another_plan_needs_another_folder(words, told, root, monkeypatch, capsys):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(root))
    assert main(["generate", *WORDS, "--out", str(root / "house" / "rb-v3"), *words]) == cli.REFUSED
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("data", "called NAME-vN, such as data/rule-v0, not 'data'"),
        ("my data-v0", "called NAME-vN"),
        ("thesis-v1", "holds other files and no manifest.json"),
    ],
)
def test_folders_that_cannot_be_one_are_refused(name, told, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(minari_format, "needed", lambda *_: None)
    (tmp_path / "thesis-v1").mkdir()
    (tmp_path / "thesis-v1" / "thesis.txt").write_text("mine")
    assert main(["generate", *WORDS, "--format", "minari", "--out", str(tmp_path / name)]) == cli.REFUSED
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("library", ["minari", "h5py", "PIL"])
def test_without_its_libraries_it_says_what_to_install(library, monkeypatch, capsys, tmp_path):
    for other in ("minari", "h5py", "PIL"):
        monkeypatch.setitem(sys.modules, other, None if other == library else sys)
    assert main(["generate", *WORDS, "--format", "minari", "--out", str(tmp_path / "x-v0")]) == cli.REFUSED
    told = capsys.readouterr().err
    assert told == f'spades: Minari datasets need {library}: pip install "spades-env[minari]"\n'
    assert not list(tmp_path.iterdir())
