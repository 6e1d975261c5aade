import sys

import pytest
from support.agents.programs import LIMIT, LOOP


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Write a program and return its agent's string."""
    monkeypatch.setenv(LIMIT, "20")

    def write(body: str, name: str = "bot.py") -> str:
        (tmp_path / name).write_text(LOOP + body)
        return f"cmd:{sys.executable} {tmp_path / name}"

    return write
