"""Foresight: every action tried out with the cards as they lie, and what is learned from it."""

import copy
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from support.game.reference import trick_winner
from support.game.tables import random_position, suit_of
from support.strategies import scaled, strength

from spades_env import Game, agents
from spades_env.agents.base import NOT_TRIED, Batch
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS
from spades_env.agents.network.player import features, masks
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS, cards, deck
from spades_env.game.state import PLAY, new_tables

torch = pytest.importorskip("torch")

from support.train.runs import tiny  # noqa: E402

from spades_env.training.collect import Chooser, Moment, Rollout, new_hands, play_hand  # noqa: E402
from spades_env.training.learner import Learner  # noqa: E402
from spades_env.training.parallel import weigh  # noqa: E402
from spades_env.training.recipe import NetworkShape, Reward, RolloutImprovement  # noqa: E402
from spades_env.training.recipe.start_situations import Situations  # noqa: E402
from spades_env.training.rewards import Weights, Worth, reward_of, worths  # noqa: E402
from spades_env.training.stages import rollout as rollout_stage  # noqa: E402
from spades_env.training.stages.passes import Update  # noqa: E402
from spades_env.training.stages.rollout import NEVER_TRIED, Recorder, improve, legal_equities, try_all  # noqa: E402

SOUTH, EAST = 0, 3
RULE = agents.load("rule")
TABLES = 8
PASSING = {"partners": True, "blind_nil_deficit": 0, "blind_nil_pass": 2}
ONE_HAND = {"max_hands": 1, "tie": "draw"}

Brought = Callable[[Game, int], float]


# Trying


def tried(game: Game, *weights: float) -> dict[int, float]:
    """What every action that was tried would have brought."""
    out = np.full((1, NUM_ACTIONS), np.nan, np.float32)
    compiled = game.view(0).compiled_rules
    try_all(np.arange(1), game.state, compiled, np.zeros(1, np.int32), Weights(*weights), new_tables(1), out)
    return {action: float(out[0, action]) for action in np.flatnonzero(~np.isnan(out[0])).tolist()}


def played_on(game: Game, action: int) -> Game:
    """A copy in which the action was taken and `rule` played the hand to its end."""
    other, finished = copy.deepcopy(game), len(game.results)
    other.apply(action)
    while len(other.results) == finished:
        other.apply(RULE.act(other.view(other.turn)))
    return other


def points_above(game: Game, seat: int) -> float:
    """Where bags are not counted."""
    sides = game.rules.sides
    others = [score for side, score in enumerate(game.scores) if side != seat % sides]
    return (game.scores[seat % sides] - sum(others) / len(others)) / 100


def share_of_the_win(game: Game, seat: int) -> float:
    """Of a game that is over."""
    best = [side for side, score in enumerate(game.scores) if score == max(game.scores)]
    return (seat % game.rules.sides in best) / len(best)


def reward(game: Game, seat: int) -> float:
    """As a hand pays it."""
    worth = worths(game.state, game.view(0).compiled_rules, np.zeros(1, np.int32))
    return float(0.5 * worth.points[0, seat] + 3 * worth.equity[0, seat])


def liking(game: Game, seat: int) -> float:
    """What a style pays for in the last hand who is bold, and a little of all else."""
    last, sides = game.results[-1], game.rules.sides
    others = [other for other in range(4) if other % sides != seat % sides]
    nils = [blind or (game.rules.nil and bid == 0) for blind, bid in zip(last.blind, last.bids, strict=True)]
    hunted = sum(bool(nils[other] and last.tricks[other]) for other in others)
    bags = last.overtricks[seat % sides] if game.rules.bag_limit is not None else 0
    return 0.3 * min(last.bids[seat] or 0, 6) + 0.2 * nils[seat] - 0.1 * bags + 0.05 * hunted


def stand_in(game: Game, card: int) -> int:
    """The lowest card of the hand that is as good: none that others may hold, nor the best on the table, lies between.

    Passed cards are never alike: it matters who holds the higher one.
    """
    if game.phase != "play":
        return card
    trumps, mine = game.rules.trumps, game.hands[game.turn]
    between = [c for seat, hand in enumerate(game.hands) if seat != game.turn for c in hand]
    if game.table:
        between.append(dict(game.table)[trick_winner(game.table, trumps)])
    lowest = card
    for other in sorted(mine, key=lambda c: -strength(c, trumps)):
        low, high = strength(other, trumps), strength(lowest, trumps)
        same_suit = [c for c in between if suit_of(c, trumps) == suit_of(card, trumps)]
        if suit_of(other, trumps) == suit_of(card, trumps) and low < high:
            if any(low < strength(c, trumps) < high for c in same_suit):
                break
            lowest = other
    return lowest


