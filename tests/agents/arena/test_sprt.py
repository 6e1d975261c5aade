"""The sequential test: known likelihood ratios, error rates in simulated matches, and where a match ends."""

import numpy as np
import pytest

from spades_env import Rules
from spades_env.agents import arena
from spades_env.agents.arena import Sprt
from spades_env.agents.elo import SHARES, elo_of, looks, share_of

SHORT = Rules(target=None, max_hands=2)
RISKS = {"alpha": 0.05, "beta": 0.1}


# The likelihood ratio


def test_the_ratio_is_that_of_fishtest():
    """The figure that a published page of raw statistics calls logistic and exact."""
    test = Sprt(0, elo_of(0.50391))
    assert test.llr(np.array([13, 37, 50, 25, 3])) == pytest.approx(-0.53772, abs=1e-3)
    assert test.bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)


@pytest.mark.parametrize(
    ("pairs", "ratio"),
    [
        ([0, 0, 0, 0, 0], lambda s: 0),
        ([0, 0, 0, 0, 7], lambda s: 7 * np.log(s / 0.5)),
        ([7, 0, 0, 0, 0], lambda s: 7 * np.log((1 - s) / 0.5)),
        ([3, 0, 0, 0, 9], lambda s: 9 * np.log(s / 0.5) + 3 * np.log((1 - s) / 0.5)),
        ([0, 0, 50, 0, 0], lambda s: 50 * np.log(2 - 2 * s)),  # the rest of the weight is of pairs that were won
    ],
)
def test_results_that_never_came_need_no_invented_counts(pairs, ratio):
    for elo in (5, 50, 400):
        assert Sprt(0, elo).llr(np.array(pairs)) == pytest.approx(ratio(share_of(elo)), abs=1e-6)


# Error rates


def tilted(weights: list[int], share: float) -> np.ndarray:
    """Return the distribution of pairs with this mean that is nearest to these weights."""

    def by(tilt: float) -> np.ndarray:
        return np.array(weights) * np.exp(tilt * (SHARES - share))

    low, high = -50.0, 50.0
    for _ in range(60):
        tilt = (low + high) / 2
        low, high = (tilt, high) if by(tilt) @ (SHARES - share) < 0 else (low, tilt)
    return by(low) / by(low).sum()


def accepted(test: Sprt, chances: np.ndarray, matches: int = 2000) -> dict[str, float]:
    """Play simulated matches until all have ended; return the shares of both verdicts."""
    rng = np.random.default_rng(1)
    pairs, found = np.zeros((matches, 5), int), dict.fromkeys(("H0", "H1"), 0)
    for deals in looks(10**6):
        pairs += rng.multinomial(len(deals), chances, len(pairs))
        llr, (low, high) = test.llr(pairs), test.bounds
        found["H0"] += int((llr <= low).sum())
        found["H1"] += int((llr >= high).sum())
        pairs = pairs[(low < llr) & (llr < high)]
    return {name: count / matches for name, count in found.items()}


@pytest.mark.parametrize("elos", [(0, 30), (200, 240)])
@pytest.mark.parametrize("weights", [[1, 0, 2, 0, 1], [4, 0, 1, 0, 4], [1, 0, 18, 0, 1], [1, 4, 10, 4, 1]])
def test_errors_are_as_rare_as_asked(weights, elos):
    """Pairs as of independent games, pairs that one side wins both of, pairs mostly shared, and draws."""
    test = Sprt(*elos, **RISKS)
    for wrong, right, risk, elo in (("H1", "H0", test.alpha, test.elo0), ("H0", "H1", test.beta, test.elo1)):
        found = accepted(test, tilted(weights, share_of(elo)))
        assert risk / 4 < found[wrong] < risk + 2 * np.sqrt(risk * (1 - risk) / 2000)
        assert found[wrong] + found[right] == 1


# Matches


def test_a_test_plays_the_first_games_of_the_plain_match():
    looked, watched = [], set()
    match = {"a": "random", "b": "random/random", "rules": SHORT, "games": 200, "seed": 5}
    plain = arena.play(**match, jobs=1)
    found = arena.play(
        **match, jobs=2, sprt=Sprt(-10, 10), look=looked.append, watch=lambda *seen: watched.update(seen[3].tolist())
    )
    assert found.as_dict()["sprt"]["accepted"] is None
    assert (found.rows == plain.rows).all()
    assert found.moves == plain.moves
    assert [one.games for one in looked] == [64, 128, 192, 200]
    assert watched == set(range(200))


@pytest.mark.parametrize(("elos", "verdict"), [((-400, -200), "H1"), ((200, 400), "H0")])
def test_a_match_ends_when_a_hypothesis_is_accepted(elos, verdict):
    test, looked, reports = Sprt(*elos), [], []
    told = {"look": looked.append, "progress": lambda *seen: reports.append(seen)}
    found = arena.play("random", "random/random", SHORT, sprt=test, **told)
    assert [test.accepted(one.pairs) for one in looked] == [None] * (len(looked) - 1) + [verdict]
    assert found.as_dict()["sprt"]["accepted"] == verdict
    assert reports[-1] == (looked[-1].games, 10_000_000)
    assert reports[-1][0] == found.games < 1000


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"elo1": 0}, "two Elo differences .* not 0 and 0"),
        ({"elo0": float("nan")}, "two Elo differences"),
        ({"elo1": 1e9}, "two Elo differences from -2000 to 2000"),
        ({"alpha": 0.5}, "alpha must be between 0 and 0.5, not 0.5"),
        ({"beta": 0}, "beta must be between"),
    ],
)
def test_what_cannot_be_tested_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Sprt(**{"elo0": 0, "elo1": 10, **given})


def test_a_test_is_of_whole_games():
    with pytest.raises(ValueError, match="whole games: leave out hands=4"):
        arena.play("random", "random", hands=4, sprt=Sprt(0, 10))
