"""Requests after a hand and outside a game: reviews, grades, replays, texts, proofs, statistics, settings."""

import pytest
from support.play.servers import BOTS, ONE_HAND, Page, guest, new_table, owner, running, slow
from support.play.sittings import play

from spades_env import Game, Rules
from spades_env.play.coach.grade import GRADES
from spades_env.play.review.hand_review import steps
from spades_env.play.store.database import Store
from spades_env.play.store.sitting_text import read
from spades_env.play.table.fairness import Proof, verify
from spades_env.play.table.seats import names_at
from spades_env.play.table.table import Table

RULES = "match target=off max_hands=2"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("after")) as server:
        yield server


@pytest.fixture
def page(server):
    page = owner(server)
    yield page
    page.close()


def new(page: Page, hands: int = 1) -> str:
    """A table with so many finished hands; at the person's turn if the game goes on."""
    key = new_table(page, RULES)
    page.play(moves=14 * hands)
    page.until(lambda: page.view["outcome"] or page.to_move())
    return key


def test_a_finished_hand_is_reviewed(server, page):
    key = new(page)
    told = page.done("review", key=key, hand=1)
    table = server.table(page)
    assert told["steps"] == steps(table.rules, table.finished[0], names_at(table.seats, 0), 0)
    assert told["steps"][-2]["move"]["words"].startswith(("You play the ", "Random plays the "))
    assert (told["hands"], told["over"]) == ([1], False)
    assert [seat["who"] for seat in told["seats"]] == ["You", "Random", "Random", "Random"]
    assert [line["points"] for line in told["sheet"]] == table.finished[0].result.points
    assert told["rules"]["text"] == str(Rules.parse(RULES))
    for hand in (2, 3):
        assert page.refused("review", key=key, hand=hand) == f"Hand {hand} is not finished"


@pytest.mark.parametrize(
    "do", [*(pytest.param(do, marks=slow) for do in ("grades", "compare")), "review", "again", "proofs"]
)
def test_who_looks_at_open_cards_has_settled_the_hand(server, page, do):
    key = new(page)
    table = server.table(page)
    assert page.view["can"]["takeback"] > 0
    fields = {
        "grades": {"hand": 1, "seat": 3},
        "again": {"hand": 1, "seat": 0},
        "proofs": {},
    }.get(do, {"hand": 1})
    page.done(do, key=key, **fields)
    assert table.own_moves(0) == []
    page.done("open", key=key)
    page.until(lambda: page.key == key)
    assert page.view["can"]["takeback"] == 0
    assert page.refused("takeback", version=page.view["version"]) == "You have no move to undo"
    assert server.services.store.load(key).own_moves(0) == []
    page.act(page.view["legal"][0])
    page.until(page.to_move)
    assert page.view["can"]["takeback"] == 1  # the hand on the table is as free as before


@slow
def test_every_decision_is_graded_as_it_is_found(server, page):
    key = new(page)
    page.done("grades", key=key, hand=1, seat=0)
    told = [news["grades"] for news in page.news if "grades" in news]
    assert [one["done"] for one in told] == [False] * (len(told) - 1) + [True]
    assert [len(one["found"]) for one in told[:-1]] == list(range(1, len(told)))
    assert {(one["key"], one["hand"], one["seat"], one["by"]) for one in told} == {(key, 1, 0, "Rule book")}
    hand = server.table(page).finished[0]
    for one in told[-1]["found"]:
        assert hand.moves[one["number"]].seat == 0
        assert one["grade"] in GRADES
        assert one["tried"][0]["action"] == one["better"] or one["better"] is None
        assert (one["reason"] is None) == (one["grade"] == "best")


def test_a_hint_says_why(server, page):
    page.done("new", rules=RULES, bots=BOTS, seed="1")
    page.until(page.to_move)
    hint = page.done("hint", version=page.view["version"])
    assert hint["reason"]
    assert hint["hint"][0]["action"] in page.view["legal"]


@slow
def test_what_takes_long_stops_when_it_is_not_wanted(page):
    key = new(page)
    first = page.ask_only("grades", key=key, hand=1, seat=0)
    second = page.ask_only("grades", key=key, hand=1, seat=1)
    page.ask_only("stop")
    page.until(lambda: first in page._answers and second in page._answers)
    assert [page._answers[number]["error"] for number in (first, second)] == ["This is no longer needed"] * 2
    assert page.to_move()


@slow
def test_grades_are_looked_for_beside_a_comparison(page):
    key = new(page)
    grades = page.ask_only("grades", key=key, hand=1, seat=0)
    assert page.done("compare", key=key, hand=1)["by"]
    page.until(lambda: grades in page._answers)
    assert page._answers[grades] == {"re": grades, "ok": True}