@pytest.mark.parametrize(
    ("weights", "worth", "fixed"),
    [
        ((1.0, 0.0), points_above, {"bag_limit": None}),
        ((1.0, 0.0), points_above, {"bag_limit": None, **PASSING}),
        ((0.0, 1.0), share_of_the_win, ONE_HAND),
        ((0.0, 1.0), share_of_the_win, ONE_HAND | PASSING),
        ((0.5, 3.0), reward, {}),
        ((0.5, 3.0), reward, {"partners": False}),
        ((0.0, 0.0, 0.3, 0.2, 0.1, 0.05), liking, {}),
        ((0.0, 0.0, 0.3, 0.2, 0.1, 0.05), liking, {"partners": False}),
    ],
)
def test_every_action_brings_what_a_plain_replay_brings(weights, worth: Brought, fixed):
    rng = random.Random(sum(weights) + len(fixed))
    phases = set()
    for _ in range(scaled(40)):
        game = random_position(rng, **fixed)
        if game.over:
            continue
        phases.add(game.phase)
        before = game.state.tobytes()
        got = tried(game, *weights)
        assert got.keys() == set(game.legal_actions())
        assert game.state.tobytes() == before
        brought = {}
        for action in got:
            chosen = stand_in(game, action)
            if chosen not in brought:
                brought[chosen] = worth(played_on(game, chosen), game.turn)
            assert got[action] == pytest.approx(brought[chosen], abs=2e-5), (game.view(game.turn), action)
    assert scaled(40) < 40 or {"bid", "play"} <= phases
    assert scaled(40) < 40 or fixed.get("blind_nil_pass") is None or {"blind", "pass"} <= phases


def test_cards_that_are_alike_bring_the_same():
    """South leads from clubs with 2 and 4 about another's 3, and the three best."""
    south = cards("AC KC QC 4C 2C  AD 3D  KH 7H  AS JS 5S 2S")
    rest = [card for card in deck("normal") if card not in south]
    game = Game("pagat", deal=[south, rest[:13], rest[13:26], rest[26:]], dealer=EAST, scores=[437, 500])
    for bid in (3, 3, 3, 3):
        game.apply(BID_ZERO + bid)
    got = tried(game, 0.5, 3.0)
    ace, king, queen, four, two = cards("AC KC QC 4C 2C")
    assert got[ace] == got[king] == got[queen]
    assert [stand_in(game, card) for card in (ace, king, queen, four, two)] == [queen, queen, queen, four, two]


def test_of_cards_to_pass_each_is_tried():
    """A nil that passes the king keeps the queen, and its partner can cover it; the other way round it cannot."""
    south = cards("KC QC 2C 3C  2D 3D 4D  2H 3H 4H  2S 3S 4S")
    north = cards("AC JC TC 4C  AD KD QD  AH KH QH  AS KS QS")
    rest = [card for card in deck("normal") if card not in (*south, *north)]
    rules = "classic bag_limit=off blind_nil_deficit=0 blind_nil_pass=1 first_dealer=east"
    game = Game(rules, seed=1, deal=[south, rest[0::2], north, rest[1::2]])
    for action in (BLIND_NIL, LOOK, BID_ZERO + 3, LOOK, BID_ZERO + 6, LOOK, BID_ZERO + 3):
        game.apply(action)
    while game.turn != SOUTH:
        game.apply(RULE.act(game.view(game.turn)))
    assert game.phase == "pass"
    got = tried(game, 1.0, 0.0)
    assert got == {card: pytest.approx(points_above(played_on(game, card), SOUTH)) for card in south}


# Recording


def advised(moment: Moment) -> np.ndarray:
    """Does as `rule` would."""
    return moment.states[:, INSIGHT["advice"].place].argmax(1)


def recorded(
    player: Chooser,
    noise: float = 0.0,
    order: tuple[int, ...] = (0, 0, 0, 0),
    tables: int = TABLES,
    worlds: int = 1,
    dealt: int = 1,
):
    """A hand at every table, and the recorder of it; the player sits where the order says 0."""
    env = new_hands(replace(tiny().rules, main_share=0.2, changes=0.5), tables, np.random.default_rng(3))
    recorder = Recorder(
        player,
        RolloutImprovement(determinizations=worlds, candidates=dealt, noise=noise, blind=noise),
        np.random.default_rng(1),
    )
    hand = play_hand(env, np.tile(np.array(order), (tables, 1)), [recorder, advised])
    return recorder, hand, env.compiled_rules[0]


