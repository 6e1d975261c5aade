"""Undo among people: the others are asked unless they are away, and everybody reads who did what."""

import threading

import pytest
from support.play.servers import TWO_HANDS, Page, Running, guest, new_table, owner, running, wait_for

from spades_env.play.table.seats import Question


@pytest.fixture(autouse=True)
def soon_away(monkeypatch) -> None:
    monkeypatch.setattr("spades_env.play.server.rooms.absence.AWAY_SECONDS", 0.05)


@pytest.fixture
def anna(server, host) -> Page:
    """A guest in North, who is to bid after the host has bid; the host's bid can be taken back."""
    page = guest(server, host.done("invite")["path"], 2, "Anna")
    server.up_to_date(host)
    host.act("bid:3")
    page.until(page.to_move)
    server.up_to_date(host, page)
    return page


def said(page: Page) -> list[str]:
    return [told["news"] for told in page.news if "news" in told]


def wants_undo(page: Page, moves: int = 1) -> dict:
    return page.done("takeback", moves=moves, version=page.view["version"])


def asked(server: Running, host: Page, anna: Page) -> int:
    """Let the host ask; return the number of the request, which both see."""
    assert wants_undo(host) == {"re": host._number, "ok": True, "done": False}
    for page in (host, anna):
        page.until(lambda page=page: page.view["undo"])
    assert [page.view["undo"]["asked"] for page in (host, anna)] == [False, True]
    assert (anna.view["undo"]["seat"], anna.view["undo"]["moves"]) == (0, 1)
    assert server.table(host).moves, "nothing is taken back before the others agree"
    return anna.view["undo"]["number"]


def test_an_undo_waits_until_the_others_agree(server, host, anna):
    number = asked(server, host, anna)
    anna.done("answer_undo", number=number, allow=True)
    host.until(lambda: host.to_move() and not host.view["undo"])
    anna.until(lambda: said(anna))
    assert said(anna)[-1] == "Zoe took back 1 move."
    assert host.view["help"]["takebacks"] == 1
    assert not anna.view["undo"]


def test_an_undo_that_is_declined_changes_nothing(server, host, anna):
    deeds = len(server.table(host).moves)
    anna.done("answer_undo", number=asked(server, host, anna), allow=False)
    host.until(lambda: not host.view["undo"] and said(host))
    assert said(host)[-1] == "Anna declined the undo."
    assert len(server.table(host).moves) == deeds
    assert server.table(host).takebacks.total() == 0


def test_an_undo_ends_when_the_time_of_who_is_to_move_is_up(server, host, anna):
    asked(server, host, anna)
    server.table(host).clock.move = 1e-9
    anna.until(lambda: not anna.view["undo"] and not anna.to_move())
    assert server.table(host).takebacks.total() == 0


def test_who_asked_may_think_better_of_it(server, host, anna):
    number = asked(server, host, anna)
    assert host.refused("answer_undo", number=number, allow=True) == (
        "You asked for this undo yourself: it's for the others to answer"
    )
    host.done("answer_undo", number=number, allow=False)
    anna.until(lambda: not anna.view["undo"] and said(anna))
    assert said(anna)[-1] == "Zoe withdrew the undo request."
    assert anna.refused("answer_undo", number=number, allow=True) == "This undo request is no longer open"


def test_a_move_ends_the_request(server, host, anna):
    number = asked(server, host, anna)
    anna.act("bid:4")
    anna.until(lambda: not anna.view["undo"])
    host.until(lambda: not host.view["undo"] and said(host))
    assert said(host)[-1] == "Zoe can't undo any more: the table has moved on."
    assert anna.refused("answer_undo", number=number, allow=True) == "This undo request is no longer open"


def test_a_hint_does_not_end_it(server, host, anna):
    number = asked(server, host, anna)
    anna.done("hint", version=anna.view["version"])
    anna.done("answer_undo", number=number, allow=True)
    host.until(lambda: host.to_move() and host.view["help"]["takebacks"] == 1)


def test_who_asked_and_goes_asks_no_more(server, host, anna):
    asked(server, host, anna)
    host.done("leave")
    anna.until(lambda: not anna.view["undo"])
    anna.until(lambda: "Zoe can't undo any more: the table has moved on." in said(anna))
    assert server.table(host).takebacks.total() == 0


def test_who_sits_down_after_somebody_agreed_is_asked_again(server, host, anna):
    ben = guest(server, host.done("invite")["path"], 1, "Ben")
    server.up_to_date(host, anna, ben)
    number = asked(server, host, anna)
    anna.done("answer_undo", number=number, allow=True)
    ben.until(lambda: ben.view["undo"] and ben.view["undo"]["agreed"] == [2])
    server.table(host).seats.people[2] = "Carl"
    assert server.room(host).undo.as_dict(server.table(host), 2)["asked"]


