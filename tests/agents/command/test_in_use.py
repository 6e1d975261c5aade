"""Programs as agents in matches, environments and data sets, at a table, and the examples of them."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import gymnasium
import pytest
from support.agents.programs import LIMIT, LOWEST, SHORT, failures, first, is_running, play_hand
from support.paths import ROOT
from support.snippets import blocks

from spades_env import Game, agents
from spades_env.agents import arena
from spades_env.agents.arena import variants
from spades_env.agents.command import process
from spades_env.agents.command.process import LONGEST_LINE, Process
from spades_env.game.rules import Rules
from spades_env.play.commands.cli import main
from spades_env.play.table.choices import why_not_offered
from spades_env.play.table.table import Table

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of these tests are written for POSIX")

BOTS = ROOT / "agents" / "bots"

# In matches


def test_the_counts_stand_in_the_figures_and_in_the_text(bot, capsys):
    name = bot(
        "for message in messages():\n    if message['id'] == 20: sys.exit(1)\n"
        "    answer(message, 'nonsense' if message['id'] == 10 else None)"
    )
    line = ["arena", name, "random", "--hands", "4", "--jobs", "2", "--rules", "match"]
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {reason: told["stats"]["a"][reason] for reason in failures()} == failures(unreadable=1, crashes=1)
    assert {reason: told["stats"]["b"][reason] for reason in failures()} == failures()
    assert {reason: told[reason] for reason in failures()} == failures(unreadable=1, crashes=1)
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert (
        f"{name}: 1 unreadable answers, 1 answers lost in crashes; a random legal action was played instead." in shown
    )


def test_a_match_against_itself_as_an_agent_of_ours(bot):
    """What the program says is what is played: the lowest legal action, as an agent in Python would."""

    class Lowest(agents.Agent):
        def _choose(self, batch):
            return __import__("numpy").array([view.legal_actions()[0] for view in batch.views()])

    found = arena.play(bot(LOWEST), "bis", SHORT, games=4, jobs=2)
    assert found.rows.tobytes() == arena.play(Lowest("lowest"), "bis", SHORT, games=4, jobs=1).rows.tobytes()
    assert not process._running


def test_in_a_pair_and_in_environments(bot):
    result = arena.play(f"bis/{bot(LOWEST)}", "random", SHORT, games=2)
    assert result.counts["a"]["illegal"] == 0
    for env in (
        gymnasium.make("spades_env:Spades-v0", opponents=bot(LOWEST), episode="hand"),
        gymnasium.make_vec(
            "spades_env:Spades-v0", num_envs=3, vectorization_mode="vector_entry_point", opponents=bot(LOWEST)
        ),
    ):
        env.reset(seed=1)
        env.step(env.unwrapped.action_masks().argmax(-1))  # pyright: ignore[reportAttributeAccessIssue]
        assert process._running
        env.close()
        assert not process._running


@pytest.mark.parametrize(
    "words", [["ladder", "BOT", "random", "--hands", "2"], ["variants", "BOT", "random", "--games", "2"]]
)
def test_other_commands_take_it(bot, words, capsys, monkeypatch):
    hands = {name: rules.replace(target=None, max_hands=1) for name, rules in variants.variants().items()}
    monkeypatch.setattr(variants, "variants", lambda: hands)
    if words[0] == "ladder":
        pytest.importorskip("choix")
    name = bot(LOWEST)
    assert main([word.replace("BOT", name) for word in words] + ["--jobs", "1"]) == 0
    assert name in capsys.readouterr().out


def test_self_play_for_a_dataset(bot, tmp_path, capsys):
    pytest.importorskip("pyarrow")
    assert main(["generate", "--agent", bot(LOWEST), "--hands", "4", "--out", str(tmp_path / "data")]) == 0
    assert "4 hands" in capsys.readouterr().out
    assert not process._running


def test_ctrl_c_waits_for_no_program(bot, tmp_path):
    """The command ends while the program still thinks, and so does the program."""
    name = bot(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n" + "for message in messages():\n"
               "    if message['id'] > 8: time.sleep(60)\n    answer(message)")  # fmt: skip
    environment = os.environ | {LIMIT: "300", "PYTHONPATH": str(ROOT)}
    line = [
        sys.executable,
        "-m",
        "spades_env.play.commands.cli",
        "arena",
        name,
        "random",
        "--games",
        "20",
        "--jobs",
        "2",
    ]
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job in a shell's background ignores Ctrl-C
    command = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=heed)
    deadline = time.monotonic() + 300
    while not (tmp_path / "pid").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(3)
    command.send_signal(signal.SIGINT)
    _, errors = command.communicate(timeout=30)
    assert command.returncode == 130, errors
    assert not is_running(int((tmp_path / "pid").read_text()))


# The examples


@pytest.mark.parametrize("name", ["simple.py", "simple.js"])
def test_the_examples_play_a_hand(name):
    agent = agents.load(example(name))
    games = [play_hand(agent, seed) for seed in range(2)]
    agent.close()
    assert agent.failures == failures()
    assert all(4 <= sum(bid for bid in game.bids if bid is not None) <= 16 for game in games)


def test_the_examples_play_alike_under_all_rules():
    one, other = (agents.load(example(name)) for name in ("simple.py", "simple.js"))
    for rules in map(Rules.preset, Rules.presets()):
        game = Game(rules.replace(blind_nil_deficit=0) if rules.bidding == "free" else rules, seed=1)
        while not game.results:
            view = game.view(game.turn)
            action = one.act(view)
            assert action == other.act(view)
            game.apply(action)
    one.close()
    other.close()
    assert one.failures == other.failures == failures()


def example(name: str) -> str:
    program = sys.executable if name.endswith(".py") else shutil.which("node")
    if not program:
        pytest.skip("node is not installed")
    return f"cmd:{shlex.quote(program)} {shlex.quote(str(BOTS / name))}"


def test_the_page_shows_the_example():
    shown = next(block.text for block in blocks() if block.page == "agents.md" and block.file == "simple.py")
    assert shown == (BOTS / "simple.py").read_text(encoding="utf-8")
    assert len(shown.splitlines()) < 40


def test_the_page_names_every_fact_of_a_view():
    page = " ".join((ROOT / "docs" / "agents.md").read_text(encoding="utf-8").split())
    data = first().to_dict()
    assert [key for key in data if f"`{key}`" not in page] == []
    for told in (LIMIT, f"{LONGEST_LINE:,}", "100 starts", "three failures in a row"):
        assert told in page
    lines = [block.text for block in blocks() if block.page == "agents.md" and block.language == "json"]
    assert all(json.loads(line) for text in lines for line in text.splitlines())


def test_a_process_by_itself():
    one = Process([sys.executable, "-c", "print(input()); print(input())"], '{"action": "hello"}')
    assert one.ask('{"action": "AS"}', 1, 20)["action"] in ("hello", "AS")
    one.end()
    assert one not in process._running


# At the table


def test_it_sits_at_a_table(bot):
    table = Table(SHORT, [bot(LOWEST)] * 4, {}, seed=3)
    for _ in range(8):
        assert table.step()
    assert len(process._running) == 4
    for seat in range(4):
        table.seats.agent(seat).close()


def test_only_the_host_can_bring_it_to_the_table():
    name = f"cmd:{sys.executable}"
    assert "cannot be chosen" in (why_not_offered([name]) or "")
    assert why_not_offered([name], also=[name]) is None
