"""The Dockerfile for hosts: what it copies is there and is all that a wheel takes in, and its command can be run."""

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env.play.server.table_command import add_table_arguments

FILE = ROOT / "examples" / "hosting" / "Dockerfile"
STEPS = FILE.read_text(encoding="utf-8")


def copied() -> Iterator[Path]:
    for words in re.findall(r"^COPY (.+)$", STEPS, re.MULTILINE):
        yield from map(Path, words.split()[:-1])


def test_what_is_copied_is_all_that_a_wheel_takes_in():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [*wheel["packages"], *wheel["force-include"], project["project"]["readme"], "LICENSE", "pyproject.toml"]
    found = list(copied())
    assert all((ROOT / path).exists() for path in found)
    for path in map(Path, needed):
        assert any(path.is_relative_to(one) for one in found), path


@pytest.mark.parametrize("more", [[], ["--allow", "192.168.1.5"]])
def test_the_command_can_be_run(more):
    [entry] = re.findall(r"^ENTRYPOINT (.+)$", STEPS, re.MULTILINE)
    program, command, *words = json.loads(entry)
    assert (program, command) == ("spades", "table")
    parser = argparse.ArgumentParser()
    add_table_arguments(parser)
    options = parser.parse_args(words + more)
    assert (options.host, str(options.data), options.no_browser) == ("0.0.0.0", "/data", True)
    assert f"EXPOSE {options.port}\n" in STEPS
