"""The arena: games replayed one by one, fair seats, intervals, the same result on any number of cores."""

import json
import random
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.game.tables import random_rules
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents import Agent, AgentError, arena, load
from spades_env.agents.arena import match
from spades_env.agents.arena.lockstep import COUNTS, derived_seed
from spades_env.agents.arena.match_result import Result, ratio_interval, share_interval, student
from spades_env.game.cards import BID_ZERO
from spades_env.game.state import BID, BLIND

SHORT = Rules(target=None, max_hands=2)


class Spy(Agent):
    """Bids two, plays its lowest legal card, and keeps what it was shown; `answer` gives something else instead."""

    def __init__(self, name="spy", cheats=False, answer=None):
        super().__init__(name)
        self.cheats, self.answer, self.seen = cheats, answer, []
        self.player = load("random")

    def _choose(self, batch):
        self.seen.append(batch.tables.copy())
        if self.answer is not None:
            return self.answer(batch)
        actions = self.player.act_batch(batch.blanked() if self.cheats else batch)
        return np.where(batch.tables.phase == BID, BID_ZERO + 2, actions)


def figures(result: Result) -> dict:
    """All but the time, which no seed decides."""
    found = result.as_dict()
    for stats in found["stats"].values():
        del stats["ms_per_move"]
    return found


# Against games played one by one


