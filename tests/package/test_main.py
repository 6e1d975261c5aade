"""`python -m spades_env`: a game in the terminal, and clear refusals."""

import subprocess
import sys

import pytest

from spades_env import Rules
from spades_env.__main__ import UNREAD, main


def test_a_seeded_game_is_told_to_its_end(capsys):
    arguments = ["--seed", "7", "--set", "target=off", "--set", "max_hands=3"]
    assert main(arguments) == 0
    output = capsys.readouterr().out
    assert output.count("South & North: ") == 3
    assert "hand 1 of 3" in output
    assert output.rstrip().endswith(("won.", "A draw."))
    main(arguments)
    assert capsys.readouterr().out == output


@pytest.mark.parametrize("rules", Rules.presets())
def test_every_preset_can_be_watched(rules):
    assert main(["--rules", rules, "--seed", "1", "--hands", "2"]) == 0


def test_a_long_game_is_stopped(capsys):
    assert main(["--rules", "solo", "--seed", "1", "--hands", "2"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("Stopped after 2 hands.")


def test_somebody_who_reads_a_few_lines_only():
    with subprocess.Popen(
        [sys.executable, "-m", "spades_env", "--seed", "7"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as shown:
        assert shown.stdout
        assert shown.stderr
        shown.stdout.close()
        assert shown.stderr.read() == b""
    assert shown.returncode == UNREAD


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "whist"], "unknown preset 'whist'"),
        (["--set", "trumps=clubs"], "trumps cannot be 'clubs'"),
        (["--seed", "-1"], "seed must be a whole number"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(arguments, words, capsys):
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


def test_rules_from_a_file_with_changes(tmp_path, capsys):
    path = tmp_path / "mine.rules"
    path.write_text('base = "solo"\ntarget = 90\n', encoding="utf-8")
    assert main(["--rules", str(path), "--set", "target=80", "--seed", "1", "--hands", "1"]) == 0
    assert capsys.readouterr().out.startswith("Rules: solo target=80 ")


def test_hands_are_at_least_one(capsys):
    assert main(["--hands", "0"]) == 2
    assert "hands must be a whole number from 1" in capsys.readouterr().err
