"""The parts of learning from nothing, each against what the rules or a plain computation say."""

import numpy as np
import pytest
from support.strategies import scaled

torch = pytest.importorskip("torch")

from spades_env import SpadesVectorEnv  # noqa: E402
from spades_env.agents.base import Batch  # noqa: E402
from spades_env.agents.network import rows  # noqa: E402
from spades_env.agents.network.forward import think  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.agents.network.player import masks, sights  # noqa: E402
from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS  # noqa: E402
from spades_env.game.observe import LAYOUT, NUM_FEATURES  # noqa: E402
from spades_env.game.rules import Rules  # noqa: E402
from spades_env.game.state import NO_NIL, OVER  # noqa: E402
from spades_env.training.nets import Critic, OnObservation, Policy, level_tensors, policy_from  # noqa: E402
from spades_env.training.recipe import Situations  # noqa: E402
from spades_env.training.rewards import OpenHands, RewardWeights  # noqa: E402
from spades_env.training.self_play.ends import NUM_ENDS, NUM_TRICKS_TO_COME  # noqa: E402
from spades_env.training.self_play.inputs import OBSERVATIONS, ROWS, STATES  # noqa: E402
from spades_env.training.self_play.kernels import advantages, sample_actions  # noqa: E402
from spades_env.training.self_play.tables import Decisions, GameTables, Seated  # noqa: E402

EVERY_MODE = ["match", "match trumps=nyc", "solo", "match trumps=big_two", "house", "pagat blind_nil_deficit=0"]
POINTS, BOTH = RewardWeights(1.0, 0.0), RewardWeights(0.3, 3.0)


def scattered(net, seed: int = 0):
    """Give a network large random weights, so that every input matters."""
    torch.manual_seed(seed)
    for layer in net.modules():
        if isinstance(layer, torch.nn.Linear):
            torch.nn.init.normal_(layer.weight, std=0.1)
            torch.nn.init.normal_(layer.bias, std=0.1)
    return net


