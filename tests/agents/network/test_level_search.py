"""Levels that think ahead: the manners of every agent, likely worlds, playouts side by side, and the strings."""

import random

import numpy as np
import pytest
from support.levels import level_file, random_level, random_tensors
from support.redeals import redealt
from support.strategies import scaled
from support.tables import play, random_game, random_position

from spades_env import Game, Rules, agents
from spades_env._jit import JIT_ON
from spades_env.agents.base import Batch
from spades_env.agents.lanes import distinct_cards
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.network.playouts import finish_hands
from spades_env.agents.network.search import DOUBT, LevelSearch, add_worlds, begin, candidates
from spades_env.agents.network.suits import (
    COLUMNS,
    LANE_INPUTS,
    LANES,
    NUM_CARD_LOGITS,
    NUM_OTHERS,
    PLACES,
    PLACES_A_LANE,
)
from spades_env.agents.network.worlds import drawn_evenly, likely_worlds, tempered
from spades_env.agents.search.paired import answer, drop_worse, leader, means, num_alive, surely_worse
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, cards
from spades_env.game.observe import LAYOUT
from spades_env.game.state import compile_rules
from spades_env.game.view import View

WORLDS = 6 if JIT_ON else 2


def thinker(seed: int = 5, worlds: int = WORLDS) -> LevelSearch:
    return LevelSearch("anyhow", random_level(1, width=12, suit_width=8), worlds, seed=seed)


def positions(name: str, count: int, **rules) -> list[Game]:
    """Random moments at which somebody is to move, late in a hand where kernels are slow."""
    rng, games = random.Random(name), []
    while len(games) < count:
        game = random_position(rng, **rules)
        if not game.over and (JIT_ON or game.cards_played > 30):
            games.append(game)
    return games


def views_of(games: list[Game]) -> list[View]:
    return [game.view(game.turn) for game in games]


def made_up_level(rows: dict[int, dict[int, float]]) -> Level:
    """A level with one unit for every input named: input -> {action: logit where that input is 1}.

    It cannot tell suits apart: the logit of a card is that of the like cards of all suits. Inputs are of trumps or of
    no suit.
    """
    units, lanes = len(rows), LANES * LANE_INPUTS
    tensors = {name: np.zeros_like(tensor) for name, tensor in random_tensors(0, units, units).items()}
    for unit, (feature, actions) in enumerate(rows.items()):
        column = int(np.flatnonzero(COLUMNS[0] == feature)[0])
        if column < lanes:
            tensors["suits.weight"][unit, column % LANE_INPUTS] = 1
        tensors["table.weight"][unit, NUM_OTHERS + unit if column < lanes else column - lanes] = 1
        tensors["table2.weight"][unit, unit] = 1
        tensors["cards.weight"][unit, LANE_INPUTS + units + unit] = 1
        tensors["cards2.weight"][unit, unit] = 1
        for action, logit in actions.items():
            place = int(PLACES[0, action])
            if place < NUM_CARD_LOGITS:
                tensors["places.weight"][place % PLACES_A_LANE, unit] = logit
            else:
                tensors["bids.weight"][place - NUM_CARD_LOGITS, unit] = logit
    return Level(tensors, "made up", "", "", "", {}, {})


# The manners


def test_legal_under_random_rules():
    for game in positions("legal", scaled(40)):
        assert thinker().act(game.view(game.turn)) in game.legal_actions()


def test_whole_hands_with_passing():
    for passing in (1, 2, 3) if JIT_ON else ():
        game = Game(Rules(blind_nil_deficit=0, blind_nil_pass=passing, trumps="nyc"), seed=passing)
        while not game.results:
            blind = game.phase == "blind" and game.turn in (1, 2)
            game.apply(BLIND_NIL if blind else thinker().act(game.view(game.turn)))


def test_a_batch_answers_as_one_by_one_and_again():
    views = views_of(positions("batch", scaled(30)))
    one_by_one = [thinker().act(view) for view in views]
    assert thinker().act_batch(views).tolist() == one_by_one
    assert thinker().act_batch(views[::-1]).tolist() == one_by_one[::-1]
    assert thinker().act_batch([]).tolist() == []


def test_hidden_cards_do_not_change_an_answer():
    rng = random.Random(7)
    for game in positions("hidden", scaled(30)):
        view = game.view(game.turn)
        other = View(game.rules, redealt(game, game.turn, rng), game.turn, game.results, game._compiled)
        assert thinker().act(other) == thinker().act(view)
        assert thinker().hint(other) == thinker().hint(view)


def test_hints_are_equities_and_agree_with_the_answer():
    for game in positions("hint", scaled(30)):
        view = game.view(game.turn)
        actions, weights = zip(*thinker().hint(view), strict=True)
        assert len(set(actions)) == len(actions)
        assert set(actions) <= set(game.legal_actions())
        assert all(0 <= weight <= 1 for weight in weights)
        assert actions[0] == thinker().act(view)


# What is tried


