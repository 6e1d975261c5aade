"""Match equity: shares sum to 1, rise with the score, are final when the game is over, and match real games."""

import random

import numpy as np
import pytest
from support.game.tables import random_rules
from support.strategies import SCALE, random_options, scaled

from spades_env import Rules
from spades_env._jit import JIT_ON
from spades_env.agents import AgentError
from spades_env.agents.equity import LEARNED, Numbers, equity
from spades_env.agents.fitted import fit_options
from spades_env.game.engine import new_game
from spades_env.game.rules import CHOICES
from spades_env.game.scoring import end_hand
from spades_env.game.state import FREE, GAME_OVER, OVER, compile_rules, new_tables
from spades_env.training.fit import equity as fit_equity
from spades_env.training.fit.equity import ScoredGames, fit, learn, losses, play, shares


class Scores:
    """A table whose hand has just been scored."""

    def __init__(self, rules: Rules, scores, bags=(0, 0, 0, 0), hand_number: int = 0):
        self.rules, self.compiled = rules, compile_rules(rules)
        self.table = new_tables(1)
        self.s, self.r = self.table[0], self.compiled[0]
        new_game(self.s, self.r, np.uint64(1))
        self.s.scores[: rules.sides] = scores[: rules.sides]
        self.s.bags[: rules.sides] = bags[: rules.sides]
        self.s.hand_number = hand_number

    def shares(self) -> list[float]:
        return [float(equity(self.s, self.r, side)) for side in range(self.rules.sides)]

    def over(self) -> "Scores":
        """No trick was bid and none made: the scores stay, the game may end."""
        self.s.bids[:] = 0
        self.over_now = end_hand(self.s, self.r) == GAME_OVER
        return self


def random_scores(rng: random.Random, rules: Rules) -> Scores:
    limit = rules.bag_limit or 1
    bags = [rng.randrange(limit) for _ in range(4)]
    return Scores(rules, [rng.randint(-300, 600) for _ in range(4)], bags, rng.randrange(rules.max_hands or 20))


def test_shares_sum_to_one():
    rng = random.Random(1)
    for _ in range(scaled(300)):
        scores = random_scores(rng, random_rules(rng))
        shares = scores.shares()
        assert sum(shares) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in shares)


def test_a_better_score_is_never_worth_less():
    rng = random.Random(2)
    for _ in range(scaled(300)):
        scores = random_scores(rng, random_rules(rng))
        side = rng.randrange(scores.rules.sides)
        before = scores.shares()
        scores.s.scores[side] += rng.randint(1, 60)
        after = scores.shares()
        assert after[side] >= before[side] - 1e-12
        others = [other for other in range(scores.rules.sides) if other != side]
        assert sum(after[other] for other in others) <= sum(before[other] for other in others) + 1e-12


def test_a_bag_is_never_worth_anything():
    rng = random.Random(3)
    for _ in range(scaled(300)):
        scores = random_scores(rng, random_rules(rng, bag_limit=rng.choice((5, 10))))
        side = rng.randrange(scores.rules.sides)
        before = scores.shares()[side]
        scores.s.bags[side] += 1
        assert scores.shares()[side] <= before + 1e-12


def test_bags_that_do_not_count_are_worth_nothing():
    rules = Rules(bag_limit=None)
    assert Scores(rules, [100, 50], [0, 0]).shares() == Scores(rules, [100, 50], [9, 3]).shares()
    rules = Rules(bag_penalty=0)
    assert Scores(rules, [100, 50], [0, 0]).shares() == Scores(rules, [100, 50], [9, 3]).shares()


def test_bags_that_give_the_opponents_points_count_like_those_that_cost():
    costs, gives = Rules(bag_limit=5, bag_penalty=50), Rules(bag_limit=5, bag_penalty=50, bag_penalty_to="opponents")
    assert Scores(costs, [100, 50], [3, 0]).shares() == Scores(gives, [100, 50], [3, 0]).shares()