def test_an_undo_that_finds_the_time_up_ends_the_game_for_everybody(tmp_path, monkeypatch):
    monkeypatch.setattr("spades_env.play.server.server.TICK_SECONDS", 3600.0)  # nobody else looks at the clock
    with running(tmp_path) as server:
        page = owner(server)
        key = new_table(page, f"{TWO_HANDS} time_limit_s=60")
        page.act("bid:3")
        page.until(page.to_move)
        server.table(page).clock._spent = 61.0
        page.refused("takeback", moves=1, version=page.view["version"])
        page.until(lambda: page.view["phase"] == "over")
        assert [saved.state for saved in server.services.store.sittings() if saved.key == key] == ["over"]


def test_who_is_away_is_not_asked(server, host, anna):
    anna.close()
    wait_for(lambda: server.room(host).audience.absence.announced == {2})
    host.until(lambda: host.view["seats"][2]["away"])
    assert wants_undo(host)["done"]
    host.until(host.to_move)


def test_who_is_asked_and_goes_is_waited_for_no_more(server, host, anna):
    asked(server, host, anna)
    anna.close()
    host.until(lambda: host.to_move() and host.view["help"]["takebacks"] == 1)


def test_alone_with_bots_an_undo_is_immediate(server, host):
    host.act("bid:3")
    host.until(host.to_move)
    assert wants_undo(host)["done"]
    host.until(lambda: host.view["help"]["takebacks"] == 1)
    assert not host.view["undo"]


def test_all_who_are_there_have_to_agree(server, host):
    path = host.done("invite")["path"]
    anna, bela = guest(server, path, 2, "Anna"), guest(server, path, 3, "Bela")
    server.up_to_date(host)
    host.act("bid:3")
    anna.until(anna.to_move)
    server.up_to_date(host, anna, bela)
    wants_undo(host)
    for page in (anna, bela):
        page.until(lambda page=page: page.view["undo"])
    number = anna.view["undo"]["number"]
    anna.done("answer_undo", number=number, allow=True)
    bela.until(lambda: bela.view["undo"]["agreed"] == [2])
    assert server.table(host).takebacks.total() == 0
    assert anna.refused("takeback", version=anna.view["version"]) == (
        "Somebody else already asked for an undo: answer that first"
    )
    bela.done("answer_undo", number=number, allow=True)
    host.until(lambda: host.to_move() and host.view["help"]["takebacks"] == 1)


def test_bots_wait_for_the_answer(server, host, monkeypatch):
    """A bot that is thinking when somebody asks moves only when the request is declined."""
    let_go, answer, answered = threading.Event(), Question.answer, []

    def slow(question: Question) -> int:
        let_go.wait(60)
        answered.append(question.seat)
        return answer(question)

    monkeypatch.setattr(Question, "answer", slow)
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    server.up_to_date(host)
    host.act("bid:3")
    server.up_to_date(host, anna)
    moves = len(server.table(host).moves)
    wants_undo(host)
    let_go.set()
    wait_for(lambda: answered and not server.room(host).busy)
    anna.until(lambda: anna.view["undo"])
    assert len(server.table(host).moves) == moves
    anna.done("answer_undo", number=anna.view["undo"]["number"], allow=False)
    anna.until(anna.to_move)


# Who comes and goes


def test_everybody_reads_who_sits_down_and_who_leaves(server, host):
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    host.until(lambda: said(host))
    assert said(host) == ["Anna sat down and takes over from Random."]
    assert not said(anna), "not to the one who did it"
    anna.done("leave")
    host.until(lambda: len(said(host)) == 2)
    assert said(host)[-1] == "Anna left. Random plays on."
    host.until(lambda: host.view["seats"][2]["kept_for"] == "Anna")


def test_who_is_away_is_marked_and_then_played_for(tmp_path):
    with running(tmp_path, absent_after=1.0) as server:
        host = owner(server)
        anna = guest(server, host.done("invite")["path"], 2, "Anna")
        anna.close()
        host.until(lambda: "Anna is away." in said(host))
        host.until(lambda: "Anna is away. Random plays on." in said(host))
        host.until(lambda: host.view["seats"][2]["kept_for"] == "Anna")
        anna.reload()
        host.until(lambda: said(host)[-1] == "Anna is back.")
        host.until(lambda: host.view["seats"][2]["who"] == "Anna" and not host.view["seats"][2]["away"])


def test_a_host_without_a_name_is_the_host_to_others(server: Running):
    host = owner(server)
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    host.done("leave")
    anna.until(lambda: said(anna))
    assert said(anna) == ["Host left. Random plays on."]
    anna.until(lambda: anna.view["seats"][2]["kept_for"] == "Host")
