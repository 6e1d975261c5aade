"""The daily deal, achievements and the end of a game; the champion's result stays at the server until its time."""

import json
import re
from datetime import date, timedelta

import pytest
from support.play.servers import guest, new_table, owner, play_together, running, wait_for

from spades_env.play.daily import champion_game, deal_of_day
from spades_env.play.daily.deal_of_day import HANDS, ChampionHand, Daily
from spades_env.play.progress import daily as daily_module
from spades_env.play.server.rooms import champion as champion_task

TODAY = date(2026, 11, 25)
QUICK = ("rule", "rb", "rule", "rb")
SECRET = 771_350_200  # the champion's points are numbers that nothing else has
NUMBER = re.compile(r"-?\d+")


def day(number: int = 0) -> str:
    return (TODAY + timedelta(number)).isoformat()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Bots that need no time, on a certain day."""
    monkeypatch.setattr(deal_of_day, "today", lambda: TODAY)
    monkeypatch.setattr(daily_module, "today", lambda: TODAY)
    monkeypatch.setattr(daily_module, "BOTS", QUICK)
    monkeypatch.setattr(champion_game, "BOTS", QUICK)


@pytest.fixture
def marked(monkeypatch):
    """A champion whose results are known by their numbers, and who is quicker than anybody."""

    def hands(daily):
        for number in range(len(daily.champion), HANDS):
            yield ChampionHand((SECRET + number, 0), (0, 0))

    monkeypatch.setattr(champion_task, "champion_hands", hands)


def begun(page, number: int = 0) -> str:
    key = page.done("daily", day=day(number))["key"]
    page.until(lambda: page.key == key and (page.to_move() or page.view["outcome"]))
    return key


def daily_of(server, page) -> Daily:
    daily = server.table(page).daily
    assert daily
    return daily


def numbers(text: str) -> set[int]:
    return {int(found) for found in NUMBER.findall(text)}


def test_no_text_tells_the_champions_result_before_the_hand_is_over(tmp_path, marked):
    """Every byte that reaches the page, with the champion done before the first bid."""
    with running(tmp_path) as server:
        page = owner(server)
        page.heard.clear()
        begun(page)
        wait_for(lambda: daily_of(server, page).complete)
        while not page.view["outcome"]:
            page.act(page.view["legal"][0])
            page.until(lambda: page.to_move() or page.view["outcome"])
            for request in ({"do": "dailies", "day": day()}, {"do": "sittings"}, {"do": "statistics"}):
                page.done(**request)
        finished = 0
        for text in page.heard:
            message = json.loads(text)
            finished = max(finished, len(message.get("view", {}).get("sheet", [])))
            early = {SECRET + number for number in range(finished, HANDS)}
            early |= {sum(range(SECRET, SECRET + hands)) for hands in range(finished + 1, HANDS + 1)}
            assert not numbers(text) & early, (finished, text)
        assert finished == HANDS
        told = page.view["daily"]
        assert [hand["champion"] for hand in told["hands"]] == list(range(SECRET, SECRET + HANDS))


def test_the_search_would_find_a_leak():
    assert SECRET + 2 in numbers(json.dumps({"view": {"x": [f"the champion has +{SECRET + 2} points"]}}))


def test_the_champion_is_kept_with_the_game(tmp_path, marked):
    with running(tmp_path) as server:
        page = owner(server)
        key = begun(page)
        wait_for(lambda: daily_of(server, page).complete)
        server.rest(page)
        saved = server.services.store.load(key).daily
        assert saved
        assert len(saved.champion) == HANDS
    with running(tmp_path) as server:
        page = owner(server)
        assert page.key == key
        assert page.view["daily"] == {
            "day": day(),
            "counted": True,
            "by": "Zofia",
            "hands": [],
            "own": 0,
            "champion": 0,
        }


def test_the_champion_plays_the_same_game_at_the_server(tmp_path):
    from spades_env.play.daily.champion_game import champion_hands

    with running(tmp_path) as server:
        page = owner(server)
        begun(page)
        wait_for(lambda: daily_of(server, page).complete)
        alone = [hand for hand in champion_hands(Daily(day())) if hand]
        assert daily_of(server, page).champion == alone


@pytest.mark.parametrize("number", [-2, 2, 9])
def test_a_day_that_is_not_today_is_refused(tmp_path, number):
    with running(tmp_path) as server:
        page = owner(server)
        key = page.key
        for do in ("daily", "dailies"):
            assert page.refused(do, day=day(number)).startswith(f"It can't be {day(number)} anywhere")
        for wrong in ("2026-02-30", "2026-13-01"):
            assert page.refused("daily", day=wrong).startswith("A day is written like 2026-11-25")
        assert page.refused("daily", day="today") == 'Day must be a day like 2026-11-25, not "today"'
        assert page.key == key
        assert len(server.services.store.sittings()) == 1


def test_today_farther_east_and_west(tmp_path):
    with running(tmp_path) as server:
        page = owner(server)
        assert len({begun(page, number) for number in (-1, 0, 1)}) == 3


def test_a_game_is_gone_on_with_and_its_end_counts_once(tmp_path, marked):
    with running(tmp_path) as server:
        page = owner(server)
        key = begun(page)
        page.act(page.view["legal"][0])
        page.done("new", rules="classic", bots=["rule"] * 4)
        assert begun(page) == key
        page.play()
        wait_for(lambda: daily_of(server, page).complete)
        status = page.done("dailies", day=day())["daily"]
        assert (status["state"], status["streak"]["now"], status["played"]) == ("over", 1, 1)
        assert status["results"][0]["share"].endswith("streak 1")
        again = begun(page)
        assert again != key
        assert page.view["daily"]["counted"] is False
        page.play()
        assert page.done("dailies", day=day())["daily"]["played"] == 1


def test_what_would_help_is_refused(tmp_path, marked):
    with running(tmp_path) as server:
        page = owner(server)
        begun(page)
        page.act(page.view["legal"][0])
        page.until(page.to_move)
        version = page.view["version"]
        assert page.refused("takeback", version=version) == "The daily deal is played without undo"
        assert page.refused("hint", version=version) == "The daily deal is played without hints"
        for do in ("invite", "leave"):
            assert page.refused(do) == "The daily deal is for one person and three bots"
        assert server.table(page).help_of(0) == {"hints": 0, "takebacks": 0}


def test_the_end_of_a_game(tmp_path):
    with running(tmp_path) as server:
        page = owner(server)
        page.done("rename", name="Anna")
        assert page.refused("ending", key=page.key) == "The game isn't over yet"
        page.play()
        found = page.done("ending", key=page.key)
        assert found["rating"]["why"] == "A game this short doesn't change your rating."
        assert {one["name"] for one in found["records"]} == {"Random"}
        assert len(page.done("achievements")["achievements"]) >= 8


def test_a_guest_reads_the_hands_and_nothing_of_the_owner(tmp_path):
    with running(tmp_path) as server:
        host = owner(server)
        new_table(host)
        other = guest(server, host.done("invite")["path"], 2, "Bela")
        play_together(lambda: server.table(other).over, host, other)
        server.up_to_date(host, other)
        found = other.done("ending", key=other.key)
        assert found["best"]["points"] >= found["costliest"]["points"]
        assert (found["rating"], found["earned"], found["records"]) == (None, [], [])
        assert host.done("ending", key=host.key)["rating"]["why"] == "Games with other people don't change your rating."
