"""A person's daily deals in the store: what counts, streaks, damage; and what a finished game has changed."""

import json
from datetime import date, timedelta

import pytest
from support.play.sittings import by_rule, move, overwrite, play, refuses, stand_still

from spades_env.play.daily import champion_game, deal_of_day
from spades_env.play.daily.champion_game import champion_hands
from spades_env.play.daily.deal_of_day import SEAT, DailyError
from spades_env.play.progress import daily as daily_module
from spades_env.play.progress.achievements import achievements
from spades_env.play.progress.changes import ending
from spades_env.play.progress.daily import daily_status, may_count, new_daily, open_daily
from spades_env.play.progress.history import facts_of
from spades_env.play.store.dailies import counted_games, daily_games
from spades_env.play.store.database import Store
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.store.statistics import statistics
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table, TableError

QUICK = ("rule", "rb", "rule", "rb")
SHORT = "match target=off max_hands=2"
RATED = "match target=off max_hands=4"
FIRST = date(2026, 11, 20)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A calendar that tests turn, and bots that need no time."""

    class Clock:
        day = FIRST

    monkeypatch.setattr(deal_of_day, "today", lambda: Clock.day)
    monkeypatch.setattr(daily_module, "today", lambda: Clock.day)
    monkeypatch.setattr(daily_module, "BOTS", QUICK)
    monkeypatch.setattr(champion_game, "BOTS", QUICK)
    return Clock


def day(number: int) -> str:
    return (FIRST + timedelta(number)).isoformat()


def opened(store: Store, number: int = 0, name: str = "Anna") -> Table:
    """Return the table of a day's deal as the server opens it, saved."""
    if key := open_daily(store, name, day(number)):
        return store.load(key)
    table = new_daily(store, name, day(number), "rule")
    store.save(table)
    return table


def finished(store: Store, number: int = 0, with_champion: bool = True) -> Table:
    """Play the deal of a day to the end."""
    table = opened(store, number)
    play(table)
    if with_champion and table.daily:
        table.daily.champion += [hand for hand in champion_hands(table.daily) if hand]
    store.save(table)
    return table


# What counts


def test_the_first_game_of_a_day_counts_and_is_gone_on_with(store):
    first = opened(store)
    assert first.no_help
    move(first)
    store.save(first)
    assert opened(store).key == first.key
    play(first)
    store.save(first)
    again = opened(store)
    assert again.key != first.key
    assert not again.no_help
    assert [game.key for game in counted_games(store, "Anna").values()] == [first.key]
    assert len(daily_games(store, "Anna")) == 2


def test_an_abandoned_game_cannot_be_begun_again(store):
    first = opened(store)
    store.give_up(first.key)
    assert not opened(store).no_help
    status = daily_status(store, "Anna", day(0))
    assert (status["state"], status["streak"]["now"], status["counts"]) == ("given up", 0, False)


def test_neither_undo_nor_hints_in_the_game_that_counts(store):
    table = opened(store)
    while table.pending:
        move(table)
    table.act(SEAT, by_rule(table, SEAT))
    with refuses("The daily deal is played without undo", TableError):
        table.takeback(SEAT)
    while table.pending:
        move(table)
    with refuses("The daily deal is played without hints", TableError):
        table.ask(SEAT, table.version)
    assert table.help_of(SEAT) == {"hints": 0, "takebacks": 0}
    assert (seat_view(table, SEAT)["can"]["takeback"], seat_view(table, SEAT)["can"]["hint"]) == (0, False)
    finished(store)
    practice = opened(store)
    while practice.pending:
        move(practice)
    practice.act(SEAT, by_rule(practice, SEAT))
    practice.takeback(SEAT)
    assert practice.hint(SEAT)["hint"]


def test_a_daily_deal_is_in_no_statistics(store):
    finished(store)
    found = statistics(store, "Anna")
    assert (found.total.games, found.bids.hands, found.rating) == (0, 0, 0)


def test_a_clock_set_back_fills_no_gap(store, clock):
    finished(store, 0)
    clock.day = FIRST + timedelta(2)
    finished(store, 2)
    clock.day = FIRST + timedelta(1)
    assert not finished(store, 1).no_help
    assert daily_status(store, "Anna", day(1))["counts"] is False
    clock.day = FIRST + timedelta(2)
    assert daily_status(store, "Anna", day(2))["streak"] == {"now": 1, "best": 1}


def test_a_clock_that_was_ahead_spoils_nothing(store, clock):
    """A year ahead by mistake: today's deal counts all the same."""
    clock.day = FIRST + timedelta(365)
    finished(store, 365)
    clock.day = FIRST
    assert finished(store).no_help
    assert daily_status(store, "Anna", day(0))["streak"]["now"] == 1


