"""The score beside strangers: whose seats, which figures, what a results file refuses."""

import copy

import numpy as np
import pytest

from spades_env._jit import JIT_ON
from spades_env.agents.arena import benchmark, entry, leaderboard
from spades_env.agents.arena.entries import beside
from spades_env.agents.arena.entry import EntryError
from spades_env.agents.arena.match_result import panel_interval

pytestmark = pytest.mark.skipif(not JIT_ON, reason="vectors need the compiler")


@pytest.fixture(autouse=True)
def quick_panel(monkeypatch):
    """A panel of two that don't search."""
    monkeypatch.setattr(benchmark, "PANEL", ("rb", "club"))
    monkeypatch.setattr(benchmark, "HELD_OUT", ("club",))


def test_the_bot_has_one_seat_of_the_side():
    seats = set()

    def policy(view):
        seats.add(view.seat)
        return view.legal_actions()[0]

    found = beside.run(policy, games=2, jobs=1)
    assert seats == {0, 1}
    assert list(found["with"]) == ["rb", "club"]


def test_the_score_is_the_mean_over_the_partners():
    found = beside.run("bis", games=8, jobs=1)
    shares = np.stack([benchmark.shares_of(one["deals"]) for one in found["with"].values()], axis=1)
    assert found["score"] == pytest.approx(shares.mean())
    assert tuple(found["score_ci"]) == pytest.approx(panel_interval(shares))
    assert (found["pair"], found["games"], found["seed"]) == ("rule", 8, beside.TRIAL_SEED)
    assert found == beside.run("bis", games=8, jobs=2)


def test_a_member_of_the_panel_meets_the_others_as_strangers():
    assert list(beside.run("rb", games=2, jobs=1)["with"]) == ["club"]


def test_its_deals_are_others_than_those_of_the_score():
    assert len({beside.SEED, beside.TRIAL_SEED, benchmark.SEED, benchmark.TRIAL_SEED}) == 4
    assert beside.SEED in benchmark.RESERVED
    assert beside.TRIAL_SEED not in benchmark.RESERVED


@pytest.fixture
def found() -> entry.Entry:
    row, partners = benchmark.run("bis", games=4, jobs=1), beside.run("bis", games=4, jobs=1)
    return entry.make_entry(row, "bis", "computed", "nothing trained", None, partners=partners)


def test_it_stands_in_the_entry_and_on_the_leaderboard(found, monkeypatch):
    monkeypatch.setattr(leaderboard, "PANEL", benchmark.PANEL)
    shown = leaderboard.beside([found])
    head, _, line = shown.splitlines()
    assert head.count("|") == line.count("|")
    assert leaderboard.share(found["beside"]["score"], found["beside"]["score_ci"]) in line
    assert "### Beside strangers" in leaderboard.markdown([found])
    assert "### Beside strangers" not in leaderboard.markdown([without(found)])


def test_the_interval_of_points_is_as_wide_as_the_partners_own(found, monkeypatch):
    """Each partner met the same deals, whose points no file has: were they all alike, it would be this wide."""
    monkeypatch.setattr(leaderboard, "PANEL", benchmark.PANEL)
    strange = found["beside"]
    ends = [one["points_per_hand_ci"] for one in strange["with"].values()]
    assert leaderboard.points(strange["points_per_hand"], np.mean(ends, axis=0)) in leaderboard.beside([found])


def test_a_single_deal_has_points_without_an_interval(found, monkeypatch):
    monkeypatch.setattr(leaderboard, "PANEL", benchmark.PANEL)
    short = {**found, "beside": beside.run("bis", games=2, jobs=1)}
    assert f"| {short['beside']['points_per_hand']:+.1f} | 2 |" in leaderboard.beside([short])


def without(found: entry.Entry) -> entry.Entry:
    return {key: value for key, value in found.items() if key != "beside"}


@pytest.mark.parametrize(
    ("bend", "words"),
    [
        (lambda one: one.update(score=0.9), "beside: score is 0.9, but the deals make it"),
        (lambda one: one.update(pair="rb"), 'beside: pair must be "rule"'),
        (lambda one: one["with"].pop("rb"), "beside: with must have rb, club, in this order"),
        (lambda one: one["with"]["rb"].update(deals="4"), "beside rb: deals must have 2 digits"),
        (lambda one: one["with"]["rb"].update(win_rate=0.123), "beside rb: win_rate is 0.123"),
    ],
)
def test_what_does_not_follow_is_refused(found, bend, words):
    bent = copy.deepcopy(found)
    bend(bent["beside"])
    with pytest.raises(EntryError) as error:
        entry.checked_entry(bent, "x")
    assert words in str(error.value)
