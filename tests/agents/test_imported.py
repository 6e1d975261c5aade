"""Policies by import path: their arguments, their answers, and the errors for everything else."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from spades_env import Game, Rules, agents, spades_v0
from spades_env.agents import arena
from spades_env.agents.base import AgentError
from spades_env.agents.imported import Imported
from spades_env.game.observe import NUM_FEATURES
from spades_env.game.view import View
from spades_env.play.commands.cli import main

SHORT = "classic target=off max_hands=1"
MODULE = """
import numpy as np
from spades_env import agents

CALLS = []

def policy(view):
    CALLS.append(view)
    return view.legal_actions()[0]

def zoo(observation, agent):
    CALLS.append((observation, agent))
    return np.flatnonzero(observation["action_mask"])[0]

class Player:
    def __init__(self, seed=0):
        self.seed = seed
    def act(self, view):
        return view.legal_actions()[self.seed * 0]

class Many(Player):
    def act_batch(self, views):
        CALLS.append(len(views))
        return [view.legal_actions()[0] for view in views]

class ZooPlayer:
    def act(self, observation, agent):
        return zoo(observation, agent)

def make(seed):
    CALLS.append(seed)
    return Player(seed)

def make_policy():
    return policy

def make_rule():
    return agents.load("rule")

player = Player()
LOWEST = 3

def three(a, b, c):
    return 0

def nothing():
    return 5

def illegal(view):
    return view.legal_actions()[0] if view.phase == "bid" else 69

def word(view):
    return "AS"

def bad(view):
    return 1 / 0

class Short(Player):
    def act_batch(self, views):
        return [0] * (len(views) - 1)

def broken():
    raise KeyError("weights")
