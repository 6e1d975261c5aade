"""Games by keys against the clock: a bot moves for a slow person, and late keys do nothing."""

import threading

from support.play.sittings import Timer
from support.play.terminals import on_screen, seated

from spades_env.play.store.sitting_rows import OVER
from spades_env.play.table.hands import LATE
from spades_env.play.table.seats import Question
from spades_env.play.terminal.screens.dialogs import Page


@on_screen
async def test_a_game_against_the_clock(tmp_path):
    timer = Timer()
    async with seated(tmp_path, "showdown", now=timer) as it:
        while it.view["phase"] != "play":
            await it.press("3")
        assert "game 10:00" in it.text
        timer.time += 61
        await it.tick()
        assert "game 8:59" in it.text
        await it.play_hand()
        await it.press("space")
        timer.time += 600
        await it.tick()
        assert isinstance(it.screen, Page)
        assert "Time's up" in it.text
        assert f"{it.view['outcome']['standing']:,}" in it.text
        await it.press("space")
        assert "Time's up" in it.text
        assert it.store.sittings()[0].state == OVER
        changed = it.store.sittings()[0].changed
        await it.tick()
        assert it.store.sittings()[0].changed == changed, "what is over is not kept again and again"


@on_screen
async def test_a_bot_moves_for_who_is_too_slow(tmp_path, monkeypatch):
    """It thinks in a thread, where its kernels may have to be compiled."""
    timer, threads, answer = Timer(), {}, Question.answer

    def answer_somewhere(question: Question) -> int:
        threads[question.seat] = threading.current_thread()
        return answer(question)

    monkeypatch.setattr(Question, "answer", answer_somewhere)
    async with seated(tmp_path, now=timer, move_seconds=5.0) as it:
        assert it.view["phase"] == "bid"
        assert "move 0:05" in it.text
        timer.time += 6
        await it.tick()
        assert it.view["seats"][0]["bid"] is not None
        assert it.view["phase"] == "play"
        assert threads[0] is not threading.main_thread()


@on_screen
async def test_a_key_that_comes_too_late_does_nothing(tmp_path):
    """A bot moves instead: its move is saved and shown, and the game goes on."""
    timer = Timer()
    async with seated(tmp_path, now=timer, move_seconds=5.0) as it:
        while it.view["phase"] != "play":
            await it.press("3")
        held = sum(len(lane["cards"]) for lane in it.view["lanes"])
        timer.time += 6
        await it.press("enter")
        assert "Time's up: a bot makes this move" in it.text
        await it.tick()
        assert it.view["your_turn"]
        assert sum(len(lane["cards"]) for lane in it.view["lanes"]) == held - 1, "the bot's card alone"
        assert [deed.by for deed in it.store.load(it.key).moves if deed.seat == 0][-1] == LATE


@on_screen
async def test_a_key_after_the_end_of_time_shows_the_end(tmp_path):
    timer = Timer()
    async with seated(tmp_path, "showdown", now=timer) as it:
        timer.time += 601
        await it.press("3")
        assert isinstance(it.screen, Page)
        assert "Time's up" in it.text
        assert it.store.sittings()[0].state == OVER