@pytest.mark.parametrize("rules", [Rules(), Rules.preset("solo"), Rules(target=None, max_hands=8), Rules(floor=-200)])
def test_equal_sides_share_equally(rules):
    assert Scores(rules, [120] * 4).shares() == pytest.approx([1 / rules.sides] * rules.sides)


def test_a_game_that_is_over_belongs_to_the_winner():
    assert Scores(Rules(), [510, 505]).over().shares() == [1, 0]
    assert Scores(Rules(), [480, 505]).over().shares() == [0, 1]
    assert Scores(Rules(), [505, 505]).over().shares() == [0.5, 0.5]
    assert Scores(Rules.preset("solo"), [251, 260, 260, 90]).over().shares() == [0, 0.5, 0.5, 0]
    assert Scores(Rules(max_hands=3), [90, 80], hand_number=2).over().shares() == [1, 0]


def test_a_tie_that_is_played_out_is_still_open():
    scores = Scores(Rules(tie="extra_hand"), [520, 520]).over()
    assert scores.s.phase != OVER
    assert scores.shares() == [0.5, 0.5]
    assert Scores(Rules(tie="extra_hand"), [520, 510]).over().shares() == [1, 0]


@pytest.mark.parametrize("rules", [Rules(), Rules.preset("solo"), Rules(target=None, max_hands=10)])
def test_a_lead_is_worth_more_the_nearer_the_end(rules):
    early = Scores(rules, [60, 10, 10, 10], hand_number=0).shares()[0]
    late = Scores(rules, [230, 180, 180, 180], hand_number=8).shares()[0]
    assert early < late < 1


def test_numbers_as_far_apart_as_they_get():
    assert Scores(Rules(target=None, max_hands=2), [-100_000_000, 100_000_000]).shares() == pytest.approx([0, 1])


@pytest.mark.parametrize(
    ("scores", "won"),
    [((128, 456), 0.01), ((300, 400), 0.22), ((450, 300), 0.94), ((100, 0), 0.62), ((300, 200), 0.69)],
)
def test_the_share_is_how_often_games_are_won(scores, won):
    """How many of 4,000 games of `rule` with itself the first side won from there, without a bag on either side."""
    assert Scores(Rules(blind_nil_deficit=None), scores).shares()[0] == pytest.approx(won, abs=0.08)


@pytest.mark.parametrize("text", [*(text for texts in fit_equity.SETS for text in texts), *fit_equity.BLIND_SETS])
def test_fresh_games_are_won_as_predicted(text):
    """Predictions beat a coin toss, and in every tenth of the shares as many games are won as predicted."""
    agent = fit_options("equity")["agent"]
    games = play(agent, scaled(400), 99, Rules.parse(text))
    sides, numbers = int(games.r.sides), LEARNED[games.r.bidding]
    foreseen, won = shares(games, numbers), games.won[:, :sides]
    if SCALE == 1:
        assert losses([games], numbers).mean() < 0.85 * np.log(sides)
    for tenth in range(10):
        rows = (foreseen * 10).astype(int) == tenth
        independent = 1 + len(np.unique(games.facts.game[rows.any(1)]))  # the rows of a game share its end
        assert abs((won - foreseen)[rows].sum()) <= rows.sum() * (0.06 + 2 / np.sqrt(independent))


@pytest.mark.skipif(not JIT_ON, reason="a minute without the compiler")
@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("mirror", LEARNED[FREE]),
        ("suicide", LEARNED[FREE]),
        ("house", LEARNED[FREE]._replace(blinds=0.0)),  # as if nobody bid blind
    ],
)
def test_its_own_numbers_predict_a_bidding_better(text, others):
    games = play(fit_options("equity")["agent"], 4_000, 99, Rules.parse(text))
    assert losses([games], LEARNED[games.r.bidding]).mean() < losses([games], others).mean() - 0.003