def test_may_count():
    begun = {FIRST + timedelta(number) for number in (-3, 1)}
    assert [may_count(begun, FIRST + timedelta(number)) for number in (-4, -3, 0, 1)] == [False] * 4
    assert may_count(begun, FIRST + timedelta(2))
    assert may_count({FIRST + timedelta(9)}, FIRST)


@pytest.mark.parametrize("number", [-2, 2, 400])
def test_other_days_are_refused(store, number):
    with pytest.raises(DailyError, match="anywhere"):
        opened(store, number)
    assert store.sittings() == []


# Streaks


def test_a_streak_goes_on_over_midnight_and_ends_with_a_missing_day(store, clock):
    finished(store, 0)
    late = opened(store, 0 + 1)  # it is tomorrow already where Anna is
    clock.day = FIRST + timedelta(2)
    play(late)
    store.save(late)  # finished after midnight
    assert daily_status(store, "Anna", day(2))["streak"] == {"now": 2, "best": 2}
    clock.day = FIRST + timedelta(3)
    assert daily_status(store, "Anna", day(3))["streak"] == {"now": 0, "best": 2}
    finished(store, 3)
    assert daily_status(store, "Anna", day(3))["streak"] == {"now": 1, "best": 2}


def test_the_results_of_a_week(store, clock):
    for number in range(9):
        clock.day = FIRST + timedelta(number)
        finished(store, number, with_champion=number != 8)
    status = daily_status(store, "Anna", day(8))
    assert [one["day"] for one in status["results"]] == [day(number) for number in range(8, 1, -1)]
    assert status["results"][0]["share"] is None
    assert status["results"][1]["share"].startswith(f"Spades daily {day(7)} · me ")
    assert status["results"][1]["share"].endswith("streak 8")
    assert (status["state"], status["played"]) == ("over", 9)


def test_a_name_given_later_keeps_the_days(store):
    table = opened(store, 0, "You")
    play(table)
    store.save(table)
    store.rename("Anna")
    assert daily_status(store, "Anna", day(0))["streak"]["now"] == 1
    assert daily_status(store, "Bela", day(0))["state"] == "over"  # nobody's: it was played without a name
    other = opened(store, 1, "Bela")
    play(other)
    store.save(other)
    assert len(counted_games(store, "Anna")) == 1


# Damage


@pytest.mark.parametrize(
    "damage",
    [
        {"day": "2026-02-30"},
        {"counted": "yes"},
        {"champion": [{}]},
        {"champion": "none"},
    ],
)
def test_a_damaged_daily_is_left_out_and_reported(store, damage):
    keys = [finished(store, number).key for number in (0, 1)]
    data = json.loads(store.sitting_text(keys[0]))
    overwrite(store, keys[0], data | {"daily": data["daily"] | damage})
    assert [game.key for game in daily_games(store, "Anna")] == [keys[1]]
    assert any(keys[0] in sentence for sentence in store.faults.values())
    assert daily_status(store, "Anna", day(1))["streak"]["now"] == 1
    assert len(facts_of(store, "Anna").days) == 1
    with pytest.raises(ValueError, match="cannot be read"):
        store.load(keys[0])


def test_a_row_changed_by_hand_is_left_out(store):
    key = finished(store).key
    store.file._db.execute("UPDATE sittings SET told = replace(told, '2026-11-20', '2026-11-19')")
    assert daily_games(store, "Anna") == []
    assert any(key in sentence for sentence in store.faults.values())


def test_a_person_called_like_the_field_is_no_daily(store):
    store.save(Table(SHORT, QUICK, {SEAT: '"daily":{'}, seed=3))
    assert daily_games(store, '"daily":{') == []


def test_a_saved_daily_comes_back(store):
    table = finished(store)
    assert packed(unpacked(packed(table))) == packed(table)
    assert seat_view(store.load(table.key), SEAT)["daily"] == seat_view(table, SEAT)["daily"]


# The end of a game


def end_of(store: Store, table: Table) -> dict:
    return ending(store, table, SEAT, "Anna")


def played(store: Store, rules: str, seed: int, **options) -> Table:
    table = Table(rules, QUICK, {SEAT: "Anna"}, seed=seed, now=stand_still, **options)
    play(table)
    store.save(table)
    return table


def test_the_rating_before_and_after(store):
    """Game after game, the rating of the statistics."""
    ratings, found = [0], {}
    for seed in range(6):
        table = played(store, RATED, seed)
        found = end_of(store, table)
        assert (found["rating"]["before"], found["rating"]["why"]) == (ratings[-1], None)
        ratings.append(found["rating"]["after"])
    assert ratings[1:] == statistics(store, "Anna").ratings
    assert len(set(ratings)) > 2
    assert found["wins"]["best"] >= found["wins"]["now"]
    [with_partner, *against] = found["records"]
    assert (with_partner["role"], with_partner["games"]) == ("with", 6)
    assert [one["name"] for one in against] == ["Point counter"]