def test_candidates():
    level = random_level(3)
    for game in positions("candidates", scaled(60)):
        found = candidates(level, Batch.of(views_of([game]))).tolist()
        assert len(set(found)) == len(found) > 0
        assert set(found) <= set(game.legal_actions())
        if game.phase == "blind":
            assert set(found) == {BLIND_NIL, LOOK}
        if game.phase == "bid":
            assert len(found) >= 3
            assert BID_ZERO in found or not game.rules.nil


def test_what_the_network_never_does_is_not_tried():
    ace, deuce = cards("AC 2C")
    level = made_up_level({LAYOUT["phase"].start + 3: {ace: 20.0, deuce: 17.0}})
    hands = [cards("AC 2C 5C 9D JD 3D 3H 5H 9H JH 3S 4S 6S"), [], [], []]
    rest = [card for card in range(52) if card not in hands[0]]
    hands[1:] = rest[::3], rest[1::3], rest[2::3]
    game = Game("pagat", deal=hands, dealer=3)
    for _ in range(4):
        game.apply(BID_ZERO + 3)
    assert candidates(level, Batch.of(views_of([game]))).tolist() == [ace, deuce]


def test_a_forced_move_is_not_thought_about():
    game = Game("pagat", seed=1)
    play(game, random.Random(1), 52)
    assert thinker(worlds=10_000).act(game.view(game.turn)) == game.legal_actions()[0]
    assert thinker(worlds=10_000).hint(game.view(game.turn)) == [(game.legal_actions()[0], 1.0)]


# Playouts


def test_playouts_are_what_the_level_plays():
    """As the agent that plays the level does it move by move, where there is a choice."""
    level = random_level(4, width=12, heed=0.01)
    player = NetworkAgent("anyhow", level)
    for game in positions("playouts", scaled(12)):
        table, finished = game.state, len(game.results)
        finish_hands(level, table, compile_rules(game.rules))
        while len(game.results) == finished:
            distinct = int(distinct_cards(game._s, game._compiled[0])) if game.phase in ("play", "pass") else 0
            forced = distinct.bit_count() == 1
            lowest = int(game._compiled[0].card_at[distinct.bit_length() - 1])
            game.apply(lowest if forced else player.act(game.view(game.turn)))
        assert table.num_plays[0] == 52
        assert game.results[-1].points == table.points[0, : game.rules.sides].tolist()


def test_wild_bids_are_not_tried():
    """Who heeds advice never bids far above it; so neither does its search."""
    level = random_level(6, width=12, heed=0.01)
    player = NetworkAgent("anyhow", level)
    for seed in range(scaled(20)):
        game = Game("pagat", seed=seed)
        batch = Batch.of(views_of([game]))
        _, allowed = player._think(batch)
        assert not allowed[0, BID_ZERO + 13]
        assert all(allowed[0, bid] for bid in candidates(level, batch).tolist())


# Likely worlds


def share_with(level: Level, game: Game, seat: int, card: str, worlds: int = 64) -> float:
    """In how many worlds the seat holds the card, by weight."""
    found, weights = likely_worlds(level, Batch.of(views_of([game])), worlds, np.uint64(3))
    assert weights.sum() == worlds
    place = int(game._compiled[0].place[cards(card)[0]])
    holds = np.array([int(hand) >> place & 1 for hand in found.hands[:, seat]])
    return float(holds @ weights / worlds)


def game_without(card: str, seed: int, others: str = "") -> Game:
    """A game whose first bidder is West, and North, who is next, has not got this card but these others."""
    while True:
        game = Game("pagat", seed=seed, dealer=0)
        if cards(card)[0] not in game.hands[2] and set(cards(others)) <= set(game.hands[2]):
            return game
        seed += 1


@pytest.mark.skipif(not JIT_ON, reason="many worlds")
def test_worlds_in_which_others_would_have_bid_otherwise_are_rarer():
    """The level bids five with the ace of trumps, else one."""
    ace = LAYOUT["hand"].start + cards("AS")[0]
    phase = LAYOUT["phase"].start + 1
    level = made_up_level({ace: {BID_ZERO + 5: 30.0}, phase: {BID_ZERO + 1: 15.0}})
    shares = []
    for bid in (5, 1):
        game = game_without("AS", seed=1)
        game.apply(BID_ZERO + bid)
        shares.append(share_with(level, game, 1, "AS"))
    assert shares[0] > 0.6
    assert shares[1] < 0.25


@pytest.mark.skipif(not JIT_ON, reason="many worlds")
def test_worlds_in_which_others_would_have_played_otherwise_are_rarer():
    """West leads a low club; the level plays an ace as soon as it may."""
    level = made_up_level({LAYOUT["phase"].start + 3: {cards("AC")[0]: 15.0}})
    game = game_without("AC", seed=5, others="AD AH")
    for _ in range(4):
        game.apply(BID_ZERO + 3)
    game.apply(next(card for card in game.legal_actions() if card < cards("AC")[0]))
    assert share_with(level, game, 1, "AC") < 0.1
    assert share_with(level, game, 3, "AC") + share_with(level, game, 0, "AC") > 0.9


