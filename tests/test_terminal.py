"""`spades play` by keys: whole games, nils, passing, takebacks, hints, claims, and what is said when one is refused."""

import copy
import json
import sqlite3
import sys
from io import StringIO

import pytest
from sittings import SPADES_FOR_SOUTH, Timer, play
from terminals import Terminal, on_screen, opened, seated
from textual.screen import Screen
from textual.widgets import Input

from play import sitting_text
from play.deal_statistics import counted
from play.hands import LATE
from play.review import differences
from play.saved import packed
from play.standing import bot_name
from play.statistics import statistics
from play.store import OPEN, OVER, Store
from play.table import Table
from play.terminal import desk
from play.terminal.dialogs import Ask, Page, Write
from play.terminal.form import Pick
from play.terminal.new_game import NewGame
from play.terminal.review_screen import ReviewScreen
from play.terminal.rules_form import RulesForm
from play.terminal.sitting import Usual, begun, person, remember_game, replayed, resumed, unfinished
from play.terminal.table_screen import TableScreen
from spades_env import Game, Rules

ONE_HAND = "classic target=off max_hands=1 blind_nil_deficit=off"
TWO_HANDS = "classic target=off max_hands=2 blind_nil_deficit=off"
BLIND = "classic target=off max_hands=2 blind_nil_deficit=0 blind_nil_pass=1"


@on_screen
async def test_a_whole_game_by_keys(tmp_path):
    async with seated(tmp_path, TWO_HANDS, counted=True) as it:
        await it.play_hand()
        assert "Hand 1" in it.text
        await it.press("space")
        await it.play_hand()
        assert "Your rating is" in it.text
        await it.press("space")
        assert it.view["outcome"]
        assert {"win": "You won", "loss": "You lost", "draw": "A draw"}[it.view["outcome"]["outcome"]] in it.text
        store, key = it.app.store, it.sitting.table.key
        assert statistics(store, "Anna").total.games == 1
        assert [saved.state for saved in store.sittings()] == [OVER]
        assert len(store.hands(key)) == 2
        await it.press("q")
    assert it.app.return_value is None


