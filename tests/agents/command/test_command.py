"""Programs in any language as agents: what they are sent, and that nothing they do holds a match up or ends it."""

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.agents.programs import LIMIT, LOWEST, failures, first, is_running, play_hand

from spades_env import agents
from spades_env._jit import wrap_around
from spades_env.agents.agent_name import COMMAND, AgentName
from spades_env.agents.base import AgentError
from spades_env.agents.command.program import MOST_IN_A_ROW
from spades_env.agents.registry import fingerprint_source
from spades_env.game.cards import SEATS
from spades_env.game.rules import Rules
from spades_env.play.commands.cli import main
from spades_env.play.table.rating import DEFAULT_STARS, stars

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of these tests are written for POSIX")


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
def test_unreadable_answers_are_counted(bot, body, words, caplog):
    agent = agents.load(bot(body))
    game = play_hand(agent)
    agent.close()
    assert agent.failures == failures(unreadable=len(game.moves))
    assert len(caplog.messages) == 1
    assert words in caplog.messages[0]
    assert caplog.messages[0].endswith("A random legal action is played instead")


def test_the_action_played_instead_is_that_of_random(bot):
    agent, views = agents.load(bot("for message in messages(): print(flush=True)"), seed=3), list(map(first, range(6)))
    assert agent.act_batch(views).tolist() == agents.load("random", seed=3).act_batch(views).tolist()
    agent.close()


def test_illegal_answers_are_counted_apart(bot, caplog):
    agent = agents.load(bot("for message in messages(): answer(message, 'look')"))
    game = play_hand(agent)
    agent.close()
    assert agent.failures == failures(illegal=len(game.moves))
    assert "cannot look at the cards" in caplog.messages[0]


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
    assert (
        "no answer in 1.5 seconds (does it read line by line, and flush each answer?). A random" in caplog.messages[0]
    )
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