def test_a_short_game_says_that_it_is_too_short(store):
    """It is no part of a run of wins, so none is shown."""
    found = end_of(store, played(store, SHORT, 1))
    assert found["rating"]["why"] == "A game this short doesn't change your rating."
    assert found["rating"]["before"] == found["rating"]["after"]
    assert found["wins"] is None


def test_help_lets_no_win_count(store):
    """A win with an undo adds nothing; a loss with one costs what every loss costs."""
    changes = {}
    for seed in range(12):
        table = Table(RATED, ["rule", "rb", "rule", "random"], {SEAT: "Anna"}, seed=seed, now=stand_still)
        while table.pending:
            move(table)
        table.act(SEAT, by_rule(table, SEAT))
        table.takeback(SEAT)
        play(table)
        store.save(table)
        rating = end_of(store, table)["rating"]
        changes.setdefault(seat_view(table, SEAT)["outcome"]["outcome"], []).append(rating)
    wins = changes["win"]
    assert {one["after"] - one["before"] for one in wins} == {0}
    why = "With hints, undos or moves made by a bot, a win doesn't raise your rating."
    assert {one["why"] for one in wins} == {why}
    assert all(one["why"] is None for one in changes.get("loss", []))


def test_the_best_and_the_costliest_hand(store):
    table = played(store, RATED, 2)
    found = end_of(store, table)
    points = [hand.result.points[0] for hand in table.finished if hand.result]
    assert (found["best"]["points"], found["costliest"]["points"]) == (max(points), min(points))
    assert points[found["best"]["hand"] - 1] == max(points)
    assert "bid" in found["best"]["words"]


def test_the_end_of_a_daily_deal(store):
    table = finished(store)
    found = end_of(store, table)
    assert found["rating"] is None
    assert found["daily"]["share"].startswith("Spades daily 2026-11-20 · me ")
    assert found["daily"]["streak"] == {"now": 1, "best": 1}
    assert found["daily"]["hands"] == seat_view(table, SEAT)["daily"]["hands"]
    beaten = found["daily"]["own"] > found["daily"]["champion"]
    assert [one["key"] for one in found["earned"]] == ["champion"] * beaten


def test_no_end_before_the_end(store):
    with refuses("The game isn't over yet", TableError):
        end_of(store, Table(SHORT, QUICK, {SEAT: "Anna"}, seed=1))


def test_who_has_no_statistics_reads_the_hands_alone(store):
    table = played(store, RATED, 3)
    found = ending(store, table, 0, None)
    assert found["best"]
    assert (found["rating"], found["wins"], found["records"], found["earned"], found["daily"]) == (
        None,
        None,
        [],
        [],
        None,
    )


def test_achievements_of_a_store_of_before(store):
    """Games of the time before there were achievements count; damaged rows are left out."""
    for seed in range(8):
        played(store, RATED, seed)
    facts = facts_of(store, "Anna")
    results = [store.hands.of(game.key) for game in facts.games]
    nils = [hand.result for hands in results for hand in hands if not hand.result.bids[0] and not hand.result.tricks[0]]
    [nil] = [one for one in achievements(facts) if one.key == "nil"]
    assert nil.earned == bool(nils)
    store.file._db.execute("UPDATE game_results SET outcome = 0.75 WHERE id = 1")
    store.file._db.execute("UPDATE hands SET told = '{' WHERE key = ?", [facts.games[1].key])
    found = facts_of(store, "Anna")
    assert len(found.games) == 7
    assert len(achievements(found)) == len(achievements(facts))


def test_a_glance_at_the_rows_excludes_nothing(store, monkeypatch):
    """The same achievements with and without it, and fewer hands replayed."""
    for seed in range(14):
        played(
            store,
            "classic target=off max_hands=4 blind_nil_deficit=0",
            seed,
            start={"scores": [-150, 0]} if seed % 3 else {},
        )
    replayed = []
    results = store.hands.results
    monkeypatch.setattr(store.hands, "results", lambda key: replayed.append(key) or results(key))
    quick, few = achievements(facts_of(store, "Anna")), len(replayed)
    monkeypatch.setattr("spades_env.play.progress.history.worth_reading", lambda *_: {})
    assert achievements(facts_of(store, "Anna")) == quick
    assert few < len(replayed) - few
    assert sum(one.earned for one in quick) >= 2