@slow
def test_four_advisers_make_something_of_the_deal(server, page):
    key = new(page)
    told = page.done("compare", key=key, hand=1)
    assert told["played"] == server.table(page).finished[0].result.as_dict()
    assert sum(told["result"]["tricks"]) == 13
    assert told["by"] == page.told["hello"]["adviser"]["name"] == "Rule book"


def test_the_same_deal_again_from_another_seat(server, page):
    key = new(page)
    before = server.table(page)
    replay = page.done("again", key=key, hand=1, seat=2)["key"]
    page.until(lambda: page.key == replay)
    table = server.table(page)
    assert page.view["seat"] == 2
    assert not table.counted
    assert table.hands[0].start.deal == before.finished[0].start.deal
    assert table.game.secret != before.game.secret, "the next hands of a game that goes on stay unknown"


def test_a_decision_is_made_again(server, page):
    """The moves before it stay, it is the person's turn, and the game counts as little as any deal again."""
    key = new(page)
    hand = server.table(page).finished[0]
    at = [number for number, move in enumerate(hand.moves) if move.seat == 0][-3]
    replay = page.done("again", key=key, hand=1, seat=0, moves=at)["key"]
    page.until(lambda: page.key == replay and page.to_move())
    table = server.table(page)
    assert [move.action for move in table.moves] == [move.action for move in hand.moves[:at]]
    assert not table.counted
    assert page.view["can"]["takeback"] == 0
    moves = len(hand.moves)
    refusal = f"Hand 1 has {moves} moves: it can't be played on after {moves} of them"
    assert page.refused("again", key=key, hand=1, seat=0, moves=moves) == refusal
    for wrong in (-1, "5", None):
        refusal = page.refused("again", key=key, hand=1, seat=0, moves=wrong)
        assert "Moves must be a whole number from 0 to 99" in refusal


def test_a_deal_that_was_played_again_is_reviewed(server, page):
    """A replayed hand keeps its number. Without a number, the last hand is reviewed."""
    key = new(page, hands=2)
    assert page.done("review", key=key)["hand"] == 2
    replay = page.done("again", key=key, hand=2, seat=0)["key"]
    page.until(lambda: page.key == replay)
    assert page.refused("review", key=replay) == "No hand is finished yet"
    page.play()  # to the end, which the others may make
    told = page.done("review", key=replay)
    assert (told["hand"], told["hands"][0]) == (2, 2)
    assert page.refused("review", key=replay, hand=1) == "Hand 1 is not finished"


def test_the_only_persons_seat_is_the_owners_whatever_their_name_was(server, page):
    table = play(Table(ONE_HAND, ["rb"] * 4, {2: "Anna"}, seed=7))
    with Store(server.services.store.path.parent) as store:
        store.save(table)
    assert page.done("review", key=table.key)["seat"] == 2


def test_the_hands_after_it_are_the_same_once_the_game_is_over(server, page):
    key = new(page, hands=2)
    secret = server.table(page).game.secret
    page.done("again", key=key, hand=2, seat=0)
    page.until(lambda: page.key != key)
    assert server.table(page).game.secret == secret is not None


def test_a_finished_game_leaves_as_text_and_comes_back(server, page):
    key = new(page)
    assert page.refused("text", key=key) == "The record shows all cards: you can have it when the game is over"
    key = new(page, hands=2)
    text = page.done("text", key=key)["text"]
    assert read(text).game.record() == server.table(page).game.record()
    copy = page.done("import", text=text)["key"]
    page.until(lambda: page.key == copy)
    assert page.view["outcome"]
    assert page.done("text", key=copy)["text"] == text
    assert not server.table(page).counted
    assert page.done("review", key=copy, hand=2)["steps"]
    kept = page.done("sittings")
    assert "damaged" in page.refused("import", text=text.replace("South", "North", 1))
    assert "isn't over" in page.refused("import", text=Game(RULES, seed=1).record())
    assert page.done("sittings")["sittings"] == kept["sittings"]
    replay = page.done("again", key=copy, hand=1, seat=0)["key"]
    assert replay != copy


@slow
def test_bots_in_a_text_are_never_loaded(server, page):
    """A text may name any file, which is never loaded."""
    text = page.done("text", key=new(page, hands=2))["text"].splitlines()
    blank = text.index("")
    head = [line.replace("West: random", "West: /etc/x.safetensors") for line in text[: blank - 1]]
    from spades_env.play.store.sitting_text import _check

    check = _check("\n".join(head), "\n".join(text[blank + 1 :]) + "\n")
    forged = "\n".join([*head, f"check: {check}", *text[blank:]]) + "\n"
    key = page.done("import", text=forged)["key"]
    page.until(lambda: page.key == key)
    page.done("compare", key=key, hand=1)
    replay = page.done("again", key=key, hand=1, seat=0)["key"]
    page.until(lambda: page.key == replay)
    assert server.table(page).seats.bots == ["random", "rule", "random", "random"]


