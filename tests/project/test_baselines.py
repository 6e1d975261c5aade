"""The baselines of train/ learn from the 824 observed features, leave files that play, and go on."""

import csv
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.paths import ROOT, docs_tool

from spades_env._jit import JIT_ON
from spades_env.agents import arena
from spades_env.agents.network.level import MARKS
from spades_env.folder_lock import FolderLock, InUseError

torch = pytest.importorskip("torch")
onnxruntime = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
pytest.importorskip("matplotlib")

FOLDER = ROOT / "train"
sys.path.append(str(FOLDER))

import bc  # noqa: E402
import dqn  # noqa: E402
import hands  # noqa: E402
import harness  # noqa: E402
import nfsp  # noqa: E402
import ppo  # noqa: E402
import run_all  # noqa: E402

from spades_env.rollout import Trajectories  # noqa: E402
from spades_env.training.run import RUN_LOCK  # noqa: E402

pytestmark = [
    pytest.mark.skipif(not JIT_ON, reason="the arena's bots need the compiler"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # torch's, about its exporters
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
SMALL = {"tables": 4, "width": 8, "minibatch": 64, "evaluations": 2, "games": 2, "last_games": 2, "decisions": 448}
NAMES = list(run_all.BASELINES)


def small(name: str, **changed) -> Any:
    _, kind, own = run_all.BASELINES[name]
    return kind(**(own | SMALL | changed))


def weights(path: Path) -> list[np.ndarray]:
    import onnx

    return [onnx.numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer]


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_changes_and_leaves_a_file_that_plays(name, tmp_path, monkeypatch):
    program = run_all.BASELINES[name][0]
    result = program.train(small(name), tmp_path / "a")
    assert json.loads((tmp_path / "a" / "result.json").read_text()) == result
    assert result["name"] == name
    assert result["decisions"] == 448
    assert set(result["last"]) == {"rule", "rb", "random"}
    with (tmp_path / "a" / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["decisions"]) for row in rows] == [224, 448]
    assert arena.play(str(tmp_path / "a" / "policy.onnx"), "random", harness.RULES, games=2, jobs=1).games == 2
    monkeypatch.setattr(harness, "measured", lambda *match: {"win_rate": 0.0, "points_per_hand": 0.0})
    program.train(small(name), tmp_path / "b")
    program.train(small(name, seed=1), tmp_path / "c")
    first, same, other = (weights(tmp_path / folder / "policy.onnx") for folder in "abc")
    assert all(np.array_equal(*pair) for pair in zip(first, same, strict=True))
    assert not all(np.array_equal(*pair) for pair in zip(first, other, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_it_is_fed_the_observation_alone(name, tmp_path, monkeypatch):
    """While it learns, every input of its networks is what the seat to move observes."""
    observed = set()

    class Watched(harness.SpadesVectorEnv):
        def step(self, actions):
            observed.update(row.tobytes() for row in self.observation)
            return super().step(actions)

    fed = set()

    def forward(self, observation, inner=hands.Net.forward):
        assert observation.shape[1:] == (824,)
        fed.update(row.tobytes() for row in observation.to(torch.int8).numpy())
        return inner(self, observation)

    monkeypatch.setattr(harness, "SpadesVectorEnv", Watched)
    monkeypatch.setattr(hands.Net, "forward", forward)
    monkeypatch.setattr(harness.Run, "_evaluate", lambda self, net: None)
    monkeypatch.setattr(harness.Run, "last", {}, raising=False)
    run_all.BASELINES[name][0].train(small(name), tmp_path)
    assert fed
    assert fed <= observed


def test_the_file_says_what_it_was_made_for(tmp_path):
    bc.train(small("bc"), tmp_path)
    session = onnxruntime.InferenceSession(tmp_path / "policy.onnx")
    assert session.get_inputs()[0].shape == ["N", 824]
    said = session.get_modelmeta().custom_metadata_map
    assert said["layout"] == MARKS["layout"]
    assert said["env"] == MARKS["env"]
    assert json.loads(said["trained"])["decisions"] == 448


def test_cloning_learns(tmp_path, monkeypatch):
    """… more of the bot's moves than at first."""
    monkeypatch.setattr(harness, "measured", lambda path, opponent, games: {"win_rate": 0.0, "points_per_hand": 0.0})
    bc.train(small("bc", tables=16, width=32, decisions=20 * 16 * 56, evaluations=5), tmp_path)
    with (tmp_path / "curve.csv").open() as file:
        agreement = [float(row["agreement"]) for row in csv.DictReader(file)]
    assert agreement[-1] > agreement[0] + 0.03


def test_hands_are_sorted_by_seat():
    env = harness.SpadesVectorEnv(3, harness.RULES, "hand", 5, threads=1)
    env.reset()

    def first_legal(observation, mask, turn):
        return mask.long().argmax(1), turn

    played = hands.play(env, first_legal)
    assert played.observation.shape == (14, 12, 824)
    assert torch.equal(played.kept[0], torch.arange(4).repeat_interleave(3).expand(14, 12))
    assert (played.action[0] >= 54).all()
    assert (played.action[1:] < 52).all()
    assert played.mask.gather(2, played.action[:, :, None]).all()
    assert torch.allclose(played.reward[:3], played.reward[6:9])  # partners
    assert torch.allclose(played.reward[:3], -played.reward[3:6])


def test_memory_forgets_the_oldest():
    memory = dqn.Memory(5)
    observation, mask = torch.zeros(14, 2, 824, dtype=torch.int8), torch.ones(14, 2, 70, dtype=torch.bool)
    for number in range(4):
        action, reward = torch.full((14, 2), number), torch.full((2,), float(number))
        memory.add(Trajectories(observation, mask, action, (), torch.ones(14, 2, dtype=torch.bool), reward))
    assert sorted(memory.reward.tolist()) == [1, 2, 2, 3, 3]
    assert torch.equal(memory.action[:, 13].float(), memory.reward)


def test_the_reservoir_is_an_even_sample():
    torch.manual_seed(0)
    reservoir = nfsp.Reservoir(200)
    observation, mask = torch.zeros(50, 824, dtype=torch.int8), torch.ones(50, 70, dtype=torch.bool)
    for number in range(40):
        reservoir.add(observation, mask, torch.full((50,), number // 10))
    assert reservoir.seen == 2000
    assert all(30 < int((reservoir.action == quarter).sum()) < 70 for quarter in range(4))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"decisions": 0}, "decisions must be from 1 to 10,000,000,000, not 0"),
        ({"rate": -1.0}, "rate must be from 0.0 to 1.0, not -1.0"),
        ({"rate": float("nan")}, "rate must be from 0.0 to 1.0, not nan"),
        ({"games": 3}, "games must be an even number, as each deal is played twice with seats swapped"),
        ({"pull_bids": -0.1}, "pull_bids must be from 0.0 to 100.0, not -0.1"),
    ],
)
def test_bad_options_are_refused(changed, said):
    with pytest.raises(ValueError, match="must be") as caught:
        small("ppo", **changed)
    assert str(caught.value) == said


def test_the_command_says_what_is_wrong(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["ppo.py", "--tables", "0", "--out", str(tmp_path)])
    with pytest.raises(SystemExit):
        harness.main(ppo.PpoOptions, ppo.train, None)
    assert capsys.readouterr().err.splitlines()[-1] == "ppo.py: error: tables must be from 1 to 16,384, not 0"


def test_all_go_on_where_they_were_stopped(tmp_path, monkeypatch):
    """Finished seeds are skipped, a seed that was stopped begins anew, and other options are refused."""
    small_ones, large_ones = (run_all.baselines(size) for size in (1, 10))
    stages = [(2, {key: small_ones[key] for key in ("ppo-1M", "dqn-1M")}), (1, {"ppo-10M": large_ones["ppo-10M"]})]
    monkeypatch.setitem(run_all.GROUPS, "baselines", stages)
    with monkeypatch.context() as undrawn:
        undrawn.setattr(run_all, "svg", lambda size, draw: b"")
        path = run_all.follow(tmp_path, "baselines", SMALL, seeds=1)
    assert json.loads(path.read_text())["dqn-1M"]["curves"]["bid"][0]["ci"] is None
    kept = (tmp_path / "ppo-1M" / "seed-0" / "result.json").read_bytes()
    (tmp_path / "dqn-1M" / "seed-0" / "result.json").unlink()
    run_all.follow(tmp_path, "baselines", SMALL)
    assert (tmp_path / "ppo-1M" / "seed-0" / "result.json").read_bytes() == kept
    summary = json.loads(path.read_text())
    assert {key: one["seeds"] for key, one in summary.items()} == {"ppo-1M": [0, 1], "dqn-1M": [0, 1], "ppo-10M": [0]}
    assert summary["ppo-1M"]["made"]["numba"] == version("numba")
    assert len(summary["ppo-1M"]["last"]["rule"]["points_per_hand"]["ci"]) == 2
    assert (tmp_path / "curves.svg").read_text().startswith("<?xml")
    assert_tables(monkeypatch, path)
    with pytest.raises(ValueError, match="was run with other options: name another folder with --out"):
        run_all.follow(tmp_path, "baselines", SMALL | {"width": 4})
    with pytest.raises(ValueError, match="holds a finished run"):
        ppo.train(small("ppo"), tmp_path / "ppo-1M" / "seed-0")


def assert_tables(monkeypatch, path: Path) -> None:
    """The page's tables have a row for each baseline and size, and one for each evaluation."""
    tables = docs_tool("baseline_tables")
    path.rename(path.with_name("baselines.json"))
    monkeypatch.setattr(tables, "DATA", path.parent)
    names = [row.split("`")[1] for row in tables.results().splitlines()[2:-2]]
    assert names == ["ppo", "dqn", "ppo"]
    assert [len(row.split("|")) for row in tables.bids().splitlines()] == [6] * 3


def test_a_second_run_in_a_folder_is_refused(tmp_path):
    """… while the first one goes on, and nothing of that is changed."""
    hold = "import sys; from pathlib import Path; from spades_env.folder_lock import FolderLock; "
    hold += "from spades_env.training.run import RUN_LOCK; lock = FolderLock(Path(sys.argv[1]), *RUN_LOCK)"
    command = [sys.executable, "-c", f"{hold}; print(flush=True); input()", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout
        first.stdout.readline()
        with pytest.raises(InUseError, match=f"is in use by process {first.pid} on .* name another folder with --out"):
            bc.train(small("bc"), tmp_path)
        first.kill()
    assert [path.name for path in tmp_path.iterdir()] == ["run.lock"]


def test_a_finished_run_unlocks_its_folder(tmp_path):
    bc.train(small("bc"), tmp_path)
    FolderLock(tmp_path, *RUN_LOCK).close()


def test_minutes_are_for_the_loop(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run_all.py", "baselines", "--minutes", "3"])
    with pytest.raises(SystemExit):
        run_all.main()
    assert "baselines end after a number of decisions, not of minutes" in capsys.readouterr().err
