"""What the terminal shows: everything in a view and nothing else, at 80 × 24, without colours, in ASCII."""

import random
import re
from dataclasses import replace

import pytest
from support.play.sittings import SPADES_FOR_SOUTH, by_chance, move, play, play_until, stand_still
from support.play.terminals import TWO_HANDS, on_screen, seated
from support.strategies import scaled
from textual.actions import parse

from spades_env import Rules
from spades_env.game.cards import CARD_NAMES
from spades_env.play.review.hand_review import steps
from spades_env.play.rule_words import rule_words
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from spades_env.play.terminal import cursor
from spades_env.play.terminal.app import SpadesApp
from spades_env.play.terminal.keys import KEYS, key_line
from spades_env.play.terminal.pictures import canvas
from spades_env.play.terminal.pictures.canvas import Canvas, cut
from spades_env.play.terminal.pictures.cards import face
from spades_env.play.terminal.pictures.frames import earlier_trick, frames
from spades_env.play.terminal.pictures.hand import HandState, bar, draw_hand
from spades_env.play.terminal.pictures.look import COLOURS, DECKS, Look, ascii_text
from spades_env.play.terminal.pictures.pages import Lines, graph_lines, write_scores
from spades_env.play.terminal.pictures.panels import draw_panel, facts_line, pips, prompt_words, side_status
from spades_env.play.terminal.pictures.review import ReviewState, draw_review
from spades_env.play.terminal.pictures.table import Scene, draw_table, has_begun, scene_of, status
from spades_env.play.terminal.screens.form import FormRow, FormState, draw_form
from spades_env.play.terminal.screens.moves import PersonMoves
from spades_env.play.terminal.screens.table import TableScreen

STYLES = Look().styles
FACE = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]|[BR]J")
RULES = (*Rules.presets(), "classic trumps=nyc blind_nil_deficit=0 blind_nil_pass=2", "solo bag_limit=10")


def new(rules="classic", **options) -> Table:
    return Table(rules, ["rule"] * 4, {0: "Anna"}, **{"seed": 7, "now": stand_still} | options)


def drawn(draw, *what, width: int = 80, height: int = 24) -> str:
    """Return the text that a function draws on a canvas of this size."""
    sheet = Canvas(width, height)
    draw(sheet, *what)
    return sheet.text(STYLES).plain


def table_text(view: dict, width: int = 50, height: int = 15) -> str:
    return drawn(draw_table, scene_of(view), width=width, height=height)


def hand_text(view: dict, cursor: str | None = None, **more) -> str:
    return drawn(draw_hand, HandState(view, cursor, **more), height=6)


# At 80 × 24


def faces(text: str) -> list[str]:
    return sorted(FACE.findall(text))


def check_fits(view: dict) -> None:
    """Check that everything in a view fits on 80 × 24."""
    table, hand = table_text(view), hand_text(view)
    side = drawn(draw_panel, view, {"move": 9.0, "sitting": 599.0}, [], width=30, height=15)
    for text, width in ((table, 50), (hand, 80), (side, 30)):
        assert {len(line) for line in text.splitlines()} == {width}
    held = [face(card) for lane in view["lanes"] for card in lane["cards"]]
    given = list(map(face, view["passing"]["given"])) if view["phase"] == "pass" else []
    assert faces(hand) == sorted(held + given)
    lies = [face(play["card"]) for play in view["trick"]["cards"]]
    assert faces(table) == sorted(lies)
    for seat in view["seats"]:
        assert cut(seat["called"], 10) in table
        assert status(seat, has_begun(view))[0] in table
    for one in view["sides"]:
        assert cut(one["called"], 18) in side
        words = side_status(view, one)
        assert words in side or f"{words.replace('blind nil', 'blind').replace(' ✗', '✗')} " in side
        assert pips(one) in side
    assert facts_line(view) in side
    assert "move 0:09  game 9:59" in side
    assert len(prompt_words(view, "")) <= 78
    assert len(key_line(view)) <= 78


@pytest.mark.parametrize("rules", RULES)
def test_nothing_is_cut_off_at_80_by_24(rules):
    table, rng = new(rules), random.Random(rules)
    for _ in range(scaled(150)):
        if table.over:
            break
        check_fits(seat_view(table, 0))
        move(table, by_chance(rng))


def test_at_the_end_too():
    check_fits(seat_view(play(new("classic target=off max_hands=1"), person=by_chance(random.Random(1))), 0))


