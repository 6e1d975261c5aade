"""A fair fight: modelled people of several strengths come to win half of their games, where the stars allow it."""

import random
from collections.abc import Iterable
from itertools import pairwise
from statistics import mean

import pytest
from support.play.sittings import play, stand_still

from spades_env.agents.roster import MOST_STARS, roster
from spades_env.game.rules import Rules
from spades_env.play.progress.fair_fight import (
    FairFight,
    FightResult,
    fair_fight,
    fight_of,
    why_not_fair,
    with_fair_opponents,
)
from spades_env.play.store.database import Store
from spades_env.play.table.rating import DRAW, LOSS, WIN, agent_key, stars
from spades_env.play.table.table import Table
from spades_env.play.texts import catalogue, in_language, languages

GAMES, SETTLED, PEOPLE = 200, 40, 20
RATINGS = {count: [one.rating or 0 for one in roster() if one.stars == count] for count in range(1, MOST_STARS + 1)}
PARTNER = next(one.rating or 0 for one in roster() if one.name == "Tomas")


def chance(person: float, opponents: Iterable[float]) -> float:
    """Return how likely a person of this rating wins with Tomas; a side is as strong as its two on average."""
    return 1 / (1 + 10 ** ((mean(opponents) - mean([person, PARTNER])) / 400))


def games(person: float, seed: int) -> tuple[list[float], list[tuple[int, ...]]]:
    """Play fair fights; return their outcomes and the opponents' stars."""
    rng, fight, outcomes, met = random.Random(seed), FairFight(opponents=2), [], []
    for _ in range(GAMES):
        met.append(fight.stars)
        won = rng.random() < chance(person, [rng.choice(RATINGS[count]) for count in fight.stars])
        outcomes.append(WIN if won else LOSS)
        fight.add(FightResult(sum(fight.stars), outcomes[-1]))
    return outcomes, met


def share(person: float) -> float:
    """Return the share of games won once the opponents fit."""
    return mean(mean(games(person, seed)[0][SETTLED:]) for seed in range(PEOPLE))


@pytest.mark.parametrize("person", [0, 300, 600, 900, 1200])
def test_a_person_comes_to_win_half(person):
    assert share(person) == pytest.approx(0.5, abs=0.03)


def test_who_beats_everybody_meets_the_strongest():
    """No opponents are strong enough for more."""
    best = chance(1700, RATINGS[MOST_STARS])
    assert 0.6 < share(1700) < best + 0.03
    assert games(1700, 1)[1][-1] == (MOST_STARS, MOST_STARS)


def test_opponents_move_by_one_star_at_a_time_and_not_back_at_once():
    _, met = games(900, 3)
    totals = [sum(both) for both in met]
    steps = [after - before for before, after in pairwise(totals)]
    assert set(steps) == {-1, 0, 1}
    assert not any(one and other for one, other in pairwise(steps))
    assert all(high - low <= 1 for high, low in met)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([], (3, 3)),
        ([(6, WIN)], (3, 3)),
        ([(6, WIN), (6, WIN)], (4, 3)),
        ([(6, WIN), (6, DRAW), (6, LOSS), (6, LOSS), (6, LOSS)], (3, 2)),
        ([(10, WIN), (10, LOSS), (10, LOSS), (10, WIN)], (4, 3)),  # a loss against stronger ones says nothing
        ([(2, LOSS), (2, WIN), (2, WIN), (2, LOSS)], (3, 2)),
        ([(2, LOSS)] * 40, (1, 1)),
        ([(10, WIN)] * 40, (5, 5)),
    ],
)
def test_what_moves_the_opponents(results, expected):
    assert fair_fight([FightResult(*one) for one in results], partners=True).stars == expected


def test_without_partners_there_are_three():
    assert fair_fight([], partners=False).stars == (3, 3, 3)
    assert fair_fight([FightResult(9, LOSS)] * 2, partners=False).stars == (3, 3, 2)


def test_it_is_shown_in_words():
    fight = fair_fight([FightResult(6, WIN), FightResult(10, LOSS)], partners=True)
    assert fight.words == "Opponents: ★★★ · ★★★. One such game so far, 1 won."
    fight.add(FightResult(6, WIN))
    assert fight.words == "Opponents: ★★★★ · ★★★. You have won 2 of the last 2 such games."
    assert fair_fight([], partners=True).words == "Opponents: ★★★ · ★★★. Their stars will follow your results."


ALL_WON, ALL_LOST = [FightResult(15, WIN)] * 30, [FightResult(3, LOSS)] * 30


@pytest.mark.parametrize(("results", "key"), [(ALL_WON, "fair.strongest"), (ALL_LOST, "fair.weakest")])
@pytest.mark.parametrize("language", languages())
def test_it_says_where_the_stars_end(results, key, language):
    """Beyond them it can't lead to half of the games."""
    ending = catalogue(language)[key].removeprefix("{fight} ")
    assert in_language(fair_fight(results, partners=False).words, language).endswith(ending)
    back = {WIN: FightResult(15, LOSS), LOSS: FightResult(3, WIN)}[results[0].outcome]
    assert ending not in in_language(fair_fight([*results, back, back], partners=False).words, language)


def test_the_strongest_and_the_weakest_in_words():
    assert fair_fight([FightResult(10, WIN)] * 20, partners=True).words == (
        "Opponents: ★★★★★ · ★★★★★. You have won 10 of the last 10 such games. "
        "Nobody here is stronger, so you may win more than half."
    )
    assert fair_fight([FightResult(2, LOSS)] * 20, partners=True).words == (
        "Opponents: ★ · ★. You have won 0 of the last 10 such games. "
        "Nobody here is weaker, so you may win less than half."
    )


def test_it_is_off_where_a_result_is_compared():
    assert why_not_fair(Rules()) is None
    assert "tournament standing" in str(why_not_fair(Rules(time_limit_s=600)))


# From the store


RATED = Rules(target=125)


def finished(store: Store, rules: Rules, bots: list[str], seed: int) -> Table:
    table = Table(rules, bots, {0: "Anna"}, seed=seed, now=stand_still)
    play(table)
    store.save(table)
    return table


def test_saved_games_lead_there(tmp_path):
    """Short games, those without partners and those of others say nothing."""
    with Store(tmp_path) as store:
        table = finished(store, RATED, ["rule"] * 4, 3)
        for rules in (Rules(target=50), RATED.replace(partners=False)):
            finished(store, rules, ["rule"] * 4, 3)
        fight = fight_of(store, "Anna", RATED)
        assert (fight.games, fight_of(store, "Bea", RATED).games) == (1, 0)
        assert fight.latest == (table.game.scores[0] > table.game.scores[1],)


def test_the_opponents_fit_and_differ(tmp_path):
    with Store(tmp_path) as store:
        bots = with_fair_opponents(store, "Anna", Rules(), ["rule", "rule", "yusuf", "rule"], 0)
        assert (bots[0], bots[2]) == ("rule", "yusuf")
        assert [stars(bots[1]), stars(bots[3])] == [3, 3]
        assert len({*map(agent_key, bots)}) == 4
        alone = with_fair_opponents(store, "Anna", Rules(partners=False), ["rule"] * 4, 2)
        assert alone[2] == "rule"
        assert len({*alone}) == 4
