"""What a tutorial shows below a command is what the command prints."""

import re
import shlex
import sys

import pytest
from support.paths import ROOT
from support.snippets import blocks

from spades_env._jit import JIT_ON
from spades_env.play.commands import cli

SHOWN = re.compile(r"^    spades ([^\n]+)\n\n```text\n(.*?)```", re.DOTALL | re.MULTILINE)


@pytest.mark.skipif(not JIT_ON, reason="the arena needs the compiler")
def test_the_tutorials_match_is_what_the_arena_prints(tmp_path, monkeypatch, capsys):
    """Games follow from the seed, so every digit that is shown does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    code = next(block.text for block in blocks() if block.file == "cautious.py")
    (tmp_path / "cautious.py").write_text(code, encoding="utf-8")
    ((command, output),) = SHOWN.findall((ROOT / "docs" / "tutorial_arena.md").read_text(encoding="utf-8"))
    assert cli.main([*shlex.split(command), "--jobs", "1"]) == 0
    assert capsys.readouterr().out.startswith(output)