@pytest.mark.parametrize(("width", "height"), [(50, 15), (52, 17), (68, 21), (70, 26), (92, 33), (110, 50)])
def test_cards_do_not_meet_at_any_size(width, height):
    """No card overlaps another."""
    table = new(start={"dealer": 3})
    while len(seat_view(table, 0)["trick"]["cards"]) < 3:
        move(table)
    view = seat_view(table, 0)
    everybody = {"cards": [{"seat": seat, "card": card} for seat, card in enumerate(("TS", "2H", "AD", "7C"))]}
    trick = everybody | {"winning": 0, "leader": 0}
    text = drawn(draw_table, Scene(view, trick), width=width, height=height)
    assert len(text.splitlines()) == height
    times = 2 if text.count("10♠") == 2 else 1
    assert faces(text) == sorted(["10♠", "2♥", "A♦", "7♣"] * times)
    assert text.count("╭───") == 3 + 1 * text.startswith("╭───")
    for seat in view["seats"]:
        assert cut(seat["called"], 10) in text


@on_screen
async def test_every_screen_is_as_wide_as_the_terminal(tmp_path):
    for size in ((80, 24), (132, 44)):
        async with seated(tmp_path / str(size[0]), size=size) as it:
            await it.press("3", "a")
            for key in ("x", "question_mark", "m", "n", "p"):
                await it.press(key)
                assert len(it.rows) == size[1]
                assert {len(row) for row in it.rows} == {size[0]}
                await it.press("escape")