def test_proofs_open_what_is_finished(server, page):
    key = new(page)
    told = page.done("proofs", key=key)
    assert len(told["commitments"]["hands"]) == 2
    assert told["proofs"]["game"] == []
    [proof] = told["proofs"]["hands"]
    verify(Proof(**proof))
    assert proof["commitment"] == told["commitments"]["hands"][0]
    page.play()
    told = page.done("proofs", key=key)["proofs"]
    assert [len(told["game"]), len(told["hands"])] == [1, 2]


def test_ten_thousand_deals(page):
    told = page.done("deals")
    assert told["deals"] == 10_000
    assert {"name", "rows", "words", "likelihood", "chi_square", "freedom"} == set(told["figures"][0])


def test_guests_look_at_their_table(server, page):
    new(page)
    anna = guest(server, page.done("invite")["path"], 2, "Anna")
    moves = anna.view["can"]["takeback"]
    assert moves == 0
    assert anna.done("review", key=page.key, hand=1)["seat"] == 2
    page.until(lambda: page.view["can"]["takeback"] == 0)
    assert len(anna.done("proofs", key=page.key)["proofs"]["hands"]) == 1


# Beside the table


def test_variants_are_kept(page):
    told = page.done("save_variant", name="Mine", rules="solo target=300")["variants"]
    assert [(one["name"], one["text"]) for one in told] == [("Mine", "solo target=300")]
    words = page.refused("save_variant", name="solo", rules="solo")
    assert words == "There is a preset called solo: choose another name"
    page.reload()
    assert page.told["hello"]["variants"] == told
    assert page.done("forget_variant", name="Mine")["variants"] == []


def test_rules_are_told_in_words(page):
    told = page.done("rules", base="solo target=300", changes={"trumps": "nyc", "floor": -200})
    assert told["text"] == "solo target=300 floor=-200 trumps=nyc"
    assert told["values"]["floor"] == -200
    assert told["trumps"][0] == "RJ"
    assert "trumps cannot be 'x'" in page.refused("rules", base="solo", changes={"trumps": "x"}).lower()
    assert page.refused("rules") == "Rules needs either text, or base with changes"
    assert "no option 'x'" in page.refused("rules", base="solo", changes={"x": 1})


def test_how_hard_it_will_be(page):
    assert page.done("difficulty", rules="classic", bots=["rule"] * 4)["difficulty"] == 8
    assert (
        page.done("difficulty", rules="classic", bots=["rule", "random", "rule", "random"], seat=0)["difficulty"] == 4
    )


def test_settings_are_kept(page):
    value = {"theme": "dark", "speed": [1, 2.5, None]}
    page.done("set", name="page", value=value)
    page.reload()
    assert page.told["hello"]["settings"]["page"] == value
    for name in ("name", "last"):
        assert page.refused("set", name=name, value=1) == f"{name.title()} is not a setting of the page"
    for name in ("", "x" * 33, "../x", "X", "a b"):
        assert "Name must be a word" in page.refused("set", name=name, value=1)
    assert "at most 2,000 characters" in page.refused("set", name="page", value="x" * 2001)


def test_there_are_so_many_settings(page):
    refused = [page.ask("set", name=f"s{number}", value=1).get("error") for number in range(70)]
    assert refused[-1] == "There are 64 settings, which is the limit"
    assert page.done("set", name="page", value=1)


def test_statistics_follow_the_name(tmp_path):
    with running(tmp_path) as server:
        page = owner(server)
        new(page, hands=2)
        assert page.done("statistics")["statistics"]["total"]["games"] == 1
        key = new(page)
        page.done("rename", name="Anna")
        page.until(lambda: page.view["seats"][0]["who"] == "Anna")
        assert page.done("statistics")["statistics"]["total"]["games"] == 1
        page.play()
        found = page.done("statistics")["statistics"]
        assert (found["total"]["games"], found["bids"]["hands"]) == (2, 4)
        assert page.done("statistics", unaided=True)["statistics"]["total"]["games"] == 2
        page.done("rename", name="Bela")
        assert page.done("statistics")["statistics"]["total"]["games"] == 0
        assert page.refused("rename", name="a|b").startswith("A name has 1 to 24")
        page.reload()
        assert page.told["hello"]["name"] == "Bela"
        assert key in [one["key"] for one in page.done("sittings")["sittings"]]
