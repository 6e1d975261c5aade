"""What a cluster needs besides Ray: pieces of a match, the files behind agents, versions, addresses."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from support.agents.levels import level_file

from spades_env import Game, Rules
from spades_env.agents import AgentError, arena, load
from spades_env.agents.arena.match import play_deals, play_piece, players
from spades_env.agents.arena.pieces import split
from spades_env.agents.cluster import worker
from spades_env.agents.cluster.ray_cluster import Cluster, ClusterError
from spades_env.agents.cluster.shipment import Shipment, pack, pack_for_here, unpacked
from spades_env.agents.cluster.versions import CODE, differences, versions
from spades_env.agents.compiled import RANDOM, Compiled
from spades_env.extras import MissingExtraError
from spades_env.play.commands.cli import main

SHORT = Rules(target=None, max_hands=1)
SEED = 7


@pytest.fixture
def desk(tmp_path, monkeypatch) -> Path:
    """An empty current folder, from which modules may be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


# Pieces


@pytest.mark.parametrize(("count", "most"), [(10, 3), (3, 10), (1, 1), (7, 7), (1000, 64)])
def test_pieces_are_all_deals_once(count, most):
    found = split(count, most)
    assert [deal for piece in found for deal in piece] == list(range(count))
    assert len(found) == min(count, most)
    assert max(map(len, found)) - min(map(len, found)) <= 1


def test_a_piece_plays_what_the_whole_match_plays_there():
    agents = players("random", "bis", SEED)
    whole = play_deals(agents, SHORT, range(9), 60, SEED, jobs=1)
    loaded = tuple(agent.loaded_as or ("", 0) for agent in agents)
    pieces = [play_piece(load, loaded, deals, SHORT, 60, SEED) for deals in split(9, 4)]
    assert np.array_equal(np.concatenate([piece.rows for piece in pieces]), whole.rows)
    assert [sum(one) for one in zip(*(piece.moves for piece in pieces), strict=True)] == list(whole.moves)


def test_a_sequential_test_on_a_cluster_plays_the_same_games(monkeypatch):
    """Pieces that end in any order are those of each look's deals."""
    monkeypatch.setattr(Cluster, "cores", 2)
    monkeypatch.setattr(
        Cluster,
        "run",
        lambda self, work, pieces, names: [(i, work(load, *piece)) for i, piece in enumerate(pieces)][::-1],
    )
    match = {"a": "random", "b": "bis", "rules": SHORT, "games": 136, "seed": SEED, "sprt": arena.Sprt(-500, -499)}
    there, here = (arena.play(**match, jobs=jobs) for jobs in (Cluster("auto"), 1))
    assert np.array_equal(there.rows, here.rows)
    assert (there.games, there.moves) == (136, here.moves)


def test_an_agent_knows_what_it_was_loaded_as(tmp_path):
    level = level_file(tmp_path)
    for name in ("rule", "bis/random", "milly", f"{level}+trial:2"):
        assert load(name, 5).loaded_as == (name, 5)


# Files behind agents


