"""Games that the server keeps: given up, not saved, not readable, and how many there may be."""

import sqlite3
from contextlib import suppress

from support.play.alone import BOTS, new, packed_table
from support.play.servers import TWO_HANDS, new_table, owner, running, wait_for
from support.play.sittings import overwrite

from spades_env.play.server.limits import Limits
from spades_env.play.store.database import Store, StoreError
from spades_env.play.store.saved import packed
from spades_env.play.table.hands import BOT
from spades_env.play.table.table import Question


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


def test_a_given_up_game_under_review_keeps_nobody_from_a_new_name(tmp_path):
    with running(tmp_path) as server:
        page = owner(server)
        key = new_table(page, TWO_HANDS)
        page.play(moves=14)
        page.done("give_up", key=key)
        assert page.done("review", key=key, hand=1)
        page.done("rename", name="Zoe")
        new_table(page)
        assert page.view["seats"][0]["who"] == "Zoe"


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
        page.until(lambda: "Your latest game could not be opened: This game cannot be read" in "".join(page.heard))
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
