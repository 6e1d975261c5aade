"""The distributions, built once for the tests of a process."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT


@pytest.fixture(scope="session")
def dist(tmp_path_factory) -> Path:
    """Return a folder with the wheel and the source distribution."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="session")
def wheel(dist) -> Path:
    return next(dist.glob("*.whl"))
