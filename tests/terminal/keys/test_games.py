"""Whole games by keys in `spades play`: played, left, taken back, and saved or refused."""

import sqlite3
import threading

from support.play.terminals import TWO_HANDS, on_screen, seated

from spades_env.play import ready
from spades_env.play.server.rooms import bots
from spades_env.play.store.sitting_rows import OVER
from spades_env.play.store.statistics import statistics
from spades_env.play.table.seats import Question
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.table import TableScreen


@on_screen
async def test_a_whole_game_by_keys(tmp_path):
    async with seated(tmp_path, TWO_HANDS, counted=True) as it:
        await it.play_hand()
        assert "Hand 1" in it.text
        await it.press("space")
        await it.play_hand()
        assert "A game this short doesn't change your rating." in it.text
        await it.press("space")
        assert it.view["outcome"]
        assert {"win": "You won", "loss": "You lost", "draw": "A draw"}[it.view["outcome"]["outcome"]] in it.text
        store, key = it.store, it.key
        assert statistics(store, "Anna").total.games == 1
        assert [saved.state for saved in store.sittings()] == [OVER]
        assert len(store.hands.of(key)) == 2
        await it.press("q")
    assert it.app.return_value is None


@on_screen
async def test_who_leaves_reads_that_the_game_is_kept(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("3", "q")
    assert it.app.return_value == "Your game is saved. Run spades play to resume it."


@on_screen
async def test_who_waits_for_a_bot_that_is_being_compiled_reads_so(tmp_path, monkeypatch):
    ready_to_answer, answer = threading.Event(), Question.answer
    ready_to_answer.set()
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "compiling", lambda: True)
    monkeypatch.setattr(Question, "answer", lambda asked: ready_to_answer.wait(60) and answer(asked))
    async with seated(tmp_path, start={"dealer": 1}) as it:
        ready_to_answer.clear()
        it.app.simulate_key("3")
        while ready.COMPILING_BOTS not in it.text:
            await it.pilot.pause(0.01)
        ready_to_answer.set()
        await it.settle()
        assert "compiled" not in it.text
        assert it.view["your_turn"]


@on_screen
async def test_takeback_across_a_hand(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        cards = it.view["lanes"]
        await it.play_hand()
        await it.press("space")
        assert it.view["hand_number"] == 2
        if it.view["your_turn"]:
            await it.press("4")
        moves = it.view["can"]["takeback"]
        await it.press("Z")
        assert isinstance(it.screen, Pick)
        await it.press(*["down"] * (moves - 1), "enter")
        assert (it.view["hand_number"], it.view["phase"], it.view["lanes"]) == (1, "bid", cards)
        assert it.view["help"]["takebacks"] == moves
        assert "Move undone" in it.text
        await it.play_hand()
        assert len(it.store.hands.of(it.key)) == 1
        assert len(it.store.hands.of(it.key, taken_back=True)) == 1


@on_screen
async def test_a_takeback_where_there_is_none(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("z")
        assert "You have no move to undo" in it.text
        await it.press("Z")
        assert isinstance(it.screen, TableScreen)


@on_screen
async def test_proofs_come_with_the_open_cards(tmp_path):
    async with seated(tmp_path, TWO_HANDS, seed=None) as it:
        hashes = it.view["fair"]["hands"]
        await it.press("f")
        assert hashes[0] in it.text
        assert "The secret that all hands are dealt from" in it.text
        assert "128 random bits" in it.text
        assert "sha256sum" not in it.text
        await it.press("escape")
        await it.play_hand()
        await it.press("space", "e", "y", "escape", "f")
        assert hashes[0] in it.text
        assert it.text.count("sha256sum") == 1


@on_screen
async def test_what_cannot_be_kept_has_not_happened(tmp_path, monkeypatch):
    """On a full disk a bot's move and a takeback are refused; once there is space, the bots go on."""
    async with seated(tmp_path, start={"dealer": 1}) as it:
        kept = iter([False])  # one move can be kept

        def full(*_):
            if (answer := next(kept, None)) is None:
                raise sqlite3.OperationalError("database or disk is full")
            return answer

        monkeypatch.setattr(it.store, "is_given_up", full)
        await it.press("3")
        assert "This could not be saved, so it was not done: database or disk is full" in it.text
        assert [seat["bid"] for seat in it.view["seats"]] == [3, None, None, None]
        await it.press("z")
        assert it.view["seats"][0]["bid"] == 3
        monkeypatch.undo()
        monkeypatch.setattr(bots, "RETRY_SECONDS", 0)
        await it.tick()
        assert it.view["phase"] == "play"
