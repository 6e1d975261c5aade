"""Which games count: replays, abandoned games, games of several people, games of no hand."""

import itertools

import pytest
from support.play.kept import kept, new, outcomes
from support.play.sittings import ONE_HAND, move, play, refuses

from spades_env.play.progress.changes import ending
from spades_env.play.progress.history import facts_of
from spades_env.play.store.database import MOST_FINISHED_SINCE, StoreError
from spades_env.play.store.listing import list_entry
from spades_env.play.store.settings import DEFAULT_NAME
from spades_env.play.store.statistics import statistics
from spades_env.play.table.rating import DRAW
from spades_env.play.table.seat_view import seat_view


def test_replays_and_games_left_do_not_count(store):
    begun, replay, left = new(), new(ONE_HAND, counted=False), new(ONE_HAND)
    store.save(play(begun, 30))
    store.give_up(begun.key)
    kept(store, replay)
    left.leave(0)
    kept(store, left)
    assert statistics(store, "Anna").total.games == 0
    assert statistics(store, "Anna").bids.hands == 0
    assert len(store.hands.of(replay.key)) == 1


@pytest.mark.parametrize("undone", [False, True])
def test_a_game_abandoned_after_its_first_hand_is_lost(store, undone):
    """It is lost even while the person leads, and even if the hand was taken back before."""
    outcomes(store, (1.0, 8))
    table = new("match", bots=["rule"] * 4)
    while not table.finished:
        move(table)
        store.save(table)
    if undone:
        table.takeback(0, len(table.own_moves(0)))
        assert not table.finished
        store.save(table)
    assert store.given_up() == set()
    store.give_up(table.key)
    assert store.given_up() == {table.key}
    found = statistics(store, "Anna")
    assert (found.total.losses, found.by_difficulty[8].losses) == (1, 1)
    assert found.ratings == [80, 40]
    with refuses(f"there is no unfinished game {table.key!r}", StoreError):
        store.give_up(table.key)
    assert statistics(store, "Anna").total.games == 2


def test_an_empty_table_is_still_theirs_who_left_it(store):
    table = new("match", bots=["rule"] * 4)
    while not table.finished:
        move(table)
    table.leave(0)
    store.save(table)
    [saved] = store.sittings()
    assert list_entry(store, saved, "Anna", {}).forfeit
    store.give_up(table.key)
    assert statistics(store, "Anna").total.losses == 1


def test_a_game_begun_without_a_name_is_lost_under_the_later_one(store):
    table = new("match", {0: DEFAULT_NAME}, bots=["rule"] * 4)
    while not table.finished:
        move(table)
    store.save(table)
    store.rename("Anna")
    store.give_up(table.key)
    assert [statistics(store, name).total.losses for name in ("Anna", DEFAULT_NAME)] == [1, 0]


@pytest.mark.parametrize("other", [{"people": {0: "Anna", 2: "Cleo"}}, {"counted": False}])
def test_a_game_of_several_or_one_that_does_not_count_is_not_lost_by_abandoning_it(store, other):
    table = new("match", **other)
    while not table.finished:
        move(table)
        store.save(table)
    store.give_up(table.key)
    assert statistics(store, "Anna").total.games == 0


def test_a_game_left_for_ten_others_is_lost(store, monkeypatch):
    """The list says so before; a game of several people waits forever."""
    now = itertools.count()
    monkeypatch.setattr("spades_env.play.store.database._now", lambda: f"2026-11-25T12:00:00.{next(now):03}+00:00")
    left, fresh, of_two = new("match"), new("match"), new("match", people={0: "Anna", 2: "Cleo"})
    while not (left.finished and of_two.finished):
        move(left)
        move(of_two)
    for table in (left, fresh, of_two):
        store.save(table)
    for number in range(MOST_FINISHED_SINCE):
        assert statistics(store, "Anna").total.games == number
        assert store.count_unfinished() == 3
        [saved] = [saved for saved in store.unfinished() if saved.key == left.key]
        words = list_entry(store, saved, "Anna", {}).result.partition(" after 1 hand")[2]
        more = MOST_FINISHED_SINCE - number
        plural = "s" * (more > 1)
        assert words == (f", counts as lost after {more} more game{plural}" if more <= 3 else "")
        kept(store, play(new(ONE_HAND)))
    assert store.given_up() == {left.key}
    assert statistics(store, "Anna").total.games == MOST_FINISHED_SINCE + 1
    kept(store, play(new(ONE_HAND)))
    assert store.given_up() == {left.key}


def test_a_game_of_no_hand_counts_nowhere(store):
    """Its time is up in the first hand, so it is a draw at 0 to 0."""
    time = [0.0]
    table = play(new("showdown", now=lambda: time[0]), 10)
    time[0] = 601.0
    table.tick()
    store.save(table)
    assert table.over
    assert store.file.one("SELECT outcome, hands FROM game_results") == (DRAW, 0)
    assert statistics(store, "Anna").total.games == 0
    assert facts_of(store, "Anna").games == []
    assert ending(store, table, 0, "Anna")["rating"] is None
    assert seat_view(table, 0)["outcome"]["standing"] is None