@on_screen
async def test_no_window_is_so_small_that_it_fails(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.play_hand()
        await it.press("space")
        for size in ((1, 1), (12, 4), (33, 9), (79, 23)):
            await it.pilot.resize_terminal(*size)
            for key in ("x", "question_mark", "m", "n", "p"):
                await it.press(key, "down", "escape")
            await it.press("e", "y", "right", "escape")
        assert it.app.is_running


@on_screen
async def test_a_window_that_is_too_small_says_so(tmp_path):
    async with seated(tmp_path, size=(70, 20)) as it:
        assert "This window has 70 × 20 characters: the table needs 80 × 24" in it.text
        await it.pilot.resize_terminal(80, 24)
        await it.settle()
        assert "This window" not in it.text


# The table


def test_bids_and_tricks():
    seat = {"bid": None, "contract": "own", "tricks": 0, "nil": None}
    assert status(seat)[0] == "…"
    assert status(seat | {"bid": 4}, counts=False) == ("bid 4", "strong")
    assert status(seat | {"bid": 7, "contract": "both"}, counts=False) == ("bid 7 ×2", "strong")
    assert status(seat | {"bid": 4, "tricks": 2}) == ("2 / 4", "strong")
    assert status(seat | {"bid": 4, "tricks": 4}) == ("4 / 4", "good")
    assert status(seat | {"bid": 0, "nil": {"kind": "nil", "alive": True}}) == ("[nil]", "gold")
    assert status(seat | {"contract": "hand", "tricks": 2}) == ("2", "strong")
    assert status(seat | {"contract": "partner"}) == ("0", "strong")
    assert status(seat | {"bid": 7, "contract": "both", "tricks": 3}) == ("3 / 7 ×2", "strong")
    broken = {"bid": 0, "contract": "own", "tricks": 1, "nil": {"kind": "blind nil", "alive": False}}
    assert status(broken) == ("1 ]blind nil[ ✗", "alarm")


def test_whose_turn_who_led_and_who_wins():
    table = play_until(new(), "play")
    view = seat_view(table, 0)
    led, wins = view["trick"]["cards"][0]["seat"], view["trick"]["winning"]
    text = table_text(view)
    assert "▶ You" in text
    assert text.count("▶") == 1
    assert text.count("led") == 1
    assert text.count("┏━★━┓") == 1
    assert (led, wins) == (3, 3)
    row = next(line for line in text.splitlines() if "┏━★━┓" in line)
    assert row.index("★") > 25  # before East, on the right


def test_bags_as_pips():
    assert pips({"bags": 3, "bag_limit": 5}) == "●●●○○"
    assert pips({"bags": 3, "bag_limit": 50}) == "3 of 50 bags"
    assert pips({"bags": None, "bag_limit": None}) == ""


def test_the_hand_is_grouped_and_what_is_refused_is_dotted():
    table = play_until(new(), "play")
    view = seat_view(table, 0)
    rows = hand_text(view, view["legal"][0]).splitlines()
    assert rows[4].count("└┄┄┄┘") == len(view["refused"]) == 9
    assert rows[1].count("┏━━━┓") == 1  # the card under the cursor is lifted
    assert rows[4].count("╰───╯") == len(view["legal"]) - 1
    flat = hand_text(view).splitlines()
    assert [len(group) for group in flat[4].split()] == [5 * len(lane["cards"]) for lane in view["lanes"]]


def test_a_nil_is_called_nil_only_where_it_is_one():
    table = play_until(new(), "bid")
    assert " nil " in hand_text(seat_view(table, 0), "bid:3")
    assert " 0 " in hand_text(seat_view(table, 0), "bid:3", nil=False)


def test_advice_as_bars():
    assert [bar(weight, 4) for weight in (0, 0.001, 0.03, 0.5, 1)] == ["", "", "▏", "██", "████"]
    table = play_until(new(), "bid")
    rows = hand_text(seat_view(table, 0), "bid:3", weights={"bid:2": 1.0, "bid:4": 0.25}).splitlines()
    assert rows[1].index("████") < rows[1].rindex("█")
    assert rows[0].index("2") - rows[1].index("████") in (1, 2)


def test_cards_are_face_down_before_the_look():
    view = seat_view(new("classic blind_nil_deficit=0", start={"dealer": 1}), 0)
    text = hand_text(view, "look")
    assert faces(text) == []
    assert text.count("│▒▒▒│") == 13
    assert "[Look at my cards]" in text
    assert "Blind nil ±200" in text


# From view to view


def test_a_complete_trick_stays_and_the_last_one_of_a_hand_too():
    table = new("match target=off max_hands=2")
    before, shown = seat_view(table, 0), []
    while not table.over:
        move(table)
        after = seat_view(table, 0)
        found = frames(before, after)
        assert found[-1] == frames(None, after)[0]
        shown += [frame.scene.trick for frame in found if frame.stays]
        if len(found) > 1 and after["hand_number"] > before["hand_number"]:
            scene = found[0].scene
            assert [seat["tricks"] for seat in scene.view["seats"]] == after["previous"]["taken"]
            assert not scene.view["your_turn"]
        before = after
    assert len(shown) == 26
    assert all(len(trick["cards"]) == 4 for trick in shown)
    seen = [[(one["seat"], one["card"]) for one in trick["cards"]] for trick in shown]
    played = [[(seat, CARD_NAMES[card]) for seat, card in trick] for hand in table.hands for trick in hand.tricks()]
    assert seen == played


def test_looking_back_reaches_the_hand_before():
    table = new("match target=off max_hands=2")
    while seat_view(table, 0)["hand_number"] == 1:
        move(table)
    scene = earlier_trick(seat_view(table, 0), 13)
    assert scene
    assert scene.note == "hand 1, trick 1 of 13"
    assert scene.trick == seat_view(table, 0)["previous"]["tricks"][0]
    assert earlier_trick(seat_view(table, 0), 14) is None


def test_a_claim_shows_no_trick():
    table = new("classic first_lead=left_of_dealer", start={"deal": SPADES_FOR_SOUTH, "dealer": 3})
    play_until(table, "play")
    before = seat_view(table, 0)
    table.claim(0)
    assert [frame.stays for frame in frames(before, seat_view(table, 0))] == [False]


# Pages


def test_the_score_graph_reaches_from_corner_to_corner():
    lines = graph_lines([[0, 0], [50, -30], [120, 40]], [0, 1], 40)
    assert lines[0].startswith("   120 │")
    assert lines[0].endswith("●")
    assert lines[-1].startswith("   −30 │")
    assert sum(line.count("▲") for line in lines) == 2  # at first both stand at 0, the own mark on top
    assert sum(line.count("●") for line in lines) == 3
    assert max(map(len, graph_lines([[i, -i] for i in range(300)], [0, 1], 40))) <= 40


def test_the_score_sheet_explains_every_number():
    table = play(new("classic target=off max_hands=2"))
    view = seat_view(table, 0)
    page = Lines(78, STYLES)
    write_scores(page, view)
    text = re.sub(r"\s+", " ", page.text().plain)
    for hand in view["sheet"]:
        for side in hand["sides"]:
            assert re.sub(r"\s+", " ", side["words"]) in text


def test_a_review_shows_all_four_hands():
    table = play(new("classic target=off max_hands=1"))
    found = steps(table.rules, table.finished[0])
    names = [table.seats.name(seat) for seat in range(4)]
    for step in found[:-1]:
        text = drawn(draw_review, ReviewState("Hand 1", step, 0, names, [("words", "")]))
        moved = (step["move"]["seat"], step["move"]["action"])
        for seat, hand in enumerate(step["hands"]):
            for symbol, lane in zip("♣♦♥♠", hand, strict=True):
                cards = [f"[{face(card)[:-1]}]" if (seat, card) == moved else face(card)[:-1] for card in lane]
                assert f"{symbol} {' '.join(cards) or '–'}" in text


def test_what_a_row_has_no_room_for_stands_below():
    long, short = (
        FormRow("a label " * 6, "a value " * 6, enter=lambda: None),
        FormRow("label", "value", enter=lambda: None),
    )
    text = drawn(draw_form, FormState("Title", [long, short], 0))
    assert re.sub(r"[│\s]+", " ", text.split("├")[1]).count("a value") == 6
    assert "label:" not in drawn(draw_form, FormState("Title", [long, short], 1))


def test_a_form_scrolls_with_its_cursor():
    rows = [FormRow(f"row {i}", "value", "note", enter=lambda: None) for i in range(40)]
    for place in (0, 20, 39):
        text = drawn(draw_form, FormState("Title", rows, place, "foot"))
        assert f"▶ row {place} " in text
        assert "foot" in text
        assert "note" in text


def test_bids_are_no_scores_before_the_first_trick():
    view = seat_view(play_until(new(), "play"), 0)
    assert not view["tricks"]
    texts = table_text(view), drawn(draw_panel, view, {"move": None, "sitting": None}, [])
    assert all(" bid " in text and "0 / " not in text for text in texts)


@pytest.mark.parametrize("size", [(120, 40), (80, 18)])
def test_a_note_ends_with_a_sentence(size):
    """The rules in words are the note of a new game; a note that has no room for all says so."""
    words = " ".join(map(str, rule_words(Rules())))
    rows = [FormRow(f"row {number}", enter=print, note=words) for number in range(12)]
    text = drawn(draw_form, FormState("New game", rows, 0, foot="foot"), width=size[0], height=size[1])
    note = " ".join(line.strip("│ ") for line in text.split("├")[1].splitlines()[1:-2])
    assert note == words or (note.endswith(". …") and words.startswith(note[:-2]))
    assert (note == words) == (size[0] == 120)


# Colours and letters


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("deck", DECKS)
def test_every_look_knows_every_style(colours, deck):
    look = Look(colours, deck)
    assert set(look.styles) == set(STYLES)
    sheet = Canvas(50, 15)
    draw_table(sheet, scene_of(seat_view(play_until(new(), "play"), 0)))
    sheet.text(look.styles)
    assert set(replace(look, light=True).styles) == set(STYLES)


@on_screen
async def test_without_colours_no_colour_is_sent(tmp_path):
    async with seated(tmp_path, look={"colours": "none"}) as it:
        await it.press("3", "a")
        for key in ("x", "m", "p", "n"):
            await it.press(key)
            assert colours_of(it) == {"default"}
            await it.press("escape")
        assert "┏━━━┓" in it.text
        assert "┌┄┄┄┐" in it.text


@pytest.mark.parametrize("colours", COLOURS)
@on_screen
async def test_the_hand_can_be_seen_when_nil_is_asked_about(tmp_path, colours):
    async with seated(tmp_path, look={"colours": colours}) as it:
        before = it.rows[18:21]
        await it.press("0")
        assert "Bid nil" in it.text
        assert it.rows[18:21] == before


@on_screen
async def test_sixteen_colours_are_the_terminals_own(tmp_path):
    async with seated(tmp_path, look={"colours": "16"}) as it:
        await it.press("3", "a", "x")
        found = colours_of(it)
        assert len(found) > 3
        assert all(colour == "default" or re.fullmatch(r"color\((\d|1[0-5])\)", colour) for colour in found)


@on_screen
async def test_no_color_is_heard(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with seated(tmp_path, look={"colours": "none"}) as it:
        assert colours_of(it) == {"default"}


def colours_of(it) -> set[str]:
    """Return all foreground and background colours on the screen."""
    styles = [segment.style for strip in it.screen._compositor.render_strips() for segment in strip if segment.style]
    return {colour.name for style in styles for colour in (style.color, style.bgcolor) if colour}


@on_screen
async def test_ascii_is_ascii(tmp_path):
    async with seated(tmp_path, look={"ascii": True, "colours": "none"}) as it:
        await it.press("3", "a")
        for key in ("x", "question_mark", "p", "m", "n", "f"):
            await it.press(key)
            assert it.text.isascii()
            await it.press("escape")
        assert "#===#" in it.text


def test_ascii_is_as_wide():
    assert ascii_text("10♠ ┏━★━┓ ● Łódź 日本") == "10S #=*=# @ ??d? ????"


def test_letters_that_take_two_cells():
    sheet = Canvas(10, 1)
    assert sheet.put(0, 0, "日本 A") == 6
    sheet.right(0, 10, "本")
    assert sheet.text({}).plain == "日本 A  本"
    assert canvas.cut("日本日本", 5) == "日本…"


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
