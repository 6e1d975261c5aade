"""Programs in any language as agents: what they are sent, and that nothing they do holds a match up or ends it."""

import gc
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import gymnasium
import pytest
from support.paths import ROOT
from support.snippets import blocks

from spades_env import Game, agents
from spades_env._jit import wrap_around
from spades_env.agents import arena
from spades_env.agents.agent_name import COMMAND, AgentName
from spades_env.agents.base import AgentError
from spades_env.agents.command import process
from spades_env.agents.command.process import LONGEST_LINE, Process
from spades_env.agents.command.program import MOST_IN_A_ROW, CommandAgent
from spades_env.agents.registry import fingerprint_source
from spades_env.game.cards import SEATS
from spades_env.game.rules import Rules
from spades_env.play.commands.cli import main
from spades_env.play.table.choices import why_not_offered
from spades_env.play.table.rating import DEFAULT_STARS, stars
from spades_env.play.table.table import Table

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of these tests are written for POSIX")

BOTS = ROOT / "agents" / "bots"
SHORT = "match target=off max_hands=1"
LIMIT = "SPADES_BOT_SECONDS"
LOOP = """
import json, os, signal, sys, time
def answer(message, action=None, **more):
    action = action or message["view"]["legal_actions"][0]
    print(json.dumps({"id": message["id"], "action": action} | more), flush=True)
def messages():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            yield message
"""
LOWEST = "for message in messages(): answer(message)"


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Write a program and return its agent's string."""
    monkeypatch.setenv(LIMIT, "20")

    def write(body: str, name: str = "bot.py") -> str:
        (tmp_path / name).write_text(LOOP + body)
        return f"cmd:{sys.executable} {tmp_path / name}"

    return write


def first(seed: int = 5):
    game = Game(SHORT, seed=seed)
    return game.view(game.turn)


def play_hand(agent: agents.Agent, seed: int = 5) -> Game:
    """Play a hand at all seats; Game raises where an action is not legal."""
    game = Game(SHORT, seed=seed)
    while not game.over:
        game.apply(agent.act(game.view(game.turn)))
    return game


def failures(illegal: int = 0, timeouts: int = 0, crashes: int = 0) -> dict[str, int]:
    return {"illegal": illegal, "timeouts": timeouts, "crashes": crashes}