def moved(shipment: Shipment, folder: Path, monkeypatch) -> Shipment:
    """The shipment as another process, in another folder, unpacks it."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    return shipment


@pytest.mark.parametrize("form", ["x.safetensors", "runs/x.safetensors+temperature:0.5", "bis/./runs/x.safetensors"])
def test_a_level_travels_by_its_path(form, desk, monkeypatch):
    (desk / "runs").mkdir()
    level_file(desk, "x.safetensors")
    level_file(desk / "runs", "x.safetensors")
    game = Game(SHORT, seed=3)
    view = game.view(game.turn)
    expected = load(form, SEED).act(view)
    shipment = moved(pack([form]), desk / "node", monkeypatch)
    with unpacked(shipment) as load_there:
        agent = load_there(form, SEED)
        assert Path.cwd() != desk / "node"
        assert (agent.name, agent.act(view)) == (form, expected)
    assert Path.cwd() == desk / "node"
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("form", ["{}", "{}+trial:2", "bis/{}", "{}/bis"])
def test_a_level_from_elsewhere_keeps_its_name(form, desk, tmp_path_factory, monkeypatch):
    level = level_file(tmp_path_factory.mktemp("far"))
    name = form.format(level)
    shipment = moved(pack([name]), desk / "node", monkeypatch)
    level.unlink()
    with unpacked(shipment) as load_there:
        assert load_there(name, SEED).name == name


def test_two_levels_of_one_name_stay_apart(desk, tmp_path_factory):
    names = [str(level_file(tmp_path_factory.mktemp("far"), seed=seed)) for seed in (1, 2)]
    shipment = pack(names)
    assert len(set(shipment.names.values())) == len(shipment.files) == 2


def test_modules_of_the_current_folder_travel(desk, monkeypatch):
    (desk / "own_helpers").mkdir()
    (desk / "own_helpers" / "__init__.py").write_text("")
    (desk / "own_helpers" / "picks.py").write_text("def lowest(view):\n    return view.legal_actions()[0]\n")
    (desk / "own_bot.py").write_text(
        "from own_helpers.picks import lowest\n\ndef policy(view):\n    return lowest(view)\n"
    )
    load("own_bot:policy")
    shipment = pack(["own_bot:policy"])
    assert set(shipment.files) == {"own_bot.py", "own_helpers/__init__.py", "own_helpers/picks.py"}
    for name in ("own_bot", "own_helpers", "own_helpers.picks"):
        monkeypatch.delitem(sys.modules, name)
    with unpacked(moved(shipment, desk / "node", monkeypatch)) as load_there:
        load_there("own_bot:policy", 0)
        assert not str(sys.modules["own_bot"].__file__).startswith(str(desk))
        folder = str(Path.cwd())
    assert folder not in sys.path


def test_files_of_a_command_travel(desk):
    (desk / "bot.py").write_text("print()")
    (desk / "start.sh").write_text("#!/bin/sh\n")
    (desk / "start.sh").chmod(0o755)
    assert set(pack([f"cmd:{sys.executable} bot.py"]).files) == {"bot.py"}
    content, is_program = pack(["cmd:./start.sh bot.py"]).files["start.sh"]
    assert (content, is_program) == (b"#!/bin/sh\n", True)


@pytest.mark.parametrize("name", ["rule", "milly", "noor+trial:64", "bis/mc:30x30", "random/milly"])
def test_what_every_node_has_is_not_sent(name):
    assert pack([name]).files == {}


def test_the_time_of_a_program_travels(monkeypatch, desk):
    monkeypatch.setenv("SPADES_BOT_SECONDS", "3")
    shipment = pack(["rule"])
    monkeypatch.setenv("SPADES_BOT_SECONDS", "10")
    with unpacked(shipment):
        assert os.environ["SPADES_BOT_SECONDS"] == "3"


def test_on_this_machine_the_current_folder_serves(desk, monkeypatch):
    level_file(desk, "x.safetensors")
    shipment = pack_for_here()
    with unpacked(moved(shipment, desk / "node", monkeypatch)) as load_there:
        assert Path.cwd() == desk
        load_there("x.safetensors", 0)


# A node


def work(load, value):
    if value < 0:
        raise AgentError("it must not be negative")
    return 2 * value


def test_a_node_says_what_is_different():
    here = versions()
    assert {"Python", "spades-env", "numpy", "numba"} <= set(here)
    assert differences(here, here) == ""
    older = here | {"spades-env": "0.0.1", "numpy": "1.0"}
    assert differences(older, here) == f"spades-env {here['spades-env']}, not 0.0.1 and numpy {here['numpy']}, not 1.0"
    assert differences(older | {CODE: "0"}, here) == differences(older, here), "other files are no news then"
    assert differences(here | {CODE: "0"}, here) == f"{CODE} {here[CODE]}, not 0"
    kind, found = worker.run(older, Shipment({}, {}, {}), work, (1,))
    assert kind == worker.DIFFERS
    assert "spades-env" in found


def test_a_library_that_one_side_lacks_is_no_difference():
    here = versions()
    assert differences(here | {"onnxruntime": "1"}, {name: here[name] for name in here if name != "onnxruntime"}) == ""


def test_a_piece_comes_back_with_its_result_or_its_sentence():
    assert worker.run(versions(), Shipment({}, {}, {}), work, (4,)) == (worker.DONE, 8)
    assert worker.run(versions(), Shipment({}, {}, {}), work, (-1,)) == (worker.FAILED, "it must not be negative")


# Refusals


@pytest.mark.parametrize("address", ["", "somewhere", "http://x:1", "ray://x", "x:", "anyscale://x:1", "a b:1"])
def test_addresses_that_are_none(address):
    with pytest.raises(
        ClusterError, match=r"invalid address of a Ray cluster .*; expected auto, local, HOST:6379 or ray://"
    ):
        Cluster(address)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "[::1]:1", "127.0.0.1:99999"])
def test_nobody_answers(address):
    with pytest.raises((ClusterError, MissingExtraError), match=r"no Ray cluster answers at|a cluster needs ray"):
        _ = Cluster(address).cores


def test_the_cluster_that_ray_would_find_is_gone(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises((ClusterError, MissingExtraError), match=r"no Ray cluster answers at|a cluster needs ray"):
        _ = Cluster("auto").cores


def test_ray_is_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["arena", "random", "random", "--games", "2", "--ray", "local"]) == 2
    assert capsys.readouterr().err == 'spades: a cluster needs ray: pip install "spades-env[ray]"\n'


def test_an_object_cannot_be_sent():
    own = Compiled("own", RANDOM, RANDOM)
    with pytest.raises(AgentError, match="own is an object of this process: on a cluster agents are given by"):
        arena.play(own, "random", SHORT, 2, jobs=Cluster("local"))


def test_decisions_are_watched_here_only():
    with pytest.raises(ValueError, match="watched on this machine only"):
        arena.play("random", "random", SHORT, 2, jobs=Cluster("local"), watch=lambda *_: None)
