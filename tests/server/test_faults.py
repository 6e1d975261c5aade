"""A fault of ours keeps its traceback, and the page reads one sentence; a refusal is read in its own words."""

from collections.abc import Callable

import numpy as np
import pytest
from support.play.servers import owner, running

from spades_env.errors import SpadesError
from spades_env.play.server.errors import OWN_FAULT
from spades_env.play.table.seats import Question


def fail(*_) -> np.ndarray:
    return np.zeros(2) + np.zeros(3)


def refuse(*_) -> None:
    raise SpadesError("the adviser is asleep")


CASES = [(fail, OWN_FAULT, True), (refuse, "The adviser is asleep", False)]


@pytest.mark.parametrize(("planted", "words", "traced"), CASES)
def test_in_a_request(tmp_path, monkeypatch, capsys, planted: Callable, words: str, traced: bool):
    with running(tmp_path) as server:
        page = owner(server)
        page.until(page.to_move)
        monkeypatch.setattr(Question, "hint", planted)
        assert page.refused("hint", version=page.view["version"]) == words
        page.until(lambda: page.view["version"] == server.table(page).version)
        page.act(page.view["legal"][0])
    assert ("operands could not be broadcast" in capsys.readouterr().err) == traced


@pytest.mark.parametrize(("planted", "words", "traced"), CASES)
def test_in_a_bots_move(tmp_path, monkeypatch, capsys, planted: Callable, words: str, traced: bool):
    with running(tmp_path) as server:
        page = owner(server)
        page.until(page.to_move)
        monkeypatch.setattr(Question, "answer", planted)
        page.act(page.view["legal"][0])
        page.until(lambda: any(words in heard for heard in page.heard), 20)
        page.done("sittings")
    assert ("operands could not be broadcast" in capsys.readouterr().err) == traced
