"""Help by keys in `spades play`: hints, words for screen readers, pages over the table, and what each key means."""

from io import StringIO

import pytest
from support.play.sittings import ONE_HAND
from support.play.terminals import on_screen, seated
from textual.actions import parse

from spades_env.play.review.deals import counted
from spades_env.play.server.requests import review
from spades_env.play.terminal import cursor
from spades_env.play.terminal.app import SpadesApp
from spades_env.play.terminal.keys import KEYS
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.moves import PersonMoves
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.table import TableScreen


@on_screen
async def test_advice_is_shown_and_counted_once(tmp_path):
    async with seated(tmp_path, adviser="standard") as it:
        await it.press("a", "a")
        assert it.view["help"]["hints"] == 1
        assert "1 hint" in it.text
        assert it.table.panels.message.startswith("Bid ")
        assert any("is to choose each: " in line for line in it.table.panels.log.lines)
        assert "Most likely:" in it.text
        assert set(it.table.panels.weights) <= set(it.view["legal"])
        best = max(it.table.panels.weights.values())
        assert 0 < best <= 1
        assert next(iter(it.table.panels.weights.values())) == best  # it has the star
        await it.press("3")
        assert it.table.panels.weights == {}


@on_screen
async def test_words_for_screen_readers(tmp_path):
    log = StringIO()
    async with seated(tmp_path, ONE_HAND, look={"log": log}) as it:
        await it.press("t")
        assert it.table.panels.message == it.view["prompt"]
        await it.press("3", "v")
        assert "You: 0 of 3" in it.table.panels.message
        await it.play_hand()
        events = [event["words"] for event in it.view["events"]]
        assert len(events) == 4 + 52
        lines = log.getvalue().splitlines()
        told = [line for line in lines if line in events]
        assert told == events[-len(told) :]
        assert len(told) >= len(events) - 3  # bots may have bid before the screen was there
        assert sum(line.endswith(("wins the trick", "You win the trick")) for line in lines) == 13
        assert sum(line.startswith("Your turn: ") for line in lines) >= 14


@pytest.mark.parametrize(
    ("key", "kind", "words"),
    [
        ("question_mark", Page, "undo your last move"),
        ("p", Page, "0 of 10 bags"),
        ("g", Page, "Spades are trumps"),
        ("f", Page, "shown when the hand is over"),
        ("b", Page, "no games yet"),
        ("m", Pick, "My games"),
        ("n", NewGame, "Difficulty"),
    ],
)
@on_screen
async def test_what_else_can_be_opened(key, kind, words, tmp_path):
    async with seated(tmp_path) as it:
        await it.press(key)
        assert isinstance(it.screen, kind)
        assert words in it.text
        await it.press("escape")
        assert isinstance(it.screen, TableScreen)


@on_screen
async def test_ten_thousand_deals(tmp_path, monkeypatch):
    monkeypatch.setattr(review, "counted", lambda secret: counted(secret, deals=50))
    async with seated(tmp_path) as it:
        await it.press("m", *["down"] * 8, "enter")
        assert isinstance(it.screen, Page)
        assert "50 deals, all from the secret" in it.text
        assert "expected" in it.text


def test_every_key_has_one_meaning():
    keys = [name for key in KEYS for name in key.keys.split(",")]
    assert len(set(keys)) == len(keys)
    assert {"j", "k", "l", "i", "s", "c", "d", "h", "r", "a", "v", "p", "t", "z", "q"} <= set(keys)


def test_every_key_calls_something():
    """The screen looks these names up only when a key is pressed."""
    for key in KEYS:
        namespace, name, arguments = parse(key.action)
        assert hasattr(SpadesApp if namespace == "app" else TableScreen, f"action_{name}")
        if name in ("cursor", "do"):
            assert hasattr(cursor if name == "cursor" else PersonMoves, str(arguments[0]))
