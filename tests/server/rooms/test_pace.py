"""At a table of several people the pace of a bot's cards doesn't tell whether it had a choice."""

import pytest
from support.play.servers import ONE_HAND, guest, new_table, owner

from spades_env.play.server.rooms.pace import MOST_SECONDS, REMEMBERED, STEP_SECONDS, Pace

FORCED_TOOK = 0.0002


def appears(pace: Pace, forced: bool, took: float) -> float:
    """Return after how many steps a card appears; a whole number, however long it took."""
    steps = (took + pace.rest(0, forced, took)) / STEP_SECONDS
    assert steps == pytest.approx(round(steps))
    return round(steps)


def test_a_quick_choice_and_a_forced_card_appear_at_the_same_moment():
    pace = Pace()
    assert [appears(pace, False, took) for took in (0.0001, 0.0094, 0.024)] == [1, 1, 1]
    assert appears(pace, True, FORCED_TOOK) == 1
    assert appears(Pace(), True, FORCED_TOOK) == 1  # before any choice


def test_a_forced_card_takes_as_long_as_one_of_the_latest_choices():
    pace = Pace()
    appears(pace, False, 2.0)
    choices = [appears(pace, False, took) for took in (0.11, 0.32, 0.78) for _ in range(REMEMBERED // 2)]
    assert {appears(pace, True, FORCED_TOOK) for _ in range(300)} == set(choices[-REMEMBERED:])
    assert pace.rest(1, True, FORCED_TOOK) < STEP_SECONDS, "another seat has its own pace"


def test_nobody_waits_for_what_took_a_minute_once():
    pace = Pace()
    appears(pace, False, 60.0)
    assert pace.rest(0, True, FORCED_TOOK) <= MOST_SECONDS + STEP_SECONDS


def test_bots_keep_the_pace_where_several_people_play(server, monkeypatch):
    asked = []
    monkeypatch.setattr(Pace, "rest", lambda _, seat, forced, took: asked.append((seat, forced)) or 0.0)
    host = owner(server)
    new_table(host, ONE_HAND)
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    while not server.table(host).over:
        server.rest(host)
        server.up_to_date(host, anna)
        for page in (host, anna):
            if page.to_move():
                page.act(page.view["legal"][0])
    assert sorted(seat for seat, _ in asked) == [1] * 13 + [3] * 13
    assert {forced for _, forced in asked} == {True, False}
    asked.clear()
    new_table(host, ONE_HAND)  # alone
    host.play()
    assert not asked