@pytest.mark.skipif(not JIT_ON, reason="half a minute without the compiler")
def test_the_fit_recovers_known_numbers():
    known = Numbers(hand=25, bags=0.5, leader=0.6, nils=0.5, tally=0.8, stride=60, last_hands=2)
    rng = np.random.default_rng(6)
    texts = [*fit_equity.SETS[FREE][::2], *fit_equity.BLIND_SETS[:2]]
    data = [made_up(rng, Rules.parse(text), scaled(12_000), known) for text in texts]
    learned = fit(data, LEARNED[FREE])
    if SCALE == 1:
        assert np.log(learned) == pytest.approx(np.log(known), abs=0.2)
    weights = np.concatenate([np.full(len(games.won), 1 / len(games.won)) for games in data])
    assert losses(data, learned) @ weights <= losses(data, known) @ weights


def made_up(rng: np.random.Generator, rules: Rules, rows: int, numbers: Numbers) -> ScoredGames:
    """Random scores, won as often as the numbers say."""
    facts = np.zeros(rows, fit_equity.FACTS).view(np.recarray)
    facts.scores = rng.integers(-100, rules.target or 300, (rows, 4))
    facts.bags = rng.integers(0, rules.bag_limit or 1, (rows, 4))
    facts.hand_number = rng.integers(-1, rules.max_hands - 1, rows) if rules.max_hands else 0
    games = ScoredGames(compile_rules(rules)[0], facts, np.zeros((rows, 4)))
    winners = (shares(games, numbers).cumsum(1) < rng.random((rows, 1))).sum(1)
    games.won[np.arange(rows), np.minimum(winners, rules.sides - 1)] = 1
    return games


def test_the_fit_gives_what_the_module_reads(monkeypatch, capsys):
    sets = ("classic", "solo nil=true bag_limit=10"), ("mirror",), ("whiz",), ("suicide",)
    monkeypatch.setattr(fit_equity, "SETS", sets)
    monkeypatch.setattr(fit_equity, "BLIND_SETS", ("house",))
    fitted = learn("rb", scaled(200), 1)
    printed = capsys.readouterr().out
    assert "a coin 1.3863" in printed
    assert all(f"\n{text}: log loss" in printed for text in ("mirror", "whiz", "suicide", "house"))
    assert tuple(fitted) == Numbers._fields
    assert all(numbers.shape == (len(LEARNED),) and (numbers > 0).all() for numbers in fitted.values())


def test_only_compiled_agents_teach_equity():
    with pytest.raises(AgentError, match="unknown agent"):
        play("nobody", 1, 1, Rules())
    with pytest.raises(SystemExit, match="not compiled"):
        play("bis/mc:2x2", 1, 1, Rules())


def test_the_leaders_tally_widens_the_spread_more_than_the_others():
    empty, leaders, others = (Scores(Rules(), [450, 320], bags).shares()[0] for bags in ([0, 0], [8, 0], [0, 8]))
    assert leaders < empty - 0.15
    assert others > empty


def test_a_dearer_nil_widens_the_spread():
    cheap, dear = (Scores(Rules(nil_bonus=bonus), [200, 100]).shares()[0] for bonus in (50, 200))
    assert 0.5 < dear < cheap


def test_a_blind_bid_widens_the_spread():
    without, blind = (Scores(Rules(blind_bid=bid), [300, 200]).shares()[0] for bid in (None, 6))
    assert 0.5 < blind < without - 0.02


def test_each_way_of_bidding_has_numbers_of_its_own():
    found = {
        Scores(Rules(blind_nil_deficit=None, bidding=bidding), [300, 200]).shares()[0] for bidding in CHOICES["bidding"]
    }
    assert len(found) == len(LEARNED) == len(CHOICES["bidding"])


def test_random_options_are_all_rules_it_can_read():
    rng = random.Random(9)
    for _ in range(scaled(50)):
        options = random_options(rng)
        if options["partners"] or options["failed_nil_tricks"] != "partner":
            assert sum(random_scores(rng, Rules(**options)).shares()) == pytest.approx(1)