@on_screen
async def test_who_leaves_is_told_that_the_game_is_kept(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("3", "q")
    assert it.app.return_value == "The game is kept: spades play goes on with it."


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
        assert "for North: –" in it.text
        given = it.table.cursor
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
        assert it.table.cursor in it.view["refused"]
        await it.press("enter")
        assert it.view["refused"][it.table.cursor] in it.text
        assert it.view["version"] == before
        await it.press("right")
        assert it.table.cursor in it.view["legal"]


@on_screen
async def test_takeback_across_a_hand(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        cards = it.view["lanes"]
        await it.play_hand()
        await it.press("space")
        assert it.view["hand_number"] == 2
        if it.view["your_turn"]:
            await it.press("4")
        moves = len(it.sitting.own_moves())
        await it.press("Z")
        assert isinstance(it.screen, Pick)
        await it.press(*["down"] * (moves - 1), "enter")
        assert (it.view["hand_number"], it.view["phase"], it.view["lanes"]) == (1, "bid", cards)
        assert it.view["help"]["takebacks"] == moves
        assert "Taken back" in it.text
        await it.play_hand()
        assert len(it.app.store.hands(it.sitting.table.key)) == 1
        assert len(it.app.store.hands(it.sitting.table.key, taken_back=True)) == 1


@on_screen
async def test_a_takeback_where_there_is_none(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("z")
        assert "There is no move of yours to take back" in it.text
        await it.press("Z")
        assert isinstance(it.screen, TableScreen)


@on_screen
async def test_advice_is_shown_and_counted_once(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("a", "a")
        assert it.view["help"]["hints"] == 1
        assert "1 hint" in it.text
        assert "advises" in it.table.message
        assert set(it.table.weights) <= set(it.view["legal"])
        best = max(it.table.weights.values())
        assert 0 < best <= 1
        await it.press("3")
        assert it.table.weights == {}


@on_screen
async def test_a_claim(tmp_path):
    start = {"deal": SPADES_FOR_SOUTH, "dealer": 3}
    async with seated(tmp_path, "classic target=off max_hands=1 first_lead=left_of_dealer", start=start) as it:
        await it.press("w")
        assert "It is not certain" in it.text
        await it.press("9")
        assert "W takes them" in it.text
        await it.press("w")
        assert isinstance(it.screen, Ask)
        await it.press("n")
        assert it.view["phase"] == "play"
        await it.press("w", "y")
        assert it.view["outcome"]
        result = it.sitting.table.finished[0].result
        assert result
        assert result.tricks == [13, 0, 0, 0]
        assert "South claims the rest" in it.table.lines


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
    async with seated(tmp_path, settings={"terminal.stay": None}) as it:
        await it.press("3")
        while not it.table.pace.waiting:
            await it.press("enter")
        shown = it.table.scene.trick
        assert shown == it.view["tricks"][-1]
        await it.press("x")
        assert it.table.scene.trick == shown
        await it.press("space")
        assert it.table.scene.trick != shown


@on_screen
async def test_keys_meant_for_the_hand_before_do_nothing_in_the_next(tmp_path):
    """The last trick still lies there: a digit ends the wait, and bids nothing on cards not yet seen."""
    quiet = {"terminal.stay": None, "terminal.sheet": False}
    async with seated(tmp_path, TWO_HANDS, settings=quiet) as it:
        await it.press("3")
        while it.view["hand_number"] == 1:
            await it.press("space" if it.table.pace.waiting else "enter")
        assert it.table.pace.waiting
        assert it.table.scene.view["hand_number"] == 1
        before = it.view["seats"][0]["bid"]
        await it.press("5")
        assert it.table.scene.view["hand_number"] == 2
        assert it.view["seats"][0]["bid"] is before is None


@on_screen
async def test_a_card_that_is_forced_plays_itself_if_that_is_set(tmp_path):
    async with seated(tmp_path, ONE_HAND, settings={"terminal.forced": True}) as it:
        await it.press("3")
        while it.view["phase"] == "play":
            assert len(it.view["legal"]) > 1
            await it.press("enter")


def was_forced(table: Table) -> bool:
    """Had South no choice at its last move?"""
    game = copy.deepcopy(table.game)
    game.undo(len(table.deeds) - table.own_moves(0)[0])
    return game.phase == "play" and len(game.legal_actions()) == 1


@on_screen
async def test_a_forced_card_that_was_taken_back_waits(tmp_path):
    """Else it would be played again before the person could take back more."""
    async with seated(tmp_path, ONE_HAND, settings={"terminal.forced": True}) as it:
        await it.press("3")
        while not was_forced(it.sitting.table):
            await it.press("enter")
        number = it.sitting.table.own_moves(0)[0]
        await it.press("z")
        assert len(it.sitting.table.deeds) == number
        await it.press("z")
        assert len(it.sitting.table.deeds) < number
        await it.press("enter")
        assert len(it.sitting.table.deeds) >= number


@on_screen
async def test_words_for_those_who_listen(tmp_path):
    log = StringIO()
    async with seated(tmp_path, ONE_HAND, look={"log": log}) as it:
        await it.press("t")
        assert it.table.message == it.view["prompt"]
        await it.press("3", "v")
        assert "South 0 of 3" in it.table.message
        await it.play_hand()
        events = [event["words"] for event in it.view["events"]]
        assert len(events) == 4 + 52
        lines = log.getvalue().splitlines()
        assert [line for line in lines if line in events] == events
        assert sum(line.endswith("wins the trick") for line in lines) == 13
        assert sum(line.startswith("Your turn: ") for line in lines) >= 14


@pytest.mark.parametrize(
    ("key", "kind", "words"),
    [
        ("question_mark", Page, "take back your last move"),
        ("p", Page, "0 of 10 bags"),
        ("g", Page, "Spades are trumps"),
        ("f", Page, "opened when it is over"),
        ("b", Page, "no game yet"),
        ("m", Pick, "Games that were kept"),
        ("n", NewGame, "Match difficulty"),
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
    monkeypatch.setattr(desk, "counted", lambda seed: counted(seed, deals=50))
    async with seated(tmp_path) as it:
        await it.press("m", *["down"] * 8, "enter")
        assert isinstance(it.screen, Page)
        assert "50 deals, first hands of the seeds" in it.text
        assert "expected" in it.text


@on_screen
async def test_proofs_come_with_the_open_cards(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        hashes = it.view["fair"]["hands"]
        await it.press("f")
        assert hashes[0] in it.text
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
        it.table.tick()
        await it.settle()
        assert "game 8:59" in it.text
        timer.time += 600
        it.table.tick()
        await it.settle()
        assert isinstance(it.screen, Page)
        assert "The time is up" in it.text
        assert f"{it.view['outcome']['standing']:,}" in it.text
        await it.press("space")
        assert "The time is up" in it.text
        assert it.app.store.sittings()[0].state == OVER


@on_screen
async def test_a_bot_moves_for_who_is_too_slow(tmp_path):
    timer = Timer()
    async with seated(tmp_path, now=timer, move_seconds=5.0) as it:
        assert it.view["phase"] == "bid"
        assert "move 0:05" in it.text
        timer.time += 6
        it.table.tick()
        await it.settle()
        assert it.view["seats"][0]["bid"] is not None
        assert it.view["phase"] == "play"


@on_screen
async def test_a_key_that_comes_too_late_does_nothing(tmp_path):
    """The bot has moved by then: that is kept and shown, and the game goes on."""
    timer = Timer()
    async with seated(tmp_path, now=timer, move_seconds=5.0) as it:
        while it.view["phase"] != "play":
            await it.press("3")
        held = sum(len(lane["cards"]) for lane in it.view["lanes"])
        timer.time += 6
        await it.press("enter")
        assert "The table has moved on since" in it.text
        assert it.view["your_turn"]
        assert sum(len(lane["cards"]) for lane in it.view["lanes"]) == held - 1, "the bot's card alone"
        assert [deed.by for deed in it.app.store.load(it.sitting.table.key).deeds if deed.seat == 0][-1] == LATE


@on_screen
async def test_a_key_after_the_end_of_time_shows_the_end(tmp_path):
    timer = Timer()
    async with seated(tmp_path, "showdown", now=timer) as it:
        timer.time += 601
        await it.press("3")
        assert isinstance(it.screen, Page)
        assert "The time is up" in it.text
        assert it.app.store.sittings()[0].state == OVER


@on_screen
async def test_what_cannot_be_kept_has_not_happened(tmp_path, monkeypatch):
    """The disk is full: a bot's move and a takeback are refused; with space again a key makes the bots go on."""
    async with seated(tmp_path, start={"dealer": 1}) as it:
        kept = iter([False])  # one move can be kept

        def full(*_):
            if (answer := next(kept, None)) is None:
                raise sqlite3.OperationalError("database or disk is full")
            return answer

        monkeypatch.setattr(it.app.store, "is_given_up", full)
        await it.press("3")
        assert "It could not be kept, so it has not happened: database or disk is full" in it.text
        assert [seat["bid"] for seat in it.view["seats"]] == [3, None, None, None]
        await it.press("z")
        assert it.view["seats"][0]["bid"] == 3
        monkeypatch.undo()
        await it.press("4")  # it is not the person's turn: the bots are asked again
        assert it.view["phase"] == "play"


# Going on


@on_screen
async def test_an_unfinished_game_is_offered(tmp_path):
    with Store(tmp_path) as store:
        sitting = begun(store, "classic", ["rb"] * 4, "Anna", seed=7, start={"dealer": 1})
        sitting.act("bid:4")
        async with opened(store) as it:
            assert isinstance(it.screen, Ask)
            assert "Anna with rb" in it.text
            await it.press("enter")
            assert it.sitting.table.key == sitting.table.key
            assert it.view["seats"][0]["bid"] == 4
        async with opened(store) as it:
            await it.press("n")
            new = it.sitting.table.key
            assert new != sitting.table.key
            assert len(unfinished(store)) == 2
            await it.press("m", "enter", "down", "enter")
            assert it.sitting.table.key == sitting.table.key
            assert len(unfinished(store)) == 1  # nothing was done in the new one


@on_screen
async def test_a_new_table_stands_at_once_where_nothing_is_unfinished(tmp_path):
    with Store(tmp_path) as store:
        async with opened(store) as it:
            assert isinstance(it.screen, TableScreen)
            assert it.sitting.name == "You"
            assert it.sitting.table.counted


@on_screen
async def test_another_window_is_not_overruled(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it, opened_elsewhere(tmp_path, it.sitting.table.key) as other:
        other.act("bid:6")
        await it.press("2")
        assert "in another window" in it.text
        assert it.view["seats"][0]["bid"] == 6


class opened_elsewhere:  # noqa: N801
    """The same game in another program."""

    def __init__(self, folder, key):
        self.store, self.key = Store(folder), key

    async def __aenter__(self):
        return resumed(self.store, self.key)

    async def __aexit__(self, *_):
        self.store.close()


# Before and after


@on_screen
async def test_a_new_game_from_its_form(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("n", "down", "right")
        form = it.screen
        assert isinstance(form, NewGame)
        assert "‹ pagat ›" in it.text
        before = [row for row in it.rows if "Match difficulty" in row]
        await it.press("down", "down", "down", "right")
        assert [row for row in it.rows if "Match difficulty" in row] != before
        await it.press("up", "up", "up", "up", "enter")
        assert isinstance(it.screen, TableScreen)
        assert it.view["rules"]["text"] == "pagat"
        assert it.view["seats"][2]["bot"]["agent"] != "rb"
        assert len(unfinished(it.app.store)) == 1
        await it.press("n")
        assert "‹ pagat ›" in it.text


@on_screen
async def test_rules_option_by_option(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("n", "down", "down", "enter", "down", "down", "right")
        assert "‹ 8 hands ›" in it.text
        assert "classic target=off max_hands=8" in it.text
        form = it.screen
        assert isinstance(form, RulesForm)

        async def go(words: str) -> None:
            labels = [row.label for row in form.rows()]
            form.cursor = labels.index(words)
            form.action_move(0)
            await it.settle()

        await go("Partners sit opposite")
        await it.press("right")
        await go("Cards that a blind nil and its partner give each other")
        await it.press("right")
        assert "blind_nil_pass must be 0 when partners is false" in it.text
        await go("Points that end the game")
        await it.press("enter")
        assert isinstance(it.screen, Write)
        await it.write("many")
        assert "target cannot be 'many'" in it.text
        await it.press("enter")
        await it.write("333")
        assert "‹ 333 ›" in it.text
        await go("Keep these rules under a name")
        await it.press("enter")
        await it.write("mine")
        assert it.app.store.variants()["mine"].target == 333
        await it.press("up", "enter")
        assert isinstance(it.screen, NewGame)
        assert "‹ mine ›" in it.text


@on_screen
async def test_a_seed_of_ones_own_is_not_counted(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("n", *["down"] * 9, "enter")
        assert isinstance(it.screen.query_one(Input), Input)
        await it.write("x")
        assert "A seed is a whole number" in it.text
        await it.press("enter")
        await it.write("12")
        await it.press(*["up"] * 9, "enter")
        assert it.sitting.table.game.seed == 12
        assert not it.sitting.table.counted


@on_screen
async def test_review_steps_and_plays_again_from_another_seat(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.press("e")
        assert "No hand of this game is finished" in it.text
        await it.play_hand()
        moves = len(it.sitting.own_moves())
        await it.press("space", "e", "n")
        assert isinstance(it.screen, TableScreen)
        assert len(it.sitting.own_moves()) == moves > 1
        await it.press("e", "y")
        assert isinstance(it.screen, ReviewScreen)
        assert it.sitting.own_moves() == []
        moves = len(it.sitting.table.finished[0].deeds)
        assert f"move 1 of {moves}" in it.text
        await it.press("right", "right")
        assert f"move 3 of {moves}" in it.text
        while it.screen._found == {}:
            await it.pilot.pause(0.01)
        hand, adviser = it.sitting.table.finished[0], it.sitting.table.seats.adviser
        expected = [one.number for one in differences(it.sitting.table.rules, hand, 0, adviser, worlds=1)]
        assert [one.number for one in it.screen._found[0]] == expected
        for number in expected:
            await it.press("home", *["d"] * (1 + expected.index(number) - (expected[0] == 0)))
            assert f"move {number + 1} of {moves}" in it.text
            assert f"{bot_name(adviser)} would have chosen" in it.text
        await it.press("end")
        assert "the end" in it.text
        assert "now" in it.text
        await it.press("g", *["down"] * 2, "enter")
        assert isinstance(it.screen, TableScreen)
        table = it.sitting.table
        assert (it.sitting.seat, table.counted, table.hands[0].number) == (2, False, 0)
        assert table.start["deal"]


@on_screen
async def test_export_and_import(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with seated(tmp_path / "data", ONE_HAND) as it:
        await it.press("m", *["down"] * 3, "enter")
        assert "it can be had when the game is over" in it.text
        await it.play_hand()
        await it.press("space", "m", *["down"] * 3, "enter", "enter")
        files = list(tmp_path.glob("spades-*.txt"))
        assert len(files) == 1
        await it.press("m", *["down"] * 3, "enter", "enter")
        assert "choose another name" in it.text
        await it.press("m", *["down"] * 4, "enter")
        await it.write(files[0].name)
        assert isinstance(it.screen, ReviewScreen)
        await it.press("escape")
        (tmp_path / "other.txt").write_text("nothing")
        (tmp_path / "open.txt").write_text(Game(ONE_HAND, seed=1).record())
        refused = {
            "other.txt": "this is no sitting",
            "none.txt": "No such file",
            "open.txt": "only finished games can be looked at",
            "~nobody-here/x.txt": "home directory",
        }
        for name, words in refused.items():
            await it.press("m", *["down"] * 4, "enter")
            await it.write(name)
            assert words in it.text
        for name, words in (("~nobody-here/x.txt", "home directory"), ("x" * 300, "too long")):
            await it.press("m", *["down"] * 3, "enter")
            it.screen.query_one(Input).value = name
            await it.press("enter")
            assert words in it.text
        assert statistics(it.app.store, "Anna").total.games == 1


async def until_reviewed(it: Terminal) -> None:
    """Until the adviser has looked at the hand that is shown."""
    for _ in range(3000):
        if isinstance(it.screen, ReviewScreen) and it.screen._found:
            return
        await it.pilot.pause(0.01)
    raise AssertionError("nobody looks at it")


def forged(bot: str) -> str:
    """A finished game whose text names this one as West and as the adviser."""
    table = play(Table(ONE_HAND, ["rb"] * 4, {0: "Anna"}, seed=3))
    head, _, record = sitting_text.write(table).partition("\n\n")
    lines = head.replace("West: rb", f"West: {bot}").replace("adviser: rule", f"adviser: {bot}").splitlines()[:-1]
    return "\n".join([*lines, f"check: {sitting_text._check(chr(10).join(lines), record)}", "", record])


@on_screen
async def test_what_a_text_names_is_never_loaded(tmp_path, monkeypatch):
    """Neither to look at it nor to play its deal again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "named_in_a_text.py").write_text("def bot(view):\n    return view.legal_actions()[0]\n")
    (tmp_path / "game.txt").write_text(forged("named_in_a_text:bot"))
    async with seated(tmp_path / "data", ONE_HAND) as it:
        await it.press("m", *["down"] * 4, "enter")
        await it.write("game.txt")
        assert isinstance(it.screen, ReviewScreen)
        await until_reviewed(it)
        assert "named_in_a_text" not in sys.modules
        await it.press("g", "enter")
        assert it.sitting.table.start["deal"]
        assert it.sitting.table.seats.bots == ["rb", "rule", "rb", "rb"]
        assert "named_in_a_text" not in sys.modules


def test_own_bots_play_a_deal_again(tmp_path):
    """Those of the last game that was begun are the person's own choice, wherever they come from."""
    with Store(tmp_path) as store:
        table = play(Table(ONE_HAND, ["rb", "mc:2x2", "rb", "mc:3x3"], {0: "Anna"}, seed=3))
        remember_game(store, Usual(Rules(), ["rb", "mc:2x2", "rb", "rb"], None))
        assert replayed(store, table, 0, 0, "Anna").table.seats.bots == ["rb", "mc:2x2", "rb", "rule"]


@on_screen
async def test_an_adviser_that_cannot_be_had_is_said(tmp_path, monkeypatch):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.play_hand()
        monkeypatch.setattr("play.terminal.review_screen.default_adviser", lambda: "nobody", raising=False)
        monkeypatch.setattr(it.sitting.table.seats, "adviser", "nobody")
        await it.press("space", "e", "y")
        await until_reviewed(it)
        assert "'nobody'" in it.text


@on_screen
async def test_a_kept_game_that_cannot_be_read_is_said(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("3")
        told = json.dumps(packed(it.sitting.table) | {"format": 99})
        for key, state, day in (("f" * 16, OPEN, 2), ("e" * 16, OVER, 1)):
            row = (key, state, "2030-01-01T00:00", f"2030-01-0{day}T00:00", told)
            it.app.store._db.execute("INSERT INTO sittings VALUES (?, ?, ?, ?, ?)", row)
        for place in (0, 1):
            await it.press("m", "enter", *["down"] * place, "enter")
            assert "a table saved in format 99 cannot be read" in it.text


@on_screen
async def test_the_menu_gives_up_and_opens_what_was_kept(tmp_path):
    async with seated(tmp_path) as it:
        first = it.sitting.table.key
        await it.press("3", "m", *["down"] * 5, "enter", "enter")
        assert it.sitting.table.key != first
        assert [saved.state for saved in it.app.store.sittings()] == [OPEN, "given up"]
        second = it.sitting.table.key
        while it.sitting.untouched:
            await it.press("3")
        await it.press("n", "enter")
        assert it.sitting.table.key not in (first, second)
        await it.press("m", "enter", "down", "enter")
        assert it.sitting.table.key == second


@on_screen
async def test_the_game_on_the_table_stays_when_it_is_opened_from_the_list(tmp_path):
    """Before the first move, too, when another game would not be kept."""
    async with seated(tmp_path) as it:
        key = it.sitting.table.key
        await it.press("m", "enter", "enter")
        assert it.sitting.table.key == key
        assert [saved.key for saved in unfinished(it.app.store)] == [key]


@on_screen
async def test_who_has_no_name_is_named_at_once(tmp_path):
    with Store(tmp_path) as store:
        async with opened(store) as it:
            await it.press("m", *["down"] * 2, "enter", *["backspace"] * 3)
            await it.write("Anna")
            assert "You are Anna" in it.text
            assert it.sitting.name == "Anna"
            await it.press("m", *["down"] * 2, "enter", *["backspace"] * 4)
            await it.write("Bela")
            assert "From the next game on you are Bela" in it.text
            assert (it.sitting.name, person(store)) == ("Anna", "Bela")


@on_screen
async def test_settings_hold_at_once(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        first = it.table.view["lanes"][0]["suit"]
        await it.press("m", "down", "enter", *["down"] * 4, "right", "escape")
        assert first == "spades"
        assert it.table.view["lanes"][0]["suit"] == "hearts"
        assert it.app.settings["order"] == "HCDS"


def test_no_name_of_ours_hides_one_of_the_library():
    from textual.widget import Widget

    from play.terminal import desk, flow, form, table_screen

    ours = (desk.Desk, flow.Flow, form.Form, form.Pick, table_screen.TableScreen, ReviewScreen, NewGame)
    theirs = set(dir(Screen())) | set(dir(Widget()))
    meant = {"compose", "rows"}
    for kind in ours:
        own = {name for name in vars(kind) if not name.startswith("__") and callable(getattr(kind, name))}
        assert own & theirs <= meant, kind