def positions(steps: int, tables: int = 96) -> SpadesVectorEnv:
    """Play some random steps under every kind of trumps, with and without partners."""
    env = SpadesVectorEnv(tables, EVERY_MODE * (tables // len(EVERY_MODE)), seed=steps, start="situations")
    env.reset()
    for _ in range(steps):
        env.step(env.random_actions())
    return env


def arranged(observations: np.ndarray) -> np.ndarray:
    """Return what a policy reads of observations, int8[N, POLICY_ROW]."""
    out = np.empty((len(observations), rows.POLICY_ROW), np.int8)
    rows.write_rows(observations, np.arange(len(observations)), rows.POLICY, out)
    return out


def at_random(seed: int):
    """Return a chooser that plays at random."""
    rng = np.random.default_rng(seed)

    def choose(rows: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert (legal.sum(1) > 1).all()
        return np.where(legal, rng.random(legal.shape), -1).argmax(1), np.zeros(len(legal), np.float32)

    return choose


@pytest.fixture(scope="module")
def level() -> Level:
    tensors = level_tensors(scattered(Policy(32, 16)))
    return Level(tensors, name="any", style="", recipe="", rules="match", ratings={}, trained={})


# What networks read


@pytest.mark.parametrize("steps", [0, 3, 30])
def test_a_lane_holds_an_effective_suit_lowest_card_first(steps):
    env = positions(steps)
    out = arranged(env.observation)
    hand = out[:, : rows.LANES * rows.POLICY_LANE].reshape(-1, rows.LANES, rows.POLICY_LANE)[:, :, : rows.PLACES_A_LANE]
    tables = env.tables
    assert hand.any()
    for s, turn, found in zip(tables, env.turn, hand, strict=True):
        held = int(s.hands[turn]) if s.looked[turn] else 0
        assert found.tolist() == [[held >> (16 * lane + place) & 1 for place in range(16)] for lane in range(4)]


def test_tallies_count_what_the_observation_says():
    env = positions(40)
    seen = sights(Batch.at(env))
    assert (seen[:, :NUM_FEATURES] == env.observation).all()
    tallies = seen[:, NUM_FEATURES:]
    need, rest = tallies[:, : 4 * rows.NEEDS].reshape(-1, 4, rows.NEEDS), tallies[:, 4 * rows.NEEDS :]
    bags, left = rest[:, : 4 * rows.BAGS].reshape(-1, 4, rows.BAGS), rest[:, 4 * rows.BAGS :][:, : rows.LEFT]
    block = {name: env.observation[:, LAYOUT[name].place] for name in ("side_bid", "side_made", "bags", "trick")}
    missing = np.clip(block["side_bid"] - block["side_made"], -3, 10)
    assert (need.argmax(2) - 3 == missing).all()
    assert (bags.argmax(2) == np.clip(block["bags"], 0, 9)).all()
    assert (left.argmax(1) == 13 - block["trick"][:, 0]).all()
    assert (tallies[:, :-8].sum(1) == 9).all()


# Networks


@pytest.mark.parametrize("steps", [0, 1, 5, 33])
def test_a_level_plays_as_the_network_and_as_its_graph(level, steps):
    """The kernels of a level, the network that reads arranged rows, and the one on observations agree."""
    env = positions(steps)
    policy = policy_from(level.tensors)
    legal = masks(Batch.at(env)).astype(bool)
    ours = think(level.network, sights(Batch.at(env)))
    with torch.no_grad():
        on_observation = OnObservation(policy)(torch.from_numpy(env.observation).float()).numpy()
        cards = policy.card_logits(torch.from_numpy(arranged(env.observation)).float()).numpy()
    assert np.abs(ours - on_observation)[legal].max() < 1e-4
    assert np.abs(ours[:, :NUM_CARDS] - cards)[legal[:, :NUM_CARDS]].max(initial=0) < 1e-4


def test_widened_networks_answer_as_before():
    env = positions(33)
    policy, critic = scattered(Policy(32, 16)), scattered(Critic(32, 16))
    x = torch.from_numpy(arranged(env.observation)).float()
    open_rows = np.zeros((env.num_envs, rows.CRITIC_ROW), np.int8)
    rows.write_rows(env.state(), np.arange(env.num_envs), rows.CRITIC, open_rows)
    ends = torch.randn(env.num_envs, NUM_ENDS)
    with torch.no_grad():
        for old, new in zip(policy(x), policy.widened(48, 24)(x), strict=True):
            assert torch.allclose(old, new, atol=1e-5)
        given = torch.from_numpy(open_rows).float(), ends
        for old, new in zip(critic(*given), critic.widened(48, 24)(*given), strict=True):
            assert torch.allclose(old, new, atol=1e-5)


# Hands

STYLE = {"bold": 0.1, "nil": 0.2, "bags": 0.05, "hunt": 0.3}


def played(tables: int, situations: Situations, weights: RewardWeights, seed: int, **given) -> Decisions:
    return GameTables(scaled(tables), situations, seed).play(at_random(seed), weights, **given)


@pytest.fixture(scope="module")
def hand() -> Decisions:
    """A hand at many tables under random rules, played at random."""
    return played(256, Situations("match", 0.25), BOTH, 5)


@pytest.fixture(scope="module")
def styled() -> Decisions:
    """The same hand, with a style that is paid for."""
    return played(256, Situations("match", 0.25), BOTH._replace(**STYLE), 5)


@pytest.mark.parametrize("kind", ["hand", "styled"])
def test_the_end_that_comes_is_worth_the_reward(kind, request):
    """Without nils, of partners, the end with the tricks that were won is what the hand brought, style included."""
    hand = request.getfixturevalue(kind)
    checked = (hand.finished.nils[hand.table] == 0).all(1) & (hand.action < NUM_CARDS) & (hand.sides[hand.table] == 2)
    assert checked.sum() > scaled(256) / 4
    found = hand.ends[np.arange(len(hand.action)), hand.tricks_to_come]
    assert np.abs(found - hand.reward[hand.table, hand.seat])[checked].max() < 1e-5


def test_a_style_is_paid_to_each_seat(hand, styled):
    """On top of what the scores are worth; then partners' rewards differ, and each seat is a player of its own."""
    paid = styled.reward - hand.reward
    nil, bids = hand.finished.nils != NO_NIL, np.clip(hand.finished.bids, 0, 6)
    assert (hand.action == styled.action).all()
    rest = paid - 0.2 * nil - 0.1 * np.where(nil, 0, bids)
    caught = 0.3 * np.arange(5)
    bags = 0.05 * np.arange(14)
    assert np.isclose(rest[..., None], (caught[:, None] - bags).ravel(), atol=1e-9).any(2).all()
    assert (hand.zero_sum == (hand.sides == 2)).all()
    assert not styled.zero_sum.any()
    assert np.abs(styled.reward[:, 0] - styled.reward[:, 2]).max() > 0.05


def test_a_reward_of_your_own_takes_the_place_of_all(hand):
    def own(hands: OpenHands) -> np.ndarray:
        both = 0.3 * (hands.after.points - hands.before.points) + 3 * (hands.after.winning - hands.before.winning)
        assert hands.usual == pytest.approx(both)
        return hands.tables.tricks - 3.25

    d = played(256, Situations("match", 0.25), BOTH, 5, own_reward=own)
    assert (d.action == hand.action).all()
    assert (d.reward == d.finished.tricks - 3.25).all()
    assert not d.zero_sum.any()
    assert (np.isnan(d.ends) == np.isnan(hand.ends)).all()
    assert not np.nan_to_num(d.ends).any()


def test_scores_are_worth_before_a_hand_what_they_were_after_the_last():
    """… where a game goes on: the hand that was dealt meanwhile is still to come."""
    told: list[OpenHands] = []

    def note(hands: OpenHands) -> np.ndarray:
        told.append(hands)
        return hands.usual

    tables = GameTables(scaled(64), Situations("match max_hands=3", 0.5), 9)
    for hand in range(2):
        tables.play(at_random(hand), BOTH, own_reward=note)
    first, second = told
    goes_on = first.tables.phase != OVER
    assert goes_on.any()
    assert second.before.winning[goes_on] == pytest.approx(first.after.winning[goes_on])
    assert second.before.points[goes_on] == pytest.approx(first.after.points[goes_on])


@pytest.mark.parametrize("reads", [ROWS, OBSERVATIONS])
def test_the_policy_reads_what_its_seat_may_know(reads):
    """Hidden cards are in no view; critics read them behind the observation."""
    tables = GameTables(scaled(16), Situations("match", 0.25), 4, reads=reads, critic_reads=STATES)
    random, begun = at_random(4), []

    def choose(rows_read: np.ndarray, legal: np.ndarray):
        env = tables.env
        begun.append(env.hand_numbers)
        which = np.flatnonzero((env.mask.sum(1) > 1) & (env.hand_numbers == begun[0]))
        seen = sights(Batch.of([env.view(int(i), int(env.turn[i])) for i in which]))[:, :NUM_FEATURES]
        assert (rows_read == (arranged(seen) if reads is ROWS else seen)).all()
        assert (legal == env.mask[which]).all()
        return random(rows_read, legal)

    d = tables.play(choose, BOTH)
    if reads is OBSERVATIONS:
        assert (d.open_rows[:, :NUM_FEATURES] == d.rows).all()
    assert d.open_rows[:, NUM_FEATURES:].any(1).all()


def test_of_the_others_nothing_is_kept():
    """They are asked at their seats; forced actions of the learner count, too."""
    seats = np.array([[0, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0]] * scaled(16))
    asked = []

    def other(env: SpadesVectorEnv, which: np.ndarray) -> np.ndarray:
        assert (seats[which, env.turn[which]] == 1).all()
        asked.extend(which)
        return env.mask[which].argmax(1)

    tables = GameTables(len(seats), Situations("match blind_nil_deficit=off blind_bid=off nil_pass=0", 1.0), 3)
    d = tables.play(at_random(3), POINTS, Seated(seats, [other]))
    assert (seats[d.table, d.seat] == 0).all()
    assert {*zip(d.table.tolist(), d.seat.tolist(), strict=True)} == {
        *zip(*map(list, np.nonzero(seats == 0)), strict=True)
    }
    assert d.actions == 14 * (seats == 0).sum()
    assert len(d.action) < d.actions
    assert set(asked) == set(np.flatnonzero((seats == 1).any(1)))


def test_ends_without_enough_tricks_left_do_not_exist(hand):
    left = hand.rows[:, -8 - rows.LEFT : -8].argmax(1)  # the tally is one-hot
    exists = ~np.isnan(hand.ends[:, :NUM_TRICKS_TO_COME])
    assert (exists == (np.arange(NUM_TRICKS_TO_COME) <= left[:, None])).all()


def test_a_nil_that_breaks_costs_its_side():
    """Seen from a seat whose own nil stands, breaking it costs; seen from an opponent, it pays."""
    d = played(256, Situations("match nil_bonus=100", 1.0), POINTS, 6)
    stands = d.rows[:, -8:-4].astype(bool) & (d.action < NUM_CARDS)[:, None]
    breaks = d.ends[:, NUM_TRICKS_TO_COME:]
    assert (breaks[:, 0][stands[:, 0]] < 0).all()
    assert (breaks[:, 1][stands[:, 1]] > 0).all()
    assert (breaks[~stands] == 0).all()
    assert stands[:, 0].any()
    assert stands[:, 1].any()


def test_partners_share_a_reward_that_opponents_pay(hand):
    two = hand.sides == 2
    assert two.any()
    assert np.abs(hand.reward[two, 0] - hand.reward[two, 2]).max() == 0
    assert np.abs(hand.reward[two, 0] + hand.reward[two, 1]).max() < 1e-9


def test_every_decision_has_a_row_of_its_table(hand):
    listed = hand.row_of[hand.row_of >= 0]
    assert sorted(listed) == list(range(len(hand.action)))
    steps, tables = np.nonzero(hand.row_of >= 0)
    assert (hand.table[hand.row_of[steps, tables]] == tables).all()
    assert hand.legal[np.arange(len(hand.action)), hand.action].all()
    assert hand.tricks_to_come.min() >= 0


def test_the_chance_of_winning_is_fitted_to_the_games_played(monkeypatch):
    """Games that ended since the last fit change the numbers, and are not used again; few change nothing."""
    tables = GameTables(scaled(128), Situations("match target=200 max_hands=6", 1.0), 7)
    before = tables.numbers
    for _ in range(12):
        tables.play(at_random(tables.hands), BOTH)
    assert sum(len(games) for games in tables.games.values()) > 10
    monkeypatch.setattr("spades_env.training.self_play.tables.FEWEST_GAMES", 10_000)
    tables.fit_winning()
    assert tables.numbers == before
    monkeypatch.setattr("spades_env.training.self_play.tables.FEWEST_GAMES", 10)
    tables.fit_winning()
    assert tables.numbers != before
    assert not tables.games


def test_other_games_begin_with_the_next_hand():
    """Those that have ended are forgotten: of short ones only a few rules are known."""
    tables = GameTables(scaled(64), Situations("match max_hands=1", 1.0), 7)
    for _ in range(2):
        tables.play(at_random(tables.hands), BOTH)
    assert tables.games
    tables.begin_with(Situations("solo", 1.0), 8)
    assert not tables.games
    tables.play(at_random(2), BOTH)
    assert set(tables.env.rules) == {Rules.parse("solo")}
    assert tables.until == 2 + 8


def test_games_are_noted_whenever_their_hands_end():
    """Hands with passing take more steps: a game of the others that ends meanwhile counts, too."""
    tables = GameTables(scaled(128), Situations("match target=200 max_hands=3", 0.5), 8)
    for _ in range(6):
        tables.play(at_random(tables.hands), BOTH)
    games = {rules: len(found) for rules, found in tables.games.items()}
    main = games.pop(Rules.parse("match target=200 max_hands=3"))
    assert main > sum(games.values()) / 2


# Learning


def plain_advantages(rows: list[int], sign: list[float], value: np.ndarray, reward: float, lam: float) -> list[float]:
    """Return the advantages of decisions in time order, by the definition."""
    signed = [s * value[row] for row, s in zip(rows, sign, strict=True)] + [reward]
    steps = np.diff(signed)
    return [s * sum(lam**k * step for k, step in enumerate(steps[t:])) for t, s in enumerate(sign)]


@pytest.mark.parametrize("lam", [0.0, 0.9, 1.0])
@pytest.mark.parametrize("kind", ["hand", "styled"])
def test_advantages_follow_their_definition(kind, lam, request):
    hand = request.getfixturevalue(kind)
    value = np.random.default_rng(3).normal(size=len(hand.action)).astype(np.float32)
    advantage, target = np.zeros((2, len(value)), np.float32)
    advantages(hand.row_of, hand.seat, hand.zero_sum, value, hand.reward, lam, 1.0, advantage, target)
    for table in range(0, len(hand.sides), 7):
        every = [row for row in hand.row_of[:, table] if row >= 0]
        together = hand.zero_sum[table]
        for group in [every] if together else [[r for r in every if hand.seat[r] == seat] for seat in range(4)]:
            sign = [-1.0 if together and hand.seat[row] % 2 else 1.0 for row in group]
            reward = hand.reward[table, 0 if together or not group else hand.seat[group[0]]]
            assert np.allclose(advantage[group], plain_advantages(group, sign, value, reward, lam), atol=1e-4)
            assert np.allclose(target[group], np.array(sign) * reward, atol=1e-4)  # at λ = 1 only the reward counts


@pytest.mark.parametrize(("count", "legal"), [(NUM_CARDS, [3, 20, 50]), (NUM_ACTIONS, [54, 60, 69])])
def test_actions_are_sampled_as_often_as_their_chance(count, legal):
    """Of cards alone, or of all; rows without a legal action among them are left alone."""
    logits = np.tile(np.linspace(-2, 2, count, dtype=np.float32), (20_000, 1))
    mask = np.zeros((len(logits), NUM_ACTIONS), bool)
    mask[1:, legal] = True
    actions, log_probs = np.full(len(logits), -1), np.zeros(len(logits), np.float32)
    sample_actions(logits, mask, np.random.default_rng(0).random(len(logits)), actions, log_probs)
    share = np.exp(logits[0, legal]) / np.exp(logits[0, legal]).sum()
    assert np.allclose([(actions == action).mean() for action in legal], share, atol=0.02)
    assert np.allclose(np.exp(log_probs[actions == legal[1]]), share[1], atol=1e-5)
    assert actions[0] == -1
