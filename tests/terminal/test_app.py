"""`spades play` by keys: whole games, nils, passing, takebacks, hints, claims, and refusals."""

import copy
import sqlite3
import threading
from io import StringIO

import pytest
from support.play.sittings import SPADES_FOR_SOUTH, Timer
from support.play.terminals import ONE_HAND, TWO_HANDS, on_screen, seated

from spades_env.play import ready
from spades_env.play.review.deals import counted
from spades_env.play.server.requests import review
from spades_env.play.server.rooms import bots
from spades_env.play.store.sitting_rows import OVER
from spades_env.play.store.statistics import statistics
from spades_env.play.table.hands import LATE
from spades_env.play.table.seats import Question
from spades_env.play.table.table import Table
from spades_env.play.terminal.screens.dialogs import Ask, Page
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.table import TableScreen
from spades_env.play.terminal.settings import UNTIL_KEY

BLIND = "classic target=off max_hands=2 blind_nil_deficit=0 blind_nil_pass=1"


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
async def test_who_leaves_reads_that_the_game_is_kept(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("3", "q")
    assert it.app.return_value == "Your game is saved. Run spades play to resume it."


@on_screen
async def test_bids_by_digit_and_by_arrows(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        assert it.view["your_turn"]
        assert "[3]" in it.text
        await it.press("left", "left")
        assert "[1]" in it.text
        await it.press("left", "left", "enter")
        assert it.view["seats"][0]["bid"] == 13
        await it.press("z", "5")
        assert it.view["seats"][0]["bid"] == 5


@on_screen
async def test_bids_beyond_nine_by_digits(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        await it.press("plus", "4")
        assert "A bid is at most 13" in it.text
        assert it.view["seats"][0]["bid"] is None
        await it.press("plus", "left", "1")
        assert it.view["seats"][0]["bid"] == 1
        await it.press("z", "equals_sign")
        assert "10 and …" in it.text
        await it.press("2")
        assert it.view["seats"][0]["bid"] == 12


@on_screen
async def test_nil_asks_first(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("0")
        assert isinstance(it.screen, Ask)
        assert "+100" in it.text
        await it.press("escape")
        assert it.view["phase"] == "bid"
        assert it.view["seats"][0]["bid"] is None
        await it.press("0", "enter")
        assert it.view["seats"][0]["nil"] == {"kind": "nil", "alive": True}
        assert "[nil]" in it.text


@on_screen
async def test_a_bid_of_no_tricks_that_is_no_nil_asks_nothing(tmp_path):
    async with seated(tmp_path, "solo", start={"dealer": 3}) as it:
        await it.press("0")
        assert it.view["seats"][0]["bid"] == 0
        assert not isinstance(it.screen, Ask)


@on_screen
async def test_blind_nil_before_the_cards_and_passing(tmp_path):
    async with seated(tmp_path, BLIND, start={"dealer": 1}) as it:
        assert it.view["phase"] == "blind"
        assert it.text.count("▒▒▒│") == 13
        assert "+200" in it.text
        await it.press("right", "enter")
        assert isinstance(it.screen, Ask)
        await it.press("enter")
        assert it.view["seats"][0]["nil"] == {"kind": "blind nil", "alive": True}
        assert it.view["phase"] == "pass"
        assert f"for {it.view['seats'][2]['called']}: –" in it.text
        given = it.table.panels.cursor
        await it.press("enter")
        assert it.view["passing"]["given"] == [given]
        assert given not in [card for lane in it.view["lanes"] for card in lane["cards"]]
        assert len(it.view["passing"]["received"]) == 1
        assert it.view["phase"] == "play"


@on_screen
async def test_looking_instead(tmp_path):
    async with seated(tmp_path, BLIND, start={"dealer": 1}) as it:
        await it.press("enter")
        assert it.view["phase"] == "bid"
        assert it.view["seats"][0]["looked"]
        assert "▒▒▒│" not in it.text


@on_screen
async def test_a_card_that_may_not_be_played_says_why(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("2")
        assert it.view["refused"]
        before = it.view["version"]
        card = next(iter(it.view["refused"]))
        await it.press(card[1].lower())
        assert it.table.panels.cursor in it.view["refused"]
        await it.press("enter")
        assert it.view["refused"][it.table.panels.cursor] in it.text
        assert it.view["version"] == before
        await it.press("right")
        assert it.table.panels.cursor in it.view["legal"]


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
        await it.press("3")
        assert it.table.panels.weights == {}


@on_screen
async def test_a_claim(tmp_path):
    start = {"deal": SPADES_FOR_SOUTH, "dealer": 3}
    async with seated(tmp_path, "classic target=off max_hands=1 first_lead=left_of_dealer", start=start) as it:
        await it.press("w")
        assert "It's not certain" in it.text
        await it.press("9")
        assert "W takes the rest" in it.text
        await it.press("w")
        assert isinstance(it.screen, Ask)
        await it.press("n")
        assert it.view["phase"] == "play"
        await it.press("w", "y")
        assert it.view["outcome"]
        result = it.played.finished[0].result
        assert result
        assert result.tricks == [13, 0, 0, 0]
        assert "You claim the rest" in it.table.panels.log.lines


@on_screen
async def test_earlier_tricks(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("r")
        assert "There is no earlier trick" in it.text
        await it.press("3", "enter", "enter", "enter")
        count = len(it.view["tricks"])
        assert count >= 2
        await it.press("r")
        assert f"trick {count} of {count}" in it.text
        await it.press("r")
        assert f"trick {count - 1} of {count}" in it.text
        for play in it.view["tricks"][-2]["cards"]:
            assert play["card"][1] in "CDHS"
        before = it.view["version"]
        await it.press("enter")
        assert "of " + str(count) not in it.rows[14]
        assert it.view["version"] == before


@on_screen
async def test_a_trick_stays_until_space(tmp_path):
    async with seated(tmp_path, settings={"stay": UNTIL_KEY}) as it:
        await it.press("3")
        while not it.table.turns.wait.is_on:
            await it.press("enter")
        shown = it.table.panels.scene.trick
        assert shown == it.view["tricks"][-1]
        await it.press("x")
        assert it.table.panels.scene.trick == shown
        await it.press("space")
        assert it.table.panels.scene.trick != shown


@on_screen
async def test_keys_meant_for_the_hand_before_do_nothing_in_the_next(tmp_path):
    """The last trick is still shown: a digit ends the wait, and does not bid on cards not yet seen."""
    quiet = {"stay": UNTIL_KEY, "sheet": False}
    async with seated(tmp_path, TWO_HANDS, settings=quiet) as it:
        await it.press("3")
        while it.view["hand_number"] == 1:
            await it.press("space" if it.table.turns.wait.is_on else "enter")
        assert it.table.turns.wait.is_on
        assert it.table.panels.scene.view["hand_number"] == 1
        before = it.view["seats"][0]["bid"]
        await it.press("5")
        assert it.table.panels.scene.view["hand_number"] == 2
        assert it.view["seats"][0]["bid"] is before is None


@on_screen
async def test_a_card_that_is_forced_plays_itself_if_that_is_set(tmp_path):
    async with seated(tmp_path, ONE_HAND, settings={"forced": True}) as it:
        await it.press("3")
        while it.view["phase"] == "play":
            assert len(it.view["legal"]) > 1
            await it.press("enter")


def was_forced(table: Table) -> bool:
    """Was South's last move the only legal one?"""
    game = copy.deepcopy(table.game)
    game.undo(len(table.moves) - table.own_moves(0)[0])
    return game.phase == "play" and len(game.legal_actions()) == 1


@on_screen
async def test_a_forced_card_that_was_taken_back_waits(tmp_path):
    """Otherwise it would be played again before the person could take back more."""
    async with seated(tmp_path, ONE_HAND, settings={"forced": True}) as it:
        await it.press("3")
        while not was_forced(it.played):
            await it.press("enter")
        number = it.played.own_moves(0)[0]
        await it.press("z")
        assert len(it.played.moves) == number
        await it.press("z")
        assert len(it.played.moves) < number
        await it.press("enter")
        assert len(it.played.moves) >= number


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