@pytest.mark.parametrize("order", [(0, 0, 0, 0), (0, 1, 0, 1), (1, 1, 0, 1)])
def test_the_recorder_keeps_the_tables_of_the_learners_decisions(order):
    recorder, hand, rules = recorded(advised, noise=0.2, order=order)
    tables, rules_of, _ = (np.concatenate(parts) for parts in zip(*recorder.kept, strict=True))
    batch = Batch(tables.view(np.recarray), rules, rules_of)
    assert len(batch) == len(hand)
    assert (batch.tables.turn == hand.seat % 4).all()
    assert (masks(batch) == hand.mask).all()
    assert (features(batch.blanked()) == hand.states[:, :NUM_INPUTS]).all()
    assert (batch.tables.hands != 0).sum(1).min() >= 3


def test_the_recorder_plays_as_the_player_but_for_the_noise():
    for noise, low, high in ((0.0, 0.0, 0.0), (0.3, 0.1, 0.3)):
        _, hand, _ = recorded(advised, noise)
        other = hand.action != hand.states[:, INSIGHT["advice"].place].argmax(1)
        assert low <= other.mean() <= high
        assert hand.mask[np.arange(len(hand)), hand.action].all()


def test_blind_nils_are_bid_more_often_than_the_player_would():
    count = scaled(400)
    env = new_hands(Situations(main="classic blind_nil_deficit=0", main_share=1.0), count, np.random.default_rng(3))
    recorder = Recorder(advised, RolloutImprovement(noise=0.0, blind=0.4), np.random.default_rng(1))
    hand = play_hand(env, np.zeros((count, 4), int), [recorder])
    offered = hand.mask[:, BLIND_NIL]
    assert offered.any()
    assert count < 400 or 0.15 < (hand.action[offered] == BLIND_NIL).mean() < 0.3
    assert (hand.action == hand.states[:, INSIGHT["advice"].place].argmax(1))[~offered].all()


@pytest.mark.parametrize("weights", [(1.0, 0.0), (0.0, 1.0), (0.5, 3.0), (0.5, 3.0, 0.05, 0.2, 0.04, 0.3)])
def test_where_rule_plays_its_action_brings_what_the_hand_paid(weights):
    recorder, hand, rules = recorded(advised, tables=scaled(TABLES))
    values = recorder.values(rules, Reward(*weights))
    assert values.dtype == np.float32
    assert values.shape == hand.mask.shape
    nothing = Worth(*(np.zeros(hand.after.points.shape, np.float32) for _ in range(2)))
    paid = reward_of(nothing, hand.after, hand.style_counts, Weights(*weights))
    assert values[np.arange(len(hand)), hand.action] == pytest.approx(paid.reshape(-1)[hand.seat], abs=2e-5)
    assert not values[~hand.mask].any()


def test_what_no_search_tries_is_no_lost_game():
    """Trumps that only the partner may follow: a little less than the worst of the others, be that certain to win."""
    mask = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], bool)
    weighed = np.array([[0.6, NOT_TRIED, 0.5, NOT_TRIED], [NOT_TRIED, 1.0, NOT_TRIED, NOT_TRIED]], np.float32)
    equities = legal_equities(weighed, mask)
    assert equities == pytest.approx(np.array([[0.6, 0.5 - NEVER_TRIED, 0.5, 0], [1 - NEVER_TRIED, 1, 0, 0]]))
    assert equities.dtype == np.float32


@pytest.mark.parametrize("dealt", [1, 4])
@pytest.mark.parametrize("style", [{}, {"points": 0.5}, {"bold": 0.05, "nil": 0.1, "bags": 0.04, "hunt": 0.3}])
def test_cards_are_weighed_in_many_worlds_all_else_as_the_cards_lie(style, dealt):
    reward = Reward(equity=2.0, **style)
    lying, _, rules = recorded(advised, tables=scaled(TABLES))
    many, hand, _ = recorded(advised, tables=scaled(TABLES), worlds=3, dealt=dealt)
    tables, rules_of, mask = (np.concatenate(parts) for parts in zip(*many.kept, strict=True))
    playing = tables["phase"] == PLAY
    expected, got = lying.values(rules, reward), many.values(rules, reward)
    assert (got[~playing] == expected[~playing]).all()
    batch = Batch(tables[playing].view(np.recarray), rules, rules_of[playing]).blanked()
    assert many.search
    assert (many.search.settings.likely, many.search.dealt, many.search.exchanges) == (dealt > 1, dealt, 0)
    assert (mask == hand.mask).all()
    weighed = 2 * legal_equities(weigh(many.search, batch), mask[playing])
    style = lying.values(rules, replace(reward, points=0.0, equity=0.0))[playing]
    assert got[playing] == pytest.approx(weighed + style, abs=1e-5)
    assert not got[~hand.mask].any()


