"""One person at the server: tables, moves, takebacks, hints, claims, the clock; what is refused changes nothing."""

import json
import sqlite3
from contextlib import suppress

import pytest
from support.play.servers import TWO_HANDS, Page, Running, new_table, owner, running, wait_for
from support.play.sittings import ONE_HAND, SPADES_FOR_SOUTH, overwrite

from spades_env import Rules, __version__
from spades_env.game.cards import NUM_SEATS
from spades_env.play.server.limits import Limits
from spades_env.play.server.server import TICK_SECONDS
from spades_env.play.store.database import Store, StoreError
from spades_env.play.store.saved import packed
from spades_env.play.table.hands import BOT
from spades_env.play.table.table import Question

BOTS = ["random", "rule", "random", "rule"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("play")) as server:
        yield server


@pytest.fixture(scope="module")
def page(server):
    return owner(server)


def new(page: Page, rules: str = TWO_HANDS, **options) -> str:
    return new_table(page, rules, BOTS, **options)


def packed_table(server: Running, page: Page) -> dict:
    """Return all of a page's table but its clock."""
    return packed(server.table(page)) | {"clock": None}


def test_what_a_page_is_told_first(page):
    hello = page.told["hello"]
    assert (hello["program"], hello["version"], hello["guest"], hello["name"]) == ("spades", __version__, False, "You")
    assert [preset["name"] for preset in hello["presets"]] == list(Rules.presets())
    assert {"random", "rule"} <= {one["key"] for one in hello["roster"]}
    assert hello["adviser"]["key"] in [one["key"] for one in hello["roster"]]
    assert hello["options"][0]["options"]


def test_a_table_is_open_from_the_first_moment(server, page):
    first = Page(server.port, f"/?key={server.key}")
    first.until(lambda: first.is_at_table)
    assert first.view["seat"] == 0
    assert first.view["hand_number"] == 1


def test_a_game_from_the_first_bid_to_the_last_trick(server, page):
    key = new(page)
    page.play()
    table = server.table(page)
    assert table.over
    assert page.view["outcome"]["outcome"] in ("win", "draw", "loss")
    assert [deed.by for deed in table.moves if deed.seat == 0] == ["person"] * len(table.moves[::NUM_SEATS])
    assert server.services.store.load(key).over
    [mine] = [one for one in page.done("sittings")["sittings"] if one["key"] == key]
    assert (mine["state"], mine["people"], mine["bots"]) == ("over", ["You"], BOTS)


def test_a_view_comes_after_every_move(server, page):
    new(page)
    version, events = page.view["version"], len(page.view["events"])
    page.done("act", action=page.view["legal"][0], version=version)
    seen = []
    while not page.to_move() or page.view["version"] == version:
        page.until(lambda: page.view["version"] > (seen[-1][0] if seen else version))
        seen.append((page.view["version"], len(page.view["events"])))
    assert [count for _, count in seen] == list(range(events + 1, events + 1 + len(seen)))


def test_what_is_refused_changes_nothing(server, page):
    new(page)
    server.rest(page)
    before, version = packed_table(server, page), page.view["version"]
    assert (
        page.refused("act", action="AS", version=version).startswith("It's time to bid") or page.view["phase"] == "play"
    )
    for action in ("bid:14", "XX", "", "look", "blind"):
        assert page.ask("act", action=action, version=version).get("error")
    assert page.refused("act", action="bid:1", version=version - 1) == "The table has moved on"
    assert page.refused("act", action="bid:1", version=version + 1) == "The table has moved on"
    assert page.refused("takeback", version=version) == "You have no move to undo"
    assert page.refused("claim", version=version).startswith("It's not certain")
    assert page.refused("sit", seat=1) == "You already have a seat: leave it first"
    assert packed_table(server, page) == before


def test_a_move_is_made_once(server, page):
    """The same message again is too late."""
    new(page)
    message = json.dumps({"id": 999, "do": "act", "action": "bid:3", "version": page.view["version"]})
    assert page.answer_to(message).get("ok")
    page.until(page.to_move)
    deeds = list(server.table(page).moves)
    assert page.answer_to(message)["error"] == "The table has moved on"
    assert server.table(page).moves == deeds


