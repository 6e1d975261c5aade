"""The `spades` command as a whole: at once there, completed by shells, with exit codes that scripts can trust."""

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import pytest
from support.paths import ROOT

from spades_env.play.commands import cli
from spades_env.play.commands.cli import COMMANDS, main, parser

COMMAND = [sys.executable, "-m", "spades_env.play.commands.cli"]
HEAVY = {"numba", "torch", "textual", "rich", "starlette", "spades_env.game", "spades_env.agents"}


@pytest.mark.parametrize("words", [["--help"], ["nonsense"], []])
def test_nothing_heavy_is_imported_before_a_command_is_chosen(words):
    code = f"""
import sys
from spades_env.play.commands.cli import main
try:
    main({words})
except SystemExit:
    pass
print(sorted({HEAVY} & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr.splitlines()[-1] == "[]"
    assert ("usage: spades" in done.stdout) == (words == ["--help"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_that_it_understands(name, capsys):
    with pytest.raises(SystemExit, match=r"^0$"):
        main([name, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith(f"usage: spades {name}")
    example = f"spades {name} {COMMANDS[name].arguments}"
    assert f"for example: {example}".strip() in shown
    words = example.split(" > ")[0].split()
    assert words[:2] == ["spades", name]
    assert parser(name).parse_args(words[1:]).command == name


def test_the_version_is_the_one(capsys):
    from spades_env import __version__

    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0
    assert capsys.readouterr().out == f"spades {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_it(shell, capsys, tmp_path):
    pytest.importorskip("shtab", reason="completion needs shtab")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)
    assert "blind_nil_deficit" in script or "--rules" in script or "-l rules" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        assert subprocess.run([shell, "-n", str(tmp_path / "script")]).returncode == 0


def test_completion_without_its_library(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert capsys.readouterr().err == 'spades: this needs shtab: pip install "spades-env[completion]"\n'


def test_nobody_reads_on():
    """A closed pipe ends the command without a word."""
    code = "import sys; from spades_env.play.commands.cli import main; sys.exit(main(['rules', '--options']))"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-c", code], stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (cli.UNREAD, "")


def test_stopped_by_hand_in_one_line(tmp_path):
    """Ctrl-C in the midst of a long command."""
    pytest.importorskip("pyarrow", reason="datasets need pyarrow")
    out = tmp_path / "data"
    words = ["generate", "--agent", "rule", "--hands", "1000000", "--shard-hands", "20", "--out", str(out)]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # who is started in the background is deaf to it
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True, cwd=ROOT, preexec_fn=heard) as process:
        try:
            while process.poll() is None and not list(out.glob("decisions/*.parquet")):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == cli.STOPPED
    assert told == f"spades: stopped; {out} keeps whole files: the same command continues\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "required: COMMAND"),
        (["nonsense"], "invalid choice: 'nonsense' (choose from"),
        (["arena", "random"], "required: B"),
        (["arena", "random", "randm"], "unknown agent 'randm' (did you mean 'random'?)"),
        (["arena", "random", "random", "--games", "3"], "games must be an even number"),
        (["arena", "random", "random", "--games", "x"], "--games: it takes a whole number, not 'x'"),
        (["arena", "random", "random", "--hands", "2", "--games", "2"], "not allowed with argument"),
        (["arena", "random", "random", "--rules", "whist"], "unknown preset 'whist'"),
        (["arena", "random", "random", "--set", "trumps=clubs"], "trumps cannot be 'clubs'"),
        (["arena", "random", "random", "--seed", "-1"], "seed must be a whole number"),
        (["arena", "random", "random", "--html", "no/such/folder/page.html"], "there is no folder no/such/folder"),
        (["ladder", "random"], "two agents or more"),
        (["ladder", "random", "random"], "random is named twice"),
        (["table", "--absent", "x"], "--absent: it takes a number, not 'x'"),
        (["rules", "whist"], "unknown preset 'whist' (did you mean 'whiz'?); expected one of classic"),
        (["rules", "classic", "target=x"], "target cannot be 'x': it takes a whole number from 1 to 10000, or off"),
        (["rules", "--options", "solo"], "it takes no rules beside it"),
        (["rules", "no/such.toml"], "the rules file no/such.toml cannot be read"),
        (["replay", "nofile", "--data", "no/folder"], "'nofile' is neither a file nor a saved game of no/folder"),
        (["replay", "tests"], "tests: is a directory"),
        (["train", "none"], "unknown recipe 'none'; expected a file, or one of gpu, presets, quick, standard"),
        (["train", "quick", "--set", "x"], "--set takes KEY=VALUE"),
        (["train", "quick", "--set", "nokey=1"], "unknown key nokey; expected one of name"),
        (["export", "no/run", "--out", "x.safetensors"], "no/run"),
        (["roster", "train", "nobody"], "unknown character 'nobody'"),
        (["generate", "--agent", "rule", "--hands", "0", "--out", "no/data"], "hands must be a whole number from 1"),
        (["generate", "--agent", "nobody", "--hands", "1", "--out", "no/data"], "unknown agent 'nobody'"),
        (["bench", "--repeats", "0"], "repeats must be a whole number from 1"),
        (["bench", "--quick", "--write"], "not allowed with argument"),
        (["completion"], "required: bash|zsh|fish"),
        (["completion", "tcsh"], "invalid choice: 'tcsh' (choose from"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, told, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    if "export" in words:
        pytest.importorskip("torch", reason="exporting needs torch")
    if "generate" in words:
        pytest.importorskip("pyarrow", reason="datasets need pyarrow")
    assert main(words) == cli.REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.startswith("spades: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("fault", [ValueError("operands could not be broadcast"), TypeError("not a number")])
def test_a_fault_of_ours_keeps_its_traceback(fault, monkeypatch):
    def play(*given, **named):
        raise fault

    monkeypatch.setattr("spades_env.agents.arena.match.even", play)
    with pytest.raises(type(fault), match=str(fault)):
        main(["arena", "random", "rb", "--games", "2"])


def test_speed_is_measured_in_the_source_alone(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "benchmarks.options", None)
    assert main(["bench"]) == cli.REFUSED
    assert "come with the source, not with the package" in capsys.readouterr().err