"""


@pytest.fixture
def mine(tmp_path, monkeypatch) -> str:
    """A module of its own for each test, in the current folder."""
    name = f"mine_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / "needy.py").write_text("import no_such_library\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    sys.modules.pop("needy", None)
    return name


@pytest.mark.parametrize(
    "name", ["policy", "zoo", "Player", "Many", "ZooPlayer", "make", "make_policy", "player", "player.act"]
)
def test_all_forms_play_alike(mine, name):
    """Each of them plays the lowest legal action."""
    result = arena.play(f"{mine}:{name}", "bis", SHORT, games=4, jobs=2)
    assert result.a == f"{mine}:{name}"
    expected = arena.play(Lowest("lowest"), "bis", SHORT, games=4, jobs=1)
    assert result.rows.tobytes() == expected.rows.tobytes()
    assert result.as_dict()["illegal"] == 0


class Lowest(agents.Agent):
    def _choose(self, batch):
        return np.array([view.legal_actions()[0] for view in batch.views()])


def test_a_policy_gets_a_view_and_nothing_hidden(mine):
    bot = agents.load(f"{mine}:policy")
    game = Game("classic", seed=3)
    bot.act(game.view(game.turn))
    seen = sys.modules[mine].CALLS[-1]
    assert isinstance(seen, View)
    assert repr(seen) == repr(game.view(game.turn))
    assert (seen.state == game.view(game.turn).state).all()


def test_a_pettingzoo_policy_gets_what_the_environment_shows(mine):
    bot = agents.load(f"{mine}:zoo")
    env = spades_v0.raw_env("classic")
    env.reset(seed=5)
    for _ in range(30):
        action = bot.act(env.view(env.agent_selection))
        observation, agent = sys.modules[mine].CALLS[-1]
        shown = env.observe(env.agent_selection)
        assert agent == env.agent_selection
        assert (observation["observation"] == shown["observation"]).all()
        assert (observation["action_mask"] == shown["action_mask"]).all()
        assert len(observation["observation"]) == NUM_FEATURES
        env.step(action)


def test_makers_get_the_seed(mine):
    agents.load(f"{mine}:make", seed=12)
    assert sys.modules[mine].CALLS == [12]


def test_many_views_at_once(mine):
    arena.play(f"{mine}:Many", "random", SHORT, games=8, jobs=1)
    assert max(sys.modules[mine].CALLS) > 1


def test_an_agent_that_is_made_keeps_its_play_and_gets_the_path_as_its_name(mine):
    result = arena.play(f"{mine}:make_rule", "bis", SHORT, games=4)
    assert result.a == f"{mine}:make_rule"
    assert result.rows.tobytes() == arena.play("rule", "bis", SHORT, games=4).rows.tobytes()


def test_in_a_pair_and_in_an_environment(mine):
    arena.play(f"bis/{mine}:policy", f"{mine}:policy/rule", SHORT, games=2)
    env = __import__("gymnasium").make("spades_env:Spades-v0", opponents=f"{mine}:policy", episode="hand")
    env.reset(seed=1)
    assert sys.modules[mine].CALLS


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_such_module:policy", "there is no module 'no_such_module', neither in this folder nor"),
        (
            "needy:policy",
            "needy cannot be imported: ModuleNotFoundError: No module named 'no_such_library' (needy.py, ",
        ),
        ("MINE:polcy", "module MINE has no 'polcy' (did you mean 'policy'?)"),
        ("MINE:player.nose", "has no 'nose'"),
        ("MINE:LOWEST", "3 cannot be called; allowed are a function view -> action"),
        ("MINE:three", "it takes 3 arguments (a, b, c); allowed are"),
        ("MINE:nothing", "5 cannot be called; allowed are"),
        ("MINE:broken", "it could not be made: KeyError: 'weights' (MINE.py, line "),
        ("MINE:policy+trial:3", "an import path takes no options"),
        (
            "MINE:illegal",
            "MINE:illegal as East, asked to play in hand 1, trick 1, answered 69, which is not legal: East cannot ",
        ),
        ("MINE:word", "asked to bid in hand 1, answered 'AS': a whole number from 0 to 69 is expected"),
        ("MINE:bad", "failed: ZeroDivisionError: division by zero (MINE.py, line "),
    ],
)
def test_errors_are_one_line(mine, name, words, capsys):
    name, words = name.replace("MINE", mine), words.replace("MINE", mine)
    assert main(["arena", name, "random", "--hands", "2", "--jobs", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_too_few_answers(mine):
    with pytest.raises(AgentError, match="one action for each is expected"):
        arena.play(f"{mine}:Short", "random", SHORT, games=2)


def test_a_typing_error_is_no_import_path():
    with pytest.raises(AgentError, match=r"unknown agent 'mcc:30x30' \(did you mean 'mc'\?\)"):
        agents.load("mcc:30x30")


def test_where_there_are_only_compiled_rules_views_are_refused():
    batch = agents.Batch.of([Game(seed=1).view(Game(seed=1).turn)])
    bare = agents.Batch(batch.tables, batch.rules, batch.rules_of)
    policy: Callable = lambda view: view.legal_actions()[0]  # noqa: E731
    from spades_env.agents.imported import Imported

    with pytest.raises(AgentError, match="cannot be asked here"):
        Imported("x", policy).act_batch(bare)
    assert Imported("x", policy).act_batch(batch).shape == (1,)


def test_the_path_is_the_folder_that_the_command_is_called_in(mine):
    assert Path(f"{mine}.py").exists()
    agents.load(f"{mine}:policy")
    assert str(Path.cwd()) in sys.path


# Objects instead of import paths


class Acting:
    """A policy that needs to be made."""

    def act(self, view):
        return min(view.legal_actions())


def lowest(view):
    return min(view.legal_actions())


def lowest_of_the_mask(observation, agent):
    return int(observation["action_mask"].argmax())


@pytest.mark.parametrize("policy", [lowest, lowest_of_the_mask, Acting(), Acting])
def test_a_policy_plays_as_it_is(policy):
    result = arena.play(policy, "rb", hands=6, seed=5)
    expected = arena.play(Imported("lowest", lowest), "rb", hands=6, seed=5)
    assert (result.rows == expected.rows).all()
    assert result.a == f"{__name__}:{getattr(policy, '__name__', 'Acting')}"


class Counting(Acting):
    """It says that every decision was made in its place."""

    def __init__(self):
        self.failures = {"timeouts": 0}

    def act(self, view):
        self.failures["timeouts"] += 1
        return super().act(view)


def test_failures_that_it_counts_are_reported():
    counting = Counting()
    counting.failures["timeouts"] = 1000  # before this match
    result = arena.play(counting, "rb", hands=2)
    assert result.as_dict()["stats"]["a"]["timeouts"] == result.moves[0] == 56


@pytest.mark.parametrize("rules", ["house", "house max_hands=1"])
def test_it_sees_no_rules_but_those_of_the_match(rules):
    seen = set()

    def policy(view):
        seen.add(str(view.rules))
        return view.legal_actions()[0]

    arena.play(Imported("mine", policy), "rb", rules, hands=2)
    assert seen == {str(Rules.parse(rules))}


@pytest.mark.parametrize("counted", [{"bored": 1}, {"illegal": "many"}, 7])
def test_failures_of_another_kind_are_refused(counted):
    agent = Imported("mine", lowest, owner=SimpleNamespace(failures=counted))
    with pytest.raises(AgentError, match="a dict with counts of illegal, unreadable, timeouts, crashes is expected"):
        arena.play(agent, "rb", hands=2)