def test_moves_are_taken_back_across_a_hand(server, page):
    key = new(page)
    page.play(moves=16)
    page.until(page.to_move)
    assert page.view["hand_number"] == 2
    moves = page.view["can"]["takeback"]
    page.done("takeback", moves=moves, version=page.view["version"])
    page.until(lambda: page.view["hand_number"] == 1 and page.to_move())
    assert page.view["phase"] == "bid"
    assert page.view["help"]["takebacks"] == moves
    assert [hand.number for hand in server.services.store.hands.of(key, taken_back=True)] == [0]


def test_a_hint_is_counted_and_told(page):
    new(page)
    answer = page.done("hint", version=page.view["version"])
    page.until(lambda: page.view["version"] == answer["version"])
    assert page.view["help"]["hints"] == 1
    assert {one["action"] for one in answer["hint"]} <= set(page.view["legal"])
    weights = [one["weight"] for one in answer["hint"]]
    assert weights == sorted(weights, reverse=True)
    assert page.done("hint", version=answer["version"])["hint"] == answer["hint"]
    assert page.view["help"]["hints"] == 1
    assert page.done("act", action=answer["hint"][0]["action"], version=answer["version"])


def test_a_claim_ends_the_hand(server, page):
    new(page, f"{ONE_HAND} first_dealer=west", deal=SPADES_FOR_SOUTH)
    page.act("bid:13")
    page.until(lambda: page.view["can"]["claim"])
    page.done("claim", version=page.view["version"])
    page.until(lambda: page.view["outcome"])
    assert server.table(page).game.results[0].tricks == [13, 0, 0, 0]
    assert {deed.by for deed in server.table(page).moves[-52:]} == {"person", "claim"}
    assert not server.table(page).counted


def test_a_typed_seed_is_dealt_and_not_counted(server, page):
    hands = []
    for _ in range(2):
        new(page, seed="123456789012345678")
        hands.append(server.table(page).game.hands)
        assert not server.table(page).counted
    assert hands[0] == hands[1]
    new(page)
    assert server.table(page).counted
    for seed in ("x", "-1", "1" * 21, 7):
        assert "Seed must be" in page.refused("new", rules=TWO_HANDS, bots=BOTS, seed=seed)
    assert "Seed must be" in page.refused("new", rules=TWO_HANDS, bots=BOTS, seed=str(2**64))
    assert "four hands" in page.refused("new", rules=TWO_HANDS, bots=BOTS, deal="AS | KS")


@pytest.mark.parametrize("bot", ["oracle", "nobody", "mc:9x9", "ismcts:100000000", "../x.safetensors", "a/b", ""])
def test_only_those_who_are_offered_can_be_chosen(page, bot):
    words = page.refused("new", rules=TWO_HANDS, bots=[bot, "rule", "rule", "rule"])
    assert words.startswith(f"{bot!r} cannot be chosen; expected one of ")


@pytest.mark.parametrize(
    "rules", ["nonsense", "classic target=0", "classic target=off", "x.toml", "/etc/passwd", "classic x=1"]
)
def test_rules_that_cannot_be_played(page, rules):
    for words in (page.refused("new", rules=rules, bots=BOTS), page.refused("rules", text=rules)):
        assert words[0].isupper() or words.startswith(("x", "max_hands"))
        assert "file" not in words


def test_a_table_that_nobody_has_touched_is_not_kept(server, page):
    first = new(page)
    second = new(page)
    keys = [one["key"] for one in page.done("sittings")["sittings"]]
    assert second in keys
    assert first not in keys
    page.act(page.view["legal"][0])
    new(page)
    assert second in [one["key"] for one in page.done("sittings")["sittings"]]
    page.done("open", key=second)
    page.until(lambda: page.key == second)
    assert page.view["seat"] == 0


def test_what_another_program_gave_up_has_no_more_moves(server, page):
    key = new(page)
    before = list(server.table(page).moves)
    with Store(server.services.store.path.parent) as other:
        other.give_up(key)
    assert page.refused("act", action=page.view["legal"][0], version=page.view["version"]) == "This game was abandoned"
    assert server.table(page).moves == before
    assert [one["state"] for one in page.done("sittings")["sittings"] if one["key"] == key] == ["given up"]


