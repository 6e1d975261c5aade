"""One hand at every table: who is asked what, and what is kept of it."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from spades_env import Rules, agents
from spades_env.agents.base import Batch
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS, NUM_OPEN_INPUTS
from spades_env.agents.network.player import features, masks
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.collect import Moment, agent_chooser, new_hands, play_hand
from spades_env.training.recipe.start_situations import Situations

MOST_DECISIONS = 4 + 4 + 12 + 52  # looks, bids, passed cards, played cards: of a table, in a hand

LEARNER, OTHER = 0, 1
TABLES = 12


@dataclass
class Anyhow:
    """A chooser that acts at random and remembers what it was asked."""

    seed: int = 1
    which: list = field(default_factory=list)
    states: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    seats: list = field(default_factory=list)

    def __post_init__(self):
        self.rng = np.random.default_rng(self.seed)

    def __call__(self, moment: Moment) -> np.ndarray:
        self.check(moment)
        actions = np.where(moment.mask, self.rng.random(moment.mask.shape), -1).argmax(1)
        self.which.append(moment.which)
        self.states.append(moment.states.copy())
        self.actions.append(actions)
        self.seats.append(4 * moment.which + moment.env.turn[moment.which])
        return actions

    def check(self, moment: Moment) -> None:
        """It is told of the seats to move what they may know, and behind it what lies open to critics."""
        env, which = moment.env, moment.which
        views = [env.view(int(i), int(env.turn[i])) for i in which]
        batch = Batch.of(views)
        assert (moment.mask == masks(batch)).all()
        assert (moment.mask.sum(1) > 1).all()
        assert (moment.states[:, :NUM_INPUTS] == features(batch)).all()
        assert (moment.states[:, NUM_INPUTS:] == env.state()[which, NUM_FEATURES:]).all()
        assert (features(moment.batch) == features(batch)).all()
        assert [view.rules for view in moment.batch.views()] == [view.rules for view in views]


def hands(main: str = "", seed: int = 3, tables: int = TABLES):
    """Tables under rules at random, or all under these."""
    situations = Situations(main=main or "classic", main_share=float(bool(main)), changes=0.5)
    return new_hands(situations, tables, np.random.default_rng(seed))


def all_learner(tables: int = TABLES) -> np.ndarray:
    return np.full((tables, 4), LEARNER)


def test_what_is_asked_is_kept():
    chooser = Anyhow()
    hand = play_hand(hands(), all_learner(), [chooser])
    assert len(hand) == sum(map(len, chooser.which)) > 0
    assert hand.states.dtype == np.int8
    assert hand.states.shape == (len(hand), NUM_OPEN_INPUTS)
    assert (hand.states == np.concatenate(chooser.states)).all()
    assert (hand.action == np.concatenate(chooser.actions)).all()
    assert (hand.seat == np.concatenate(chooser.seats)).all()


def test_every_decision_was_legal_and_free():
    hand = play_hand(hands(), all_learner(), [Anyhow()])
    assert hand.mask.dtype == bool
    assert hand.mask[np.arange(len(hand)), hand.action].all()
    assert (hand.mask.sum(1) > 1).all()


def test_forced_actions_are_counted_but_nobody_is_asked():
    hand = play_hand(hands("match"), all_learner(), [Anyhow()])
    assert hand.actions == TABLES * (4 + 52)
    assert len(hand) < hand.actions
    last_tricks = np.bincount(hand.seat // 4, minlength=TABLES)
    assert (last_tricks <= 4 + 48).all()


def test_tables_with_blind_nil_and_passing_are_waited_for():
    env = hands("classic blind_nil_deficit=0 blind_nil_pass=2 target=1000")
    begun = env.hand_numbers
    hand = play_hand(env, all_learner(), [Anyhow()])
    made = np.bincount(hand.seat // 4, minlength=TABLES)
    assert (made > 4 + 20).all()
    assert TABLES * 60 <= hand.actions <= TABLES * MOST_DECISIONS
    assert (env.hand_numbers == begun + 1).all() or env.terminated.any()


def test_a_table_whose_hand_is_over_waits_for_the_others():
    """Under mixed rules hands are of different lengths; nobody is asked about the next one."""
    env = hands(seed=5)
    begun = env.hand_numbers
    chooser = Anyhow()

    def watch(moment: Moment) -> np.ndarray:
        assert (moment.env.hand_numbers[moment.which] == begun[moment.which]).all()
        return chooser(moment)

    play_hand(env, all_learner(), [watch])
    over = env.terminated
    assert ((env.hand_numbers == begun + 1) | over).all()
    views = [env.view(i, int(env.turn[i])) for i in range(TABLES) if not over[i]]
    assert {view.cards_played for view in views} == {0}
    assert {bid for view in views for bid in view.bids} == {None}


def test_of_the_others_nothing_is_kept():
    seats = np.array([[LEARNER, OTHER, LEARNER, OTHER], [OTHER, OTHER, LEARNER, OTHER], [LEARNER] * 4] * 4)
    mine, theirs = Anyhow(1), Anyhow(2)
    hand = play_hand(hands("match"), seats, [mine, theirs])
    assert hand.actions == 14 * (seats == LEARNER).sum()
    assert (seats.ravel()[hand.seat] == LEARNER).all()
    assert set(hand.seat) == set(np.flatnonzero(seats.ravel() == LEARNER))
    assert (seats.ravel()[np.concatenate(theirs.seats)] == OTHER).all()
    assert (hand.states == np.concatenate(mine.states)).all()


def test_agents_can_sit_there():
    rule = agents.load("rule")
    hand = play_hand(hands(), np.array([[LEARNER, OTHER] * 2] * TABLES), [agent_chooser(rule), agent_chooser(rule)])
    advice = features_of(hand.states, "advice")
    assert (advice.argmax(1) == hand.action).all()


def test_the_worths_are_those_of_the_scores_before_and_after():
    env = hands("match bag_limit=off target=1000")
    before = env.scores
    hand = play_hand(env, all_learner(), [Anyhow()])
    for worth, scores in ((hand.before, before), (hand.after, env.scores)):
        lead = (scores[:, 0] - scores[:, 1]) / 100
        assert worth.points == pytest.approx(np.stack([lead, -lead, lead, -lead], 1), abs=1e-5)


def test_the_same_again():
    def once():
        hand = play_hand(hands(seed=9), all_learner(), [Anyhow(4)])
        return hand.states.tobytes(), hand.action.tobytes(), hand.after.points.tobytes()

    assert once() == once()


def test_new_hands_are_fresh_hands_under_their_rules():
    env = hands("solo")
    assert set(env.rules) == {Rules.preset("solo")}
    assert not env.view(0, 0).cards_played
    assert len(set(map(bytes, env.views()))) == TABLES


def test_sequences_are_each_seats_decisions_in_order():
    pytest.importorskip("torch")
    from spades_env.training.learner import sequences

    seats = np.array([[LEARNER, OTHER] * 2, [LEARNER] * 4, [OTHER, LEARNER, OTHER, OTHER]])
    hand = play_hand(hands(tables=3), seats, [Anyhow(), Anyhow(2)])
    rows, lengths, owners = sequences(hand)
    assert owners.tolist() == [0, 2, 4, 5, 6, 7, 9]
    assert rows.shape == (7, lengths.max())
    made = []
    for row, length, owner in zip(rows, lengths, owners, strict=True):
        own = row[:length]
        assert (hand.seat[own] == owner).all()
        assert (np.diff(own) > 0).all()
        assert (np.diff(features_of(hand.states[own], "left")[:, 0].astype(int)) <= 0).all()
        assert not row[length:].any()
        made += own.tolist()
    assert sorted(made) == list(range(len(hand)))


def features_of(states: np.ndarray, block: str) -> np.ndarray:
    return states[:, INSIGHT[block].place]


@pytest.mark.parametrize(("kind", "inputs"), [("suits", NUM_INPUTS), ("support.train.own_code:Narrow", NUM_FEATURES)])
def test_a_policy_reads_nothing_of_the_hidden_cards(kind, inputs):
    """They are in the states, and `arranged` leaves them out."""
    torch = pytest.importorskip("torch")
    from spades_env.training.learner import Learner
    from spades_env.training.recipe import NetworkShape

    learner = Learner(NetworkShape(kind=kind, width=16, suit_width=8, bfloat16=False), torch.device("cpu"), seed=0)
    states = play_hand(hands(tables=3), np.zeros((3, 4), np.int64), [Anyhow()]).states
    closed = np.concatenate([states[:, :inputs], np.zeros_like(states[:, inputs:])], axis=1)
    assert (closed != states).any(axis=1).all()
    assert torch.equal(learner.arranged(states), learner.arranged(closed))
