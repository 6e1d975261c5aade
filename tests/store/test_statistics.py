"""Statistics of a person, against counts by hand."""

import json
import random

import pytest
from support.play.kept import kept, new, outcomes
from support.play.sittings import FOUR, ONE_HAND, SHORT, by_chance, by_rule, move, play, play_until
from support.strategies import scaled

from spades_env.play.progress.history import facts_of
from spades_env.play.store.statistics import statistics
from spades_env.play.table.seat_view import seat_view


def test_statistics_of_no_game(store):
    store.save(play(new(), 30))
    found = statistics(store, "Anna")
    assert found.total.win_rate is None
    assert found.as_dict()["rating"] == 0
    assert found.bids.hands == 0


def test_statistics_of_a_person(store):
    """Compare them with a count by hand over the tables themselves."""
    rng = random.Random(5)
    tables = []
    for seed in range(scaled(12)):
        bots = [
            "rule",
            rng.choice(["rule", "bis"]),
            rng.choice(["rule", "Milly/rb", "rb"]).removeprefix("Milly/"),
            "random",
        ]
        table = kept(store, new(SHORT, bots=bots, seed=seed), rng.choice((by_rule, by_chance(rng))))
        tables.append(table)
    found = statistics(store, "Anna")
    scores = [table.game.scores for table in tables]
    wins, losses = sum(a > b for a, b in scores), sum(a < b for a, b in scores)
    assert (found.total.wins, found.total.losses, found.total.games) == (wins, losses, len(tables))
    assert found.total.win_rate == (wins + (len(tables) - wins - losses) / 2) / len(tables)
    for bot in ("rule", "rb"):
        with_bot = [a > b for (a, b), table in zip(scores, tables, strict=True) if table.seats.bots[2] == bot]
        assert found.with_partner[bot].wins == sum(with_bot)
        assert found.with_partner[bot].games == len(with_bot)
    assert found.against["random"].games == len(tables)
    results = [hand.result for table in tables for hand in table.finished if hand.result]
    plain = [result for result in results if result.bids[0]]
    nils = [result for result in results if not result.bids[0]]
    assert found.bids.hands == len(results) == 2 * len(tables)
    assert found.bids.exact == sum(result.bids[0] == result.tricks[0] for result in plain)
    assert found.bids.off == pytest.approx(sum(abs(r.bids[0] - r.tricks[0]) for r in plain) / len(plain))
    assert found.bids.mean_bid == pytest.approx(sum(r.bids[0] for r in plain) / len(plain))
    assert (found.bids.nils, found.bids.nils_kept) == (len(nils), sum(not r.tricks[0] for r in nils))
    assert found.bids.bags == sum(result.overtricks[0] for result in results)
    assert sum(tally.games for tally in found.by_difficulty.values()) == len(tables)
    assert len(found.ratings) == len(tables)
    assert json.dumps(found.as_dict())


def test_short_games_count_everywhere_but_in_the_rating(store):
    table = kept(store, new("match target=40", bots=["rule"] * 4, seed=6))
    [(outcome, difficulty, hands)] = store.file.rows("SELECT outcome, difficulty, hands FROM game_results")
    assert hands == len(table.finished) == 1
    found = statistics(store, "Anna")
    assert outcome == 1.0
    assert found.ratings == [0]
    assert found.total.games == found.by_difficulty[difficulty].games == 1


def test_figures_by_hand(store):
    outcomes(store, (1.0, 8), (1.0, 2), (0.5, 8), (0.0, 14), (0.0, None))
    found = statistics(store, "Anna")
    assert found.ratings == [80, 80, 80, 70, 70]  # the win and the draw with help add nothing
    assert found.total.as_dict() == {"wins": 2, "losses": 2, "draws": 1, "games": 5, "win_rate": 0.5}
    assert {stars: tally.win_rate for stars, tally in found.by_difficulty.items()} == {8: 0.75, 2: 1.0, 14: 0.0}
    assert found.against["milly"].games == found.with_partner["zofia"].games == 5
    assert (found.hints, found.takebacks, found.moved_for, found.aided) == (1, 2, 1, 2)
    alone = statistics(store, "Anna", unaided=True)
    assert (alone.total.games, alone.aided, alone.ratings) == (3, 0, [80, 70, 70])


def test_hands_without_a_bid_of_ones_own_leave_the_bidding_figures_unchanged(store):
    kept(store, new("house target=off max_hands=1", {0: "Anna"}, bots=["random"] * 4), by_chance(random.Random(1)))
    blind = new("house first_hand=bid blind_bid_deficit=0 target=off max_hands=1", {0: "Anna"}, bots=["random"] * 4)
    kept(store, blind, lambda table, seat: seat_view(table, seat)["legal"][0])
    assert blind.game.results[0].bids[0] == 6, "blind, for both"
    found = statistics(store, "Anna").bids
    assert (found.hands, found.plain, found.exact, found.made) == (2, 0, 0, 0)
    assert (found.mean_bid, found.off) == (None, None)
    assert facts_of(store, "Anna").games[0].results[0].bids == [None] * 4


def test_help_is_marked(store):
    table = play_until(new(ONE_HAND), "play")
    table.ask(0)
    table.act(0, by_rule(table, 0))
    table.takeback(0)
    table.leave(0)
    move(table)
    while table.game.turn:
        move(table)
    table.take(0, "Anna")
    kept(store, table)
    found = statistics(store, "Anna")
    assert (found.hints, found.takebacks, found.aided) == (1, 1, 1)
    assert found.moved_for >= 1
    assert statistics(store, "Anna", unaided=True).total.games == 0


def test_several_people_have_their_own_statistics(store):
    table = kept(store, new(ONE_HAND, FOUR))
    found = [statistics(store, person) for person in FOUR.values()]
    assert [one.total.games for one in found] == [1] * 4
    assert found[0].total == found[2].total
    assert not found[0].by_difficulty
    assert not found[0].against
    assert table.over
    store.save(table)
    assert statistics(store, "Anna").total.games == 1