def test_a_game_that_is_given_up(server, page):
    key = new(page)
    page.act(page.view["legal"][0])
    page.done("give_up", key=key)
    page.until(lambda: page.told.get("closed"))
    assert page.refused("act", action="bid:3", version=0) == "No table is open"
    assert "no unfinished game" in page.refused("give_up", key=key)
    assert [one["state"] for one in page.done("sittings")["sittings"] if one["key"] == key] == ["given up"]
    assert server.services.store.unfinished() == [one for one in server.services.store.unfinished() if one.key != key]
    page.told.pop("closed")
    assert "there is no saved game" in page.refused("open", key="0" * 16).lower()


def test_another_seat(server, page):
    new(page, seat=2)
    assert page.view["seat"] == 2
    assert server.table(page).seats.people == [None, None, "You", None]


def test_two_pages_of_one_person_see_the_same(server, page):
    new(page)
    page.act(page.view["legal"][0])
    other = owner(server)
    other.until(other.to_move)
    page.until(page.to_move)
    assert other.view == page.view
    other.act(other.view["legal"][0])
    page.until(lambda: page.view["version"] == other.view["version"])
    assert page.view == other.view
    other.close()


def test_what_cannot_be_kept_has_not_happened(server, page, monkeypatch):
    """The disk is full: the move is refused, and can be made when there is space again."""
    new(page)
    before = packed_table(server, page)

    def full(table):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(server.services.store, "save", full)
        words = page.refused("act", action="bid:3", version=page.view["version"])
    assert words == "This could not be saved, so it was not done: database or disk is full"
    assert packed_table(server, page) == before
    page.until(page.to_move)
    page.act("bid:3")
    assert server.services.store.load(page.key).game.bids[0] == 3


def test_bots_go_on_after_a_move_that_could_not_be_kept(server, page, monkeypatch):
    """Stopped bots try again after a while; the error is sent once."""
    new(page)
    full = sqlite3.OperationalError("database or disk is full")
    monkeypatch.setattr("spades_env.play.server.rooms.bots.RETRY_SECONDS", 0.1)
    save, bots_moved = server.services.store.save, []

    def save_people(table):
        """Fail three times to save the move of a bot."""
        if table.moves[-1].by == BOT and len(bots_moved) < 3:
            bots_moved.append(table.moves[-1])
            raise full
        save(table)

    monkeypatch.setattr(server.services.store, "save", save_people)
    page.news.clear()
    page.heard.clear()
    page.act("bid:3")
    page.until(lambda: page.to_move() and page.view["phase"] == "play")
    assert len(bots_moved) == 3
    assert sum("disk is full" in text for text in page.heard) == 1


def test_bots_rest_where_another_program_has_given_the_game_up(server, page, monkeypatch):
    new(page)
    answer = Question.answer

    def given_up(question: Question) -> int:
        with Store(server.services.store.path.parent) as other, suppress(StoreError):
            other.give_up(page.key)
        return answer(question)

    monkeypatch.setattr(Question, "answer", given_up)
    page.ask_only("act", action="bid:3", version=page.view["version"])
    page.until(lambda: page.told.get("closed"))
    room = server.room(page)
    room.go_on()
    wait_for(lambda: not room.busy)
    assert page.refused("act", action="bid:3", version=0) == "No table is open"
    page.told.pop("closed")


# Games that cannot be gone on with


def test_a_game_that_cannot_be_read_keeps_no_page_from_beginning(tmp_path):
    with running(tmp_path) as server:
        first = owner(server)
        key = new(first)
        first.act("bid:3")
        first.close()
    with Store(tmp_path) as store:
        overwrite(store, key, packed(store.load(key)) | {"moves": "2C", "by": "p"})
    with running(tmp_path) as server:
        page = owner(server)
        page.until(lambda: "Your latest game is not open: this game cannot be read" in "".join(page.heard))
        assert page.key != key
        for do in ("open", "review"):
            assert page.refused(do, key=key).startswith("This game cannot be read: ")
        page.done("give_up", key=key)
        page.news.clear()
        page.reload()
        assert not [news for news in page.news if "error" in news]