def is_running(number: int) -> bool:
    """Is there such a process, and is it no zombie?"""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# The string


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("cmd:./mybot", "cmd:./mybot", None),
        ("cmd:./my/bot+x:1 --a=b/c x.safetensors", "cmd:./my/bot+x:1 --a=b/c x.safetensors", None),
        ("bis/cmd:python3 bots/mine.py +1", "bis", "cmd:python3 bots/mine.py +1"),
        ("mc:30x30+rule/cmd:./b/c", "mc:30x30+rule", "cmd:./b/c"),
        ("./x.safetensors+ending:3/cmd:./b x.onnx", "./x.safetensors+ending:3", "cmd:./b x.onnx"),
    ],
)
def test_a_command_reaches_to_the_end(text, first, second):
    one, two = AgentName.parse_pair(text)
    assert (one.text, two and two.text) == (first, second)
    last = two or one
    assert (last.kind, last.setting, last.options) == (COMMAND, last.text.removeprefix("cmd:"), ())
    agents.check_name(text)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cmd:", "expected cmd:COMMAND, such as cmd:python3 mybot.py"),
        ("cmd:  ", "expected cmd:COMMAND"),
        ("cmd:./no_such_bot --fast", "there is no program './no_such_bot'"),
        ("cmd:./plain.txt", "./plain.txt is not executable"),
        ("cmd:'./mybot", "its command has no closing quotation"),
        ("cmd:./my\tbot", "a command is one line of text that can be printed"),
        ("cmd:./noise", "it cannot be started: Exec format error"),
    ],
)
def test_what_is_no_command_is_said_in_one_line(name, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("plain.txt").write_text("text")
    Path("noise").write_bytes(b"\x7fELF nothing")
    Path("noise").chmod(0o755)
    assert main(["arena", name, "random", "--hands", "2", "--jobs", "1"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf", "4000"])
def test_the_limit_must_be_a_number_of_seconds(text, monkeypatch):
    monkeypatch.setenv(LIMIT, text)
    with pytest.raises(AgentError, match=r"SPADES_BOT_SECONDS must be a number of seconds up to 3600, not "):
        agents.load(f"cmd:{sys.executable}")


def test_words_are_parted_as_a_shell_does_and_no_shell_runs_them(bot, tmp_path):
    name = bot("open(sys.argv[1], 'w').write(repr(sys.argv[1:]))\n" + LOWEST, "my bot.py")
    name = name.replace("my bot.py", "my\\ bot.py") + f" '{tmp_path}/two words' '$HOME' a+b:c/d ; ls"
    agent = agents.load(name)
    agent.act(first())
    agent.close()
    told = (tmp_path / "two words").read_text()
    assert told == repr([f"{tmp_path}/two words", "$HOME", "a+b:c/d", ";", "ls"])


def test_files_that_a_command_names_stand_behind_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("one")
    one = fingerprint_source("cmd:python3 bot.py")
    Path("bot.py").write_text("two")
    assert one != fingerprint_source("cmd:python3 bot.py") == fingerprint_source("bis/cmd:python3 ./bot.py")


def test_its_stars_are_the_usual_ones_whatever_its_path():
    assert stars("cmd:./bots/random") == stars("bis/cmd:./a/rb") == DEFAULT_STARS
    assert (stars("bis/random"), stars("rule")) == (1, 3)


# What passes


def test_the_lines_that_a_program_gets(bot, tmp_path):
    log = tmp_path / "log"
    name = bot(
        f"for line in sys.stdin:\n    open({str(log)!r}, 'a').write(line); message = json.loads(line)\n"
        "    if message['type'] == 'decide': answer(message)"
    )
    agent, view = agents.load(name, seed=12), first()
    agent.act(view)
    agent.close()
    hello, question = map(json.loads, log.read_text().splitlines())
    rules = hello.pop("rules")
    assert Rules.from_dict(rules) == view.rules
    version = __import__("spades_env").__version__
    wanted = {"type": "hello", "protocol": 1, "version": version, "seed": 12, "seconds": 20.0, "seats": list(SEATS)}
    assert hello == wanted
    assert question == {"type": "decide", "id": 1, "view": view.to_dict()}


def test_one_process_for_all_questions_and_none_before_the_first(bot, tmp_path):
    log = tmp_path / "log"
    name = bot(f"open({str(log)!r}, 'a').write('started\\n')\n" + LOWEST)
    agent = agents.load(name)
    assert not log.exists()
    play_hand(agent)
    agent.act_batch([first(seed) for seed in range(5)])
    agent.close()
    assert log.read_text() == "started\n"
    assert agent.failures == failures()


def test_a_batch_is_answered_as_one_by_one(bot):
    name = bot("for message in messages(): answer(message, message['view']['legal_actions'][-1])")
    agent, views = agents.load(name), [first(seed) for seed in range(8)]
    assert agent.act_batch(views).tolist() == [view.legal_actions()[-1] for view in views]
    agent.close()


def test_late_and_early_lines_are_told_by_their_ids(bot):
    """An answer to an earlier question is ignored; an answer without an id belongs to the last question."""
    name = bot(
        "for message in messages():\n    answer(message, 'bid:13', id=0)\n"
        "    print(json.dumps({'action': message['view']['legal_actions'][0]}), flush=True)"
    )
    agent = agents.load(name)
    play_hand(agent)
    agent.close()
    assert agent.failures == failures()


def test_several_threads(bot):
    agent = agents.load(bot(LOWEST))
    with ThreadPoolExecutor(4, initializer=wrap_around) as pool:
        games = list(pool.map(lambda seed: play_hand(agent, seed), range(4)))
    agent.close()
    assert len(games) == 4
    assert agent.failures == failures()


# What goes wrong


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("for message in messages(): answer(message, '2Z')", "'2Z' isn't a card"),
        ("for message in messages(): answer(message, 'look')", "cannot look at the cards"),
        ("for message in messages(): answer(message, 7)", "an answer is a line such as"),
        ("for message in messages(): answer(message, id=message['id'] + 1)", "which was not asked yet"),
        ("for message in messages(): answer(message, id='one')", "an answer is a line such as"),
        ("for message in messages(): print('I think …', flush=True)", "an answer is a line such as"),
        ("for message in messages(): print('[' * 5000, flush=True)", "an answer is a line such as"),
        ("for message in messages(): print('{\"id\": ' + '9' * 5000 + '}', flush=True)", "an answer is a line such as"),
        ("for message in messages(): print(flush=True)", "an answer is a line such as"),
        ("for message in messages(): os.write(1, os.urandom(400).replace(b'{', b'\\xff') + b'\\n')", "it wrote "),
        ("for message in messages(): print('x' * 10**6, flush=True)", "a line of more than 65,536 bytes"),
    ],
)
def test_illegal_and_malformed_answers_are_counted(bot, body, words, caplog):
    agent = agents.load(bot(body))
    game = play_hand(agent)
    agent.close()
    assert agent.failures == failures(illegal=len(game.moves))
    assert len(caplog.messages) == 1
    assert words in caplog.messages[0]
    assert caplog.messages[0].endswith("A random legal action is played instead")


def test_the_action_played_instead_is_that_of_random(bot):
    agent, views = agents.load(bot("for message in messages(): print(flush=True)"), seed=3), list(map(first, range(6)))
    assert agent.act_batch(views).tolist() == agents.load("random", seed=3).act_batch(views).tolist()
    agent.close()


def test_a_single_bad_answer_costs_a_single_action(bot):
    agent = agents.load(bot("for message in messages(): answer(message, 'AS' if message['id'] == 1 else None)"))
    play_hand(agent)
    agent.close()
    assert agent.failures == failures(illegal=1)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "sys.stderr.write('no weights\\n'); sys.exit(3)",
            "ended with exit status 3 (its errors end with: no weights)",
        ),
        ("for message in messages(): os.kill(os.getpid(), signal.SIGSEGV)", "it was ended by SIGSEGV"),
        ("for message in messages(): os.close(1); os.close(2); time.sleep(60)", "it closed its input or its output"),
        ("os.close(0); os.close(1); time.sleep(60)", "it closed its input or its output"),
        ("for message in messages(): sys.stderr.write('x' * 10**6 + '\\n'); sys.exit(1)", "x" * 200 + ")"),
        ("for message in messages(): sys.stderr.buffer.write(bytes(range(256))); sys.exit(1)", "exit status 1"),
    ],
)
def test_a_program_that_ends_is_started_again_a_few_times(bot, body, words, caplog):
    agent = agents.load(bot(body))
    game = play_hand(agent)
    assert agent.failures == failures(crashes=len(game.moves))
    assert words in caplog.messages[0]
    assert caplog.messages[1].endswith(
        "failed 3 times in a row: it is not started again, and plays at random from now on"
    )
    assert len(caplog.messages) == 2
    assert all(line.isprintable() for line in caplog.messages)