def test_nothing_to_weigh():
    """The first to bid: all worlds count the same."""
    game = Game("pagat", seed=1)
    worlds, weights = likely_worlds(random_level(), Batch.of(views_of([game])), 5, np.uint64(1))
    assert weights.tolist() == [1] * 5
    assert len(worlds) == 5


def test_weights_are_tempered():
    assert tempered(np.zeros(8), 4) == pytest.approx(np.full(8, 1 / 8))
    mild = np.log([0.3, 0.3, 0.4])
    assert tempered(mild, 2) == pytest.approx([0.3, 0.3, 0.4])
    harsh = tempered(np.array([0.0, -50, -60, -70]), 2)
    assert 1 / (harsh**2).sum() == pytest.approx(2, abs=0.1)
    assert list(harsh) == sorted(harsh, reverse=True)


def test_drawn_evenly():
    weights = np.array([0.5, 0.0, 0.25, 0.25])
    for start in (0.0, 0.3, 0.999):
        assert np.bincount(drawn_evenly(weights, 8, start), minlength=4).tolist() == [4, 0, 2, 2]


# Paired trials


def test_the_favourite_is_left_only_for_one_that_is_surely_better():
    noise = np.random.default_rng(1).normal(size=(64, 1))
    small, ones = np.random.default_rng(2).normal(size=(64, 3)) * 0.2, np.ones(64)
    close = begin(np.array([7, 8, 9]), loyalty=2)
    add_worlds(close, noise + small + [0, 0.01, -0.5], ones)
    drop_worse(close, DOUBT, 2)
    assert close.actions[answer(close)] == 7
    assert close.actions[close.alive > 0].tolist() == [7, 8]
    clear = begin(np.array([7, 8, 9]), loyalty=2)
    add_worlds(clear, noise + small + [0, 0.3, -0.5], ones)
    drop_worse(clear, DOUBT, 2)
    assert clear.actions[answer(clear)] == 8
    assert num_alive(clear) == 1


def test_a_weight_is_so_many_worlds():
    trial = begin(np.array([3, 4]), loyalty=0.5)
    add_worlds(trial, np.array([[0.1, 0.4], [0.5, 0.3]]), np.array([3.0, 1.0]))
    assert trial.actions[answer(trial)] == 4
    assert means(trial) == [(4, pytest.approx(0.375)), (3, pytest.approx(0.2))]


def test_doubt_is_the_standard_error_of_weighted_worlds():
    rng = np.random.default_rng(4)
    values, weights = rng.normal(size=(9, 2)), rng.integers(1, 5, 9).astype(float)
    trial = begin(np.array([3, 4]), loyalty=0.5)
    add_worlds(trial, values, weights)
    best = leader(trial)
    gaps = values[:, best] - values[:, 1 - best]
    gap = gaps @ weights / weights.sum()
    error = np.sqrt(((weights * (gaps - gap)) ** 2).sum() / weights.sum() ** 2 * 9 / 8)
    assert surely_worse(trial, 1 - best, best, gap / error * 0.999)
    assert not surely_worse(trial, 1 - best, best, gap / error * 1.001)


def test_equals_go_to_the_favourite():
    trial = begin(np.array([3, 4]), 1.0)
    add_worlds(trial, np.full((5, 2), 0.5), np.ones(5))
    assert means(trial) == [(3, 0.5), (4, 0.5)]


def test_one_world_leaves_the_favourite():
    trial = begin(np.array([3, 4]), 1.0)
    add_worlds(trial, np.array([[0.2, 0.9]]), np.ones(1))
    drop_worse(trial, DOUBT, 2)
    assert num_alive(trial) == 2
    assert trial.actions[answer(trial)] == 3


# The strings


def test_strings(tmp_path):
    path = level_file(tmp_path)
    for option, worlds in (("search:1", 1), ("search:64", 64), ("search:50ms", 50)):
        agent = agents.load(f"{path}+{option}", seed=2)
        assert isinstance(agent, LevelSearch)
        assert (agent.worlds, agent.seed, agent.name) == (worlds, 2, f"{path}+{option}")
    assert "+search:2" in repr(agents.load(f"{path}+search:2"))
    pair = agents.load(f"bis/{path}+search:2")
    game = random_game(random.Random(1))
    assert pair.act(game.view(game.turn)) in game.legal_actions()


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("search", "worlds must be a whole number from 1 to 10000"),
        ("search:", "worlds must be"),
        ("search:0", "worlds must be"),
        ("search:99999", "worlds must be"),
        ("search:3x3", "worlds must be"),
        ("search:0ms", "milliseconds must be"),
        ("search:4+search:4", "goes with no other option"),
        ("temperature:1+search:4", "goes with no other option"),
        ("searching:4", "is no option of it"),
    ],
)
def test_strings_that_are_refused(tmp_path, option, reason):
    path = level_file(tmp_path)
    with pytest.raises(agents.AgentError, match=reason) as refused:
        agents.load(f"{path}+{option}")
    assert "\n" not in str(refused.value)


def test_a_time_is_kept(tmp_path):
    agent = agents.load(f"{level_file(tmp_path)}+search:20ms")
    game = positions("time", 1)[0]
    assert agent.act(game.view(game.turn)) in game.legal_actions()