def test_a_game_whose_bot_has_gone_is_looked_at_and_given_up(tmp_path):
    """A bot's level was deleted: bots do not move, everything else works."""
    with running(tmp_path) as server:
        page = owner(server)
        key = new(page)
        page.play(moves=14)
        page.until(page.to_move)
        page.close()
    with Store(tmp_path) as store:
        packed_game = packed(store.load(key))
        bots = [packed_game["bots"][0], str(tmp_path / "gone.safetensors"), *packed_game["bots"][2:]]
        overwrite(store, key, packed_game | {"bots": bots})
    with running(tmp_path) as server:
        page = owner(server)
        page.until(lambda: "gone.safetensors: no such file" in "".join(page.heard))
        assert page.key != key
        assert page.done("review", key=key)["hand"] == 1
        page.done("open", key=key)
        page.until(lambda: page.key == key)
        page.heard.clear()
        page.act("bid:3")
        page.until(lambda: "gone.safetensors: no such file" in "".join(page.heard))
        page.done("give_up", key=key)
        assert page.done("review", key=key)["hand"] == 1


# The clock


def test_the_clock_waits_until_the_view_is_shown(server, page):
    new(page, rules=TWO_HANDS, move_seconds=3600)
    clock = server.table(page).clock
    assert not clock.running
    page.done("shown", version=page.view["version"] - 1)
    assert not clock.running
    page.done("shown", version=page.view["version"])
    assert clock.running
    page.act(page.view["legal"][0])
    page.until(page.to_move)
    assert not clock.running


def test_a_bot_moves_when_the_time_is_up(server, page):
    new(page, move_seconds=1)
    table = server.table(page)
    page.done("shown", version=page.view["version"])
    wait_for(lambda: any(deed.by == "late" for deed in table.moves))
    assert table.moves[-1].seat != 0 or table.moves[-1].by == "late"


def test_the_clock_stands_still_while_nobody_looks_on(server):
    first = owner(server)
    new(first, move_seconds=3600)
    room = server.room(first)
    first.done("shown", version=first.view["version"])
    assert room.table.clock.running
    first.close()
    wait_for(lambda: not room.audience.viewers or first.key not in [room.key])
    wait_for(lambda: not room.table.clock.running)


def test_a_game_ends_when_its_time_is_up(server, page):
    new(page, "showdown time_limit_s=1")
    page.done("shown", version=page.view["version"])
    page.until(lambda: page.view["outcome"])
    assert page.view["outcome"]["time_is_up"]
    ticks = []
    server.table(page).tick = lambda: ticks.append(1)  # type: ignore[method-assign]
    page.listen(4 * TICK_SECONDS)
    assert not ticks, "a clock that has run out demands nothing more"


def test_no_clock_starts_before_anybody_asks_for_it(tmp_path):
    """After a game against the clock a page that opens finds a like one without, and the next one asked for has it."""
    timed = {"rules": "showdown trumps=nyc", "bots": BOTS, "seat": 0, "move_seconds": 30}
    with running(tmp_path, last=timed) as server:
        page = owner(server)
        assert page.view["rules"]["text"] == "showdown trumps=nyc time_limit_s=off"
        assert server.table(page).clock.move is None
        assert page.told["hello"]["last"] == timed


def test_so_many_tables_may_be_open(tmp_path):
    with running(tmp_path, limits=Limits(tables=2)) as server:
        page = owner(server)
        page.until(page.to_move)
        page.act(page.view["legal"][0])
        new(page)
        page.act(page.view["legal"][0])
        assert "2 tables are open" in page.refused("new", rules=TWO_HANDS, bots=BOTS)
        assert page.to_move() or page.until(page.to_move) is None


def test_so_many_games_may_be_unfinished(tmp_path):
    with running(tmp_path, limits=Limits(unfinished=2)) as server:
        page = owner(server)
        page.until(page.to_move)
        page.act(page.view["legal"][0])
        new(page)
        page.act(page.view["legal"][0])
        words = page.refused("new", rules=TWO_HANDS, bots=BOTS)
        assert words == "2 games are unfinished, which is the limit: abandon one first"
        page.done("give_up", key=page.key)
        new(page)