def test_a_program_that_ends_now_and_then_plays_on(bot, tmp_path):
    name = bot(f"open({str(tmp_path / 'log')!r}, 'a').write('+')\nfor i, message in enumerate(messages()):\n"
               "    if i == 4: sys.exit(0)\n    answer(message)")  # fmt: skip
    agent = agents.load(name)
    game = play_hand(agent)
    agent.close()
    starts = len((tmp_path / "log").read_text())
    assert 8 < starts <= len(game.moves) // 5 + 1
    assert agent.failures == failures(crashes=len(game.moves) // 5)


def test_starts_are_bounded_in_all(bot, monkeypatch):
    monkeypatch.setattr("spades_env.agents.command.program.MOST_STARTS", 4)
    agent = agents.load(bot("for i, message in enumerate(messages()):\n    if i: sys.exit(0)\n    answer(message)"))
    game = play_hand(agent)
    assert agent.failures == failures(crashes=len(game.moves) - 4)


def test_closing_gives_it_another_chance(bot, tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("")
    agent = agents.load(bot(f"if os.path.exists({str(broken)!r}): sys.exit(1)\n" + LOWEST))
    agent.act_batch(list(map(first, range(MOST_IN_A_ROW + 2))))
    broken.unlink()
    agent.act(first())
    assert agent.failures == failures(crashes=MOST_IN_A_ROW + 3)
    agent.close()
    agent.act(first())
    assert agent.failures == failures(crashes=MOST_IN_A_ROW + 3)
    agent.close()


def test_late_answers_are_counted_and_the_program_is_ended(bot, monkeypatch, caplog, tmp_path):
    log = tmp_path / "log"
    body = f"open({str(log)!r}, 'a').write(f'{{os.getpid()}} ')\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    name = bot(body + "for message in messages(): time.sleep(60)")
    monkeypatch.setenv(LIMIT, "0.5")
    agent, begun = agents.load(name), time.monotonic()
    agent.act_batch(list(map(first, range(5))))
    assert time.monotonic() - begun < 30
    assert agent.failures == failures(timeouts=3, crashes=2)
    assert "no answer in 1.5 seconds; does it flush its output after each line?" in caplog.messages[0]
    assert not any(is_running(int(number)) for number in log.read_text().split())


@pytest.mark.parametrize(
    "body",
    [
        "for message in messages():\n    while True: sys.stdout.write('x' * 65536)",  # a line without an end
        "for message in messages():\n    while True: answer(message, id=0)",  # a flood of old answers
        "time.sleep(60)",  # it reads nothing
        "for message in messages(): sys.stdout.write('{\"action\": '); sys.stdout.flush(); time.sleep(60)",
    ],
)
def test_floods_and_silence_end_in_time(bot, body, monkeypatch):
    name = bot(body)
    monkeypatch.setenv(LIMIT, "0.4")
    agent, begun = agents.load(name), time.monotonic()
    agent.act_batch(list(map(first, range(4))))
    agent.close()
    assert time.monotonic() - begun < 30
    assert sum(agent.failures.values()) == 4


def test_a_flood_before_a_question_is_no_answer(bot):
    agent = agents.load(bot("print('noise\\n' * 5000, end='', flush=True)\n" + LOWEST))
    agent.act_batch(list(map(first, range(4))))
    agent.close()
    assert agent.failures["timeouts"] == agent.failures["crashes"] == 0


# The end


def started(agent: agents.Agent) -> int:
    """The number of the process of an agent that has been asked."""
    assert isinstance(agent, CommandAgent)
    assert agent._process
    return agent._process._popen.pid


STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + LOWEST + "\ntime.sleep(60)"


@pytest.mark.parametrize("body", [LOWEST, STUBBORN])
def test_a_process_ends_with_its_agent(bot, body):
    agent = agents.load(bot(body))
    agent.act(first())
    number = started(agent)
    assert is_running(number)
    del agent
    gc.collect()
    assert not Path(f"/proc/{number}").exists()  # no zombie either


def test_closing_ends_what_the_program_started_too(bot, tmp_path):
    child = tmp_path / "child"
    body = f"import subprocess\nopen({str(child)!r}, 'w').write(str(subprocess.Popen(['sleep', '60']).pid))\n"
    agent = agents.load(bot(body + LOWEST))
    agent.act(first())
    assert is_running(int(child.read_text()))
    agent.close()
    agent.close()
    deadline = time.monotonic() + 5
    while is_running(int(child.read_text())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(int(child.read_text()))


DAEMON = """
if not os.fork():
    os.setsid()
    if os.fork(): os._exit(0)
    os.closerange(0, 3)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(CHILD + ".part", "w").write(str(os.getpid()))
    os.rename(CHILD + ".part", CHILD)
    time.sleep(60)
    os._exit(0)
while not os.path.exists(CHILD): time.sleep(0.01)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing tells who has started a daemon")
@pytest.mark.parametrize("body", [LOWEST, "for message in messages():\n    answer(message)\n    sys.exit()"])
def test_closing_ends_daemons_too(bot, tmp_path, body):
    """They have a session of their own, and are nobody's children. The second program ends before it is told to."""
    child = tmp_path / "child"
    agent = agents.load(bot(f"CHILD = {str(child)!r}\n{DAEMON}{body}"))
    agent.act(first())
    daemon = int(child.read_text())
    assert is_running(daemon)
    agent.close()
    assert not is_running(daemon)


def test_closing_wakes_up_whoever_waits(bot):
    agent, told = agents.load(bot("for message in messages(): time.sleep(60)")), []
    views = list(map(first, range(50)))

    def ask():
        with pytest.raises(AgentError, match="was closed while it was asked"):
            agent.act_batch(views)
        told.append("woken")

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    begun = time.monotonic()
    agent.close()
    for thread in threads:
        thread.join(15)
    assert told == ["woken"] * 2
    assert time.monotonic() - begun < 10


def test_a_copy_of_the_program_leaves_the_process_alone(bot):
    agent = agents.load(bot(LOWEST))
    agent.act(first())
    number, one = started(agent), agent._process  # pyright: ignore[reportAttributeAccessIssue]
    one._owner -= 1
    one.end(at_once=True)
    assert is_running(number)
    agent.act(first())
    assert started(agent) != number
    agent.close()
    one._owner += 1
    one.end()


@pytest.mark.parametrize(
    "leave", ["sys.exit(0)", "raise ValueError", "threading.Thread(target=time.sleep, args=(2,)).start()"]
)
def test_processes_end_with_python(bot, leave, tmp_path):
    name = bot(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n" + STUBBORN)
    code = (
        f"import sys, threading, time\nfrom spades_env import Game, agents\nbot = agents.load({name!r})\n"
        f"game = Game({SHORT!r}, seed=5)\nbot.act(game.view(game.turn))\n{leave}\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, timeout=60)
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_end_all_ends_all(bot):
    every = [agents.load(bot(LOWEST)) for _ in range(2)]
    for agent in every:
        agent.act(first())
    numbers = list(map(started, every))
    process.end_all()
    assert not any(map(is_running, numbers))


# In matches


def test_the_counts_stand_in_the_figures_and_in_the_text(bot, capsys):
    name = bot(
        "for message in messages():\n    if message['id'] == 20: sys.exit(1)\n"
        "    answer(message, 'nonsense' if message['id'] == 10 else None)"
    )
    line = ["arena", name, "random", "--hands", "4", "--jobs", "2", "--rules", "match"]
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {reason: told["stats"]["a"][reason] for reason in failures()} == failures(illegal=1, crashes=1)
    assert {reason: told["stats"]["b"][reason] for reason in failures()} == failures()
    assert {reason: told[reason] for reason in failures()} == failures(illegal=1, crashes=1)
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert f"{name}: 1 illegal answers, 1 answers lost in crashes; a random legal action was played instead." in shown


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
        env.close()


@pytest.mark.parametrize(
    "words", [["ladder", "BOT", "random", "--hands", "2"], ["variants", "BOT", "random", "--games", "2"]]
)
def test_other_commands_take_it(bot, words, capsys):
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


@pytest.mark.parametrize("name", ["simple.py", "simple.js"])
def test_the_page_shows_the_examples(name):
    shown = next(block.text for block in blocks() if block.page == "own_bot.md" and block.file == name)
    assert shown == (BOTS / name).read_text(encoding="utf-8")
    assert len(shown.splitlines()) < 40


def test_the_page_names_every_fact_of_a_view():
    page = " ".join((ROOT / "docs" / "own_bot.md").read_text(encoding="utf-8").split())
    data = first().to_dict()
    assert [key for key in data if f"`{key}`" not in page] == []
    for told in (LIMIT, f"{LONGEST_LINE:,}", "100 times", "three failures in a row"):
        assert told in page
    lines = [block.text for block in blocks() if block.page == "own_bot.md" and block.language == "json"]
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