# Learning


def learner_and_hand() -> tuple[Learner, Rollout]:
    learner = Learner(
        NetworkShape(width=16, suit_width=8, critic_width=16, bfloat16=False), torch.device("cpu"), seed=0
    )
    _, hand, _ = recorded(learner.sampler(learner.generator(1)))
    return learner, hand


def learn(values: np.ndarray | None = None, rounds: int = 1, done: float = 0.0, **plan):
    """What a new learner makes of a hand in which the first of the legal actions is always the best by 0.1."""
    learner, hand = learner_and_hand()
    values = best_is_first(hand) if values is None else values
    nothing = np.zeros((TABLES, 4), np.float32)
    metrics = [
        improve(
            Update(learner, hand, nothing, done, learner.generator(number)),
            values,
            RolloutImprovement(minibatch=64, **plan),
        )
        for number in range(rounds)
    ]
    log_probs = learner.log_probs(learner.arranged(hand.states), hand.mask)
    return learner, metrics, log_probs.gather(-1, torch.from_numpy(hand.mask.argmax(1))[:, None]).exp().mean().item()


def best_is_first(hand: Rollout) -> np.ndarray:
    values = np.zeros(hand.mask.shape, np.float32)
    values[np.arange(len(hand)), hand.mask.argmax(1)] = 0.1
    return values


def test_the_better_action_becomes_likelier():
    _, _, before = learn(learning_rate=1e-12, last_learning_rate=1e-12)
    _, metrics, after = learn(rounds=8, learning_rate=3e-3)
    assert before < 0.5
    assert after > before + 0.2
    assert metrics[-1]["gain"] > metrics[0]["gain"]
    assert metrics[-1]["loss_rollout"] < metrics[0]["loss_rollout"]
    assert metrics[-1]["entropy"] < metrics[0]["entropy"]
    assert metrics[-1]["loss_own_value"] < metrics[0]["loss_own_value"]
    assert metrics[0]["learning_rate"] == 3e-3


@pytest.mark.parametrize("constant", [4.0, -64.0])
def test_what_all_actions_of_a_decision_have_in_common_teaches_nothing(constant):
    """Nor does what stands beside illegal actions."""
    _, hand = learner_and_hand()
    values = best_is_first(hand)
    shifted = values + constant * (np.arange(len(hand)) % 7)[:, None]
    expected = learn(values)[0].networks()
    changed = learn(np.where(hand.mask, shifted, 1e6).astype(np.float32))[0].networks()
    for name, tensor in expected.items():
        torch.testing.assert_close(changed[name], tensor, rtol=0, atol=2e-5)


def test_what_is_minimised(monkeypatch):
    """Worked out for a policy that finds the first, best action by ln 2 better than any other."""
    learner, hand = learner_and_hand()
    losses = []

    def once(update, which, plan, policy_loss):
        mask = torch.from_numpy(hand.mask)
        logits = torch.full(mask.shape, 5.0).scatter(1, mask.int().argmax(1, keepdim=True), 5 + np.log(2))
        losses.append(policy_loss(logits, mask, torch.from_numpy(which))[0].item())
        return {}

    monkeypatch.setattr(rollout_stage, "run_passes", once)
    reward = np.zeros((TABLES, 4), np.float32)
    update = Update(learner, hand, reward, 0.0, learner.generator(1))
    improve(update, best_is_first(hand), RolloutImprovement(temperature=0.03, bid_weight=1.0))
    count = hand.mask.sum(1)
    wrong = 0.03 * np.log(2) - 0.1  # of one action in `count`, both sides being above their means
    expected = wrong**2 * (1 - 1 / count) / count
    assert losses == [pytest.approx(rollout_stage.LOSS_WEIGHT * expected.mean(), rel=1e-4)]