def replayed(agents, rules: Rules, seed: int, number: int, most_hands: int) -> tuple[Game, list]:
    """Game `number` of a match, as a Game; and what each agent's sides are."""
    game = Game(rules, seed=int(derived_seed(np.uint64(seed), number // 2)))
    while not game.over and len(game.results) < most_hands:
        agent = agents[(game.turn + number) % 2]
        game.apply(agent.act(game if agent.cheats else game.view(game.turn)))
    return game, [[side for side in range(rules.sides) if (side + number) % 2 == who] for who in range(2)]


def expected(game: Game, sides: list[int]) -> dict[str, int]:
    """What the results of a game say about the sides of one agent."""
    count: dict[str, int] = dict.fromkeys(COUNTS, 0)
    for result in game.results:
        for side in sides:
            count["points"] += result.points[side]
            count["overtricks"] += result.overtricks[side]
            missing = 0
            for seat in game.rules.seats(side):
                bid, tricks, blind = result.bids[seat], result.tricks[seat], result.blind[seat]
                nil = bid == 0 and (blind or game.rules.nil)
                count["bid"] += bid or 0
                count["nils"] += nil and not blind
                count["nils_kept"] += nil and not blind and tricks == 0
                count["blind_nils"] += blind
                count["blind_nils_kept"] += blind and tricks == 0
                missing += 0 if nil and game.rules.failed_nil_tricks != "partner" else (bid or 0) - tricks
            count["sets"] += missing > 0
    return count


@pytest.mark.parametrize("number", range(scaled(12)))
def test_games_are_those_that_the_agents_would_play_alone(number):
    rng = random.Random(number)
    rules = random_rules(rng, max_hands=rng.choice((1, 2, 3)))
    seed = rng.getrandbits(64)
    result = arena.play("random", "random/random", rules, games=4, seed=seed, jobs=2)
    agents = arena.players("random", "random/random", seed)
    for i, row in enumerate(result.rows):
        game, sides = replayed(agents, rules, seed, i, match.MOST_HANDS)
        assert row["hands"] == len(game.results)
        for who in range(2):
            assert {name: int(row[name][who]) for name in COUNTS} == expected(game, sides[who])
        best = [max(game.scores[side] for side in sides[who]) for who in range(2)]
        assert row["outcome"] == (best[0] > best[1]) - (best[0] < best[1])
        if game.winner is not None:
            assert row["outcome"] == (1 if game.winner in sides[0] else -1)


def test_single_hands_are_first_hands_of_games():
    result = arena.play("random", "random", hands=6, seed=3)
    agents = arena.players("random", "random", 3)
    assert result.hands == result.games == 6
    for i, row in enumerate(result.rows):
        game, sides = replayed(agents, Rules(), 3, i, 1)
        assert [row["points"][who] for who in range(2)] == [game.scores[sides[who][0]] for who in range(2)]
    assert result.as_dict()["cut"] == 0


def test_a_game_without_end_is_decided_by_its_scores(monkeypatch):
    monkeypatch.setattr(match, "MOST_HANDS", 2)
    result = arena.play("random", "random", Rules(target=10_000, blind_nil_deficit=None), games=scaled(20) * 2)
    assert (result.rows["hands"] == 2).all()
    assert result.as_dict()["cut"] == result.games
    points = result.rows["points"]
    assert (result.rows["outcome"] == np.sign(points[:, 0] - points[:, 1])).all()


# The same on any number of cores


def test_neither_threads_nor_later_games_change_a_result():
    many = 2 * scaled(60)
    whole = arena.play("random", "random/random", SHORT, games=many, seed=5, jobs=1)
    shared = arena.play("random", "random/random", SHORT, games=many, seed=5, jobs=2)
    assert (whole.rows == shared.rows).all()
    assert figures(whole) == figures(shared)
    fewer = arena.play("random", "random/random", SHORT, games=max(2, many // 4 * 2), seed=5, jobs=3)
    assert (fewer.rows == whole.rows[: fewer.games]).all()
    assert whole.moves == shared.moves
    assert sum(whole.moves) >= 56 * whole.hands


def test_another_seed_is_another_match():
    first, second = (arena.play("random", "random", SHORT, games=2, seed=seed) for seed in (0, 1))
    assert (first.rows["points"] != second.rows["points"]).any()


def test_agents_have_seeds_of_their_own():
    a, b = arena.players("random", "random", 0)
    deals = [int(derived_seed(np.uint64(0), deal)) for deal in range(100)]
    assert a.seed != b.seed
    assert not {a.seed, b.seed} & {*deals, 0}


# What an agent is shown


def first_bids(spy: Spy) -> set:
    """(seed of the deal, seat, all hands) of every bid it was asked for, but for that of the warm-up."""
    tables = np.concatenate(spy.seen).view(np.recarray)
    bidding = tables[(tables.phase == BID) & (tables.seed != 0)]
    return {(int(t["seed"]), int(t["turn"]), t["hands"].tobytes()) for t in bidding.view(np.ndarray)}


def test_both_agents_play_the_same_cards_from_all_seats():
    a, b = Spy(cheats=True), Spy(cheats=True)
    arena.play(a, b, Rules(target=None, max_hands=1, blind_nil_deficit=None), games=4, jobs=1)
    assert first_bids(a) == first_bids(b)
    deals = {(deal, hands) for deal, _, hands in first_bids(a)}
    assert len(deals) == 2
    assert first_bids(a) == {(deal, seat, hands) for deal, hands in deals for seat in range(4)}


def test_deals_differ_from_each_other_and_from_seed_to_seed():
    seeds = {int(derived_seed(np.uint64(seed), number)) for seed in range(30) for number in range(30)}
    assert len(seeds) == 900
    assert 0 not in seeds


def test_an_agent_is_shown_views():
    spy = Spy()
    rules = Rules(target=None, max_hands=2, blind_nil_deficit=0, blind_nil_pass=1)
    arena.play(spy, "random", rules, games=4, jobs=1)
    tables = np.concatenate(spy.seen).view(np.recarray)
    assert (tables.seed == 0).all()
    turns = tables.turn.astype(int)
    hidden = tables.hands.copy()
    hidden[np.arange(len(tables)), turns] = 0
    assert not hidden.any()
    assert not tables.hands[tables.phase == BLIND].any()


def test_one_that_cheats_is_shown_tables():
    spy = Spy(cheats=True)
    arena.play(spy, "random", SHORT, games=2, jobs=1)
    tables = np.concatenate(spy.seen[2:]).view(np.recarray)  # after the warm-up
    assert tables.seed.all()
    assert (tables.hands[tables.num_plays == 0] != 0).all()


def test_slow_agents_have_few_games_at_once(monkeypatch):
    monkeypatch.setattr(match, "QUICK_S", 0)
    spy = Spy()
    arena.play(spy, "random", SHORT, games=6, jobs=1)
    assert max(len(tables) for tables in spy.seen) <= 2


def test_quick_agents_have_many(monkeypatch):
    monkeypatch.setattr(match, "QUICK_S", 1e9)
    spy = Spy()
    arena.play(spy, "random", Rules(target=None, max_hands=1), games=8, jobs=1)
    assert max(len(tables) for tables in spy.seen) > 2


# Bad agents


def test_illegal_answers_are_counted_and_replaced():
    always = Spy(answer=lambda batch: np.full(len(batch), 77))
    first, second = (arena.play(always, "random", SHORT, games=4, seed=2, jobs=jobs) for jobs in (1, 2))
    assert (first.rows == second.rows).all()
    assert first.counts["a"]["illegal"] == first.moves[0]
    assert first.counts["b"]["illegal"] == 0
    assert first.as_dict()["illegal"] == first.moves[0]


@pytest.mark.parametrize("answer", [lambda batch: np.zeros(len(batch) + 1), lambda batch: 1 // 0, lambda batch: "two"])
def test_an_agent_that_fails_is_named(answer):
    with pytest.raises(RuntimeError, match="spy failed to answer"):
        arena.play("random", Spy(answer=answer), SHORT, games=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": 7}, "games must be an even number"),
        ({"games": 0}, "games must be a whole number from 2"),
        ({"hands": 3}, "hands must be an even number"),
        ({"games": 4, "hands": 4}, "a match has games or hands, not both: leave out games=4 or hands=4"),
        (
            {"b": None},
            "invalid agent 'builtins:NoneType': None cannot be called; allowed are a function view -> action",
        ),
        ({"jobs": 0}, "jobs must be a whole number"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"rules": "whist"}, "unknown preset 'whist'"),
        ({"a": "nobody"}, "unknown agent 'nobody'"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        arena.play(**{"a": "random", "b": "random", **arguments})
    assert issubclass(AgentError, ValueError)


@pytest.mark.parametrize("seed", [np.int64(5), np.array(5)])
def test_a_seed_is_any_whole_number(seed):
    result = arena.play("random", "random", SHORT, games=2, seed=seed)
    assert '"seed": 5,' in json.dumps(result.as_dict())
    assert result.win_rate == arena.play("random", "random", SHORT, games=2, seed=5).win_rate


def test_progress_is_told_and_what_stops_it_stops_all_threads():
    reports = []
    arena.play("random", "random", SHORT, games=4, progress=lambda *seen: reports.append(seen))
    assert reports[-1] == (4, 4)
    assert reports == sorted(reports)

    def stop(*_):
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        arena.play("random", "random", Rules(target=10_000), games=100_000, progress=stop)
    assert threading.active_count() == before


# Figures


def test_without_partners_points_are_means_of_seats():
    result = arena.play("random", "random", Rules.preset("solo", target=None, max_hands=2), games=8, seed=1)
    ahead = (result.rows["points"][:, 0] - result.rows["points"][:, 1]).sum() / 2
    assert result.points_per_hand == pytest.approx(ahead / result.hands)
    assert result.counts["a"]["side_hands"] == result.counts["a"]["seat_hands"] == 2 * result.hands


def test_the_other_way_round_everything_is_mirrored():
    seen = arena.play("random", "random/random", SHORT, games=20, seed=1)
    swapped = seen.rows.copy()
    swapped["outcome"] *= -1
    for name in COUNTS:
        swapped[name] = swapped[name][:, ::-1]
    other = Result(seen.b, seen.a, seen.rules, seen.mode, seen.seed, swapped, seen.moves, seen.seconds)
    assert other.win_rate == pytest.approx(1 - seen.win_rate)
    assert other.win_rate_ci == pytest.approx((1 - seen.win_rate_ci[1], 1 - seen.win_rate_ci[0]))
    assert np.array(other.points_per_hand_ci) == pytest.approx(-np.array(seen.points_per_hand_ci)[::-1])
    assert (other.as_dict()["wins"], other.as_dict()["losses"]) == (seen.as_dict()["losses"], seen.as_dict()["wins"])


@given(st.lists(st.sampled_from((0, 0.25, 0.5, 0.75, 1)), min_size=1, max_size=50))
def test_the_interval_of_a_share_holds_it(shares):
    low, high = share_interval(np.array(shares))
    assert 0 <= low <= np.mean(shares) <= high <= 1
    assert low < high


def test_ten_wins_of_ten_prove_no_certain_win():
    low, high = share_interval(np.ones(5))
    assert 0.4 < low < 0.7
    assert high == 1


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(0)
    samples = 1000
    shares = (rng.random((samples, 20, 2)) < 0.8).mean(axis=2)
    low, high = np.array([share_interval(sample) for sample in shares]).T
    assert 0.92 < np.mean((low <= 0.8) & (high >= 0.8)) < 0.99
    sizes = rng.integers(5, 15, (samples, 20))
    totals = sizes * 3 + rng.normal(0, 30, (samples, 20))
    low, high = np.array([ratio_interval(*pair) for pair in zip(totals, sizes, strict=True)], float).T
    assert 0.92 < np.mean((low <= 3) & (high >= 3)) < 0.97


def test_a_single_deal_tells_no_interval():
    assert ratio_interval(np.array([10.0]), np.array([4])) == (None, None)


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (10, 2.228), (11, 2.201), (30, 2.042), (10**6, 1.96)])
def test_students_t(freedom, value):
    assert student(freedom) == pytest.approx(value, abs=0.001)


def test_all_that_is_decided_can_be_watched():
    calls = []
    result = arena.play("rb", "bis", hands=8, jobs=2, watch=lambda *decided: calls.append(decided))
    for who in range(2):
        decided = [(len(batch), len(actions), len(games)) for player, batch, actions, games in calls if player == who]
        assert [sum(counts) for counts in zip(*decided, strict=True)] == [result.moves[who]] * 3
    assert {game for *_, games in calls for game in games.tolist()} == set(range(8))
