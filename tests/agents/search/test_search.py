"""The searches: reproducible, right where the best action is obvious, and what they try."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.game.endings import ending
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game, agents
from spades_env._jit import JIT_ON, wrap_around
from spades_env.agents import AgentError, Batch
from spades_env.agents.arena.positions import read_positions
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.search.candidates import MOST_CANDIDATES, draws_only_partners, find_candidates
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, card_name, cards, deck


def playing(seed: int) -> Game:
    """A hand in which all bid three, at the first lead."""
    game = Game("pagat", seed=seed)
    for _ in range(4):
        game.apply(BID_ZERO + 3)
    return game


# Reproducible


@pytest.mark.parametrize("name", ["mc:3x3", "ismcts:30", "mc:3x3+likely", "ismcts:30+likely", "pimc:3"])
def test_the_same_answer_alone_in_a_batch_and_in_threads(name):
    agent, views = agents.load(name, seed=4), [game.view(game.turn) for game in moments(name, scaled(40))]
    alone = [agent.act(view) for view in views]
    assert agent.act_batch(views).tolist() == alone
    assert agent.act_batch(views[::-1]).tolist() == alone[::-1]
    with ThreadPoolExecutor(2, initializer=wrap_around) as pool:
        assert [answers.tolist() for answers in pool.map(agent.act_batch, [views] * 4)] == [alone] * 4


# Where the best action is obvious


STRONG = ("mc:60x10", "mc:60x10+rule", "ismcts:800", "ismcts:800+rule")


def choice(name: str, batch: Batch) -> str:
    return card_name(int(agents.load(name, seed=5).act_batch(batch)[0]))


@pytest.mark.parametrize("name", STRONG)
def test_takes_the_trick_that_wins_the_game(name):
    """One trick short at 440 with a bid of 6: the ruff is sure, a later one is not."""
    batch = ending(
        ["2S 3C", "KC", "QC", "KS"], "AH 2H 5H", leader=1, bids=(3, 3, 3, 3), tricks=(3, 3, 2, 3), scores=(440, 440)
    )
    assert choice(name, batch) == "2S"


@pytest.mark.parametrize("name", STRONG)
def test_leaves_the_trick_to_the_partner(name):
    """Two tricks short: the partner has this one, the trump is for the next."""
    batch = ending(["2S 3C", "KC", "QC", "JC"], "QD AD 5D", leader=1, bids=(3, 3, 3, 3), tricks=(2, 4, 2, 3))
    assert choice(name, batch) == "3C"


@pytest.mark.parametrize("name", STRONG)
def test_ducks_as_a_nil(name):
    batch = ending(["KH 2H", "4H", "5C", "6C"], "9H TH QH", leader=1, bids=(0, 4, 4, 4), tricks=(0, 4, 4, 3))
    assert choice(name, batch) == "2H"


@pytest.mark.parametrize("name", STRONG)
def test_takes_no_bag_that_costs_a_hundred(name):
    """All bids are made, the tally holds nine bags; the last trick will be a club."""
    batch = ending(["AH 2H", "3C", "4C", "5C"], "9H TH QH", leader=1, bids=(3, 2, 3, 3), tricks=(3, 2, 3, 3))
    batch.tables.bags[0, 0] = 9
    assert choice(name, batch) == "2H"


@pytest.mark.parametrize("name", STRONG)
def test_takes_the_bag_that_sets_the_opponents(name):
    batch = ending(
        ["AH 2H", "3C", "4C", "5C"], "9H TH QH", leader=1, bids=(3, 3, 3, 3), tricks=(3, 2, 3, 3), scores=(400, 440)
    )
    assert choice(name, batch) == "AH"


def test_a_forced_move_is_not_searched():
    batch = ending(["2S", "KC", "QC", "KS"], "", leader=0, bids=(3, 3, 3, 3), tricks=(3, 3, 3, 3))
    for name in ("mc:10000x10000", "ismcts:1000000"):
        agent = agents.load(name)
        assert agent.act_batch(batch).tolist() == cards("2S")
        assert agent._hint(batch) == [(*cards("2S"), 1.0)]


@pytest.mark.skipif(not JIT_ON, reason="thinks for long")
@pytest.mark.parametrize(
    ("little", "much", "most"),
    [("mc:1x1", "mc:40x10", "mc:300x30"), ("ismcts:20", "ismcts:2000", "ismcts:30000")],
)
def test_a_long_search_agrees_with_a_longer_one(little, much, most):
    rng, agreed = random.Random(6), [0, 0]
    for _ in range(30):
        game = playing(rng.getrandbits(64))
        for _ in range(rng.randrange(0, 40)):
            game.apply(rng.choice(game.legal_actions()))
        view = game.view(game.turn)
        answers = [agents.load(name, seed=i).act(view) for i, name in enumerate((little, much, most))]
        agreed[0] += answers[0] == answers[2]
        agreed[1] += answers[1] == answers[2]
    assert agreed[1] > agreed[0]


def test_loyalty_keeps_to_what_rule_would_do_unless_that_is_surely_worse():
    rng, kept = random.Random(8), np.zeros(2, int)
    names = ("mc:12x4+rule+free", "mc:12x4+rule", "mc:12x4+rule+loyal", "rule")
    asked = [agents.load(name, seed=2) for name in names]
    for _ in range(scaled(150)):
        game = playing(rng.getrandbits(64))
        for _ in range(rng.randrange(0, 44)):
            game.apply(rng.choice(game.legal_actions()))
        free, usual, bound, advice = (agent.act(game.view(game.turn)) for agent in asked)
        for freer, stricter in ((free, usual), (usual, bound)):
            assert stricter in (freer, advice)
            assert stricter == advice or freer != advice
        kept += usual != free, bound != usual
    assert kept.all() or not JIT_ON


def test_bids_what_it_holds():
    strong = "AS KS QS JS TS 9S AH KH AD KD AC KC 2C"
    weak = "2S 3S 4H 3H 2H 5D 4D 3D 2D 6C 5C 4C 3C"
    rest = sorted(set(range(52)) - set(cards(strong)) - set(cards(weak)))
    game = Game("pagat", deal=[cards(strong), rest[::2], cards(weak), rest[1::2]], dealer=3)
    for name in ("mc:30x30", "ismcts:2500") if JIT_ON else ("mc:3x3", "ismcts:50"):
        agent = agents.load(name)
        assert agent.act(game.view(0)) >= BID_ZERO + 9
        after = Game("pagat", deal=[cards(strong), rest[::2], cards(weak), rest[1::2]], dealer=1)
        assert agent.act(after.view(2)) == BID_ZERO


# Hints


@pytest.mark.parametrize("name", ["mc:3x2", "ismcts:40"])
def test_hints_name_every_legal_card_but_trumps_that_are_never_tried(name):
    agent = agents.load(name, seed=7)
    for game in moments(name, scaled(40), wanted=lambda game: game.phase in ("pass", "play")):
        view = game.view(game.turn)
        named = {action for action, _ in agent.hint(view)}
        assert named == set(view.legal_actions()) or draws_only_partners(view.state[0], view.compiled_rules[0])


def test_visits_are_shared_among_the_candidates():
    """Cards that are alike have the share of the one that was tried."""
    game = playing(seed=2)
    s, r = game._s, game._compiled[0]
    distinct = distinct_cards(s, r)
    weights = dict(agents.load("ismcts:100").hint(game.view(game.turn)))
    tried = [card for card in weights if int(distinct) >> int(r.place[card]) & 1]
    assert sum(weights[card] for card in tried) == pytest.approx(1)
    for card, weight in weights.items():
        place = lowest_equal(np.uint64(distinct), np.int64(r.place[card]))
        assert weight == weights[int(r.card_at[place])]


# Candidates, playouts


@pytest.mark.parametrize(
    ("bids", "rules", "cards"),
    [
        ("W3 N3 E3 S4", "classic", "JD TH"),  # West and East have shown that they are out of spades
        ("W3 Nnil E3 S4", "classic", "TS JD TH"),  # North has bid nil
        ("W3 N3 E3 S4", "classic partners=false", "TS JD TH"),  # there is no partner
    ],
)
def test_partners_last_spades_are_not_drawn(bids, rules, cards):
    position = f"""
        rules {rules} / bids {bids} / tricks W 4C 5C 8C 2S, S AS 2D 3S 3D / hand QS JS TS KD QD JD AH KH QH JH TH
        must JD: only this text's form asks for it
    """
    (read,) = read_positions(position)
    game = read.game()
    s, r = game._s, game._compiled[0]
    found = np.zeros(MOST_CANDIDATES, np.int64)
    count = find_candidates(s, r, np.uint64(1), found)
    assert {card_name(int(card)) for card in found[:count]} == set(cards.split())


def test_of_cards_to_pass_none_are_alike():
    """A nil that may pass one of ace, king and queen has three cards to choose from."""
    south = cards("AH KH QH 2H  2D 3D 4D  2C 3C 4C  2S 3S 4S")
    rest = [card for card in deck("normal") if card not in south]
    rules = "classic blind_nil_deficit=0 blind_nil_pass=1 first_dealer=east"
    game = Game(rules, seed=1, deal=[south, rest[:13], rest[13:26], rest[26:]])
    for action in (BLIND_NIL, LOOK, BID_ZERO + 3, LOOK, BID_ZERO + 3, LOOK, BID_ZERO + 3):
        game.apply(action)
    while game.turn != 0:
        game.apply(game.legal_actions()[0])
    found = np.zeros(MOST_CANDIDATES, np.int64)
    assert find_candidates(game._s, game._compiled[0], np.uint64(1), found) == 13
    assert set(found[:13].tolist()) == set(south)


def test_cards_are_alike_when_nothing_out_lies_between():
    for game in moments("alike", scaled(200), wanted=lambda game: game.phase == "play"):
        s, r = game._s, game._compiled[0]
        rivals = int(r.cards) & ~int(s.played) & ~int(s.hands[s.turn]) | (int(s.num_plays) % 4 > 0) << int(s.best_place)
        stands_for: dict[int, int] = {}
        for place in sorted(int(r.place[card]) for card in game.legal_actions()):
            last = max((lower for lower in stands_for if lower >> 4 == place >> 4), default=None)
            between = last is not None and any(rivals >> k & 1 for k in range(last + 1, place))
            stands_for[place] = place if last is None or between else stands_for[last]
        distinct = np.uint64(distinct_cards(s, r))
        assert int(distinct) == sum(1 << place for place in set(stands_for.values()))
        assert stands_for == {place: lowest_equal(distinct, place) for place in stands_for}


# Strings


@pytest.mark.parametrize(
    "name",
    [
        "mc", "mc:", "mc:30", "mc:x", "mc:0x5", "mc:5x0", "mc:-1x3", "mc:3x3x3", "mc:1e3x2", "mc:99999x1", "mc:3x3+",
        "mc:3x3+fast", "mc:3x3+rule+rule", "mc:3x3+loyal+loyal", "mc:3x3+free+loyal", "mc:0ms",
        "mc:99999999ms", "mc:1.5ms", "mc:٣x3",
        "ismcts", "ismcts:", "ismcts:0", "ismcts:-5", "ismcts:10000000", "ismcts:30x30", "ismcts:9+x", "ismcts:9+loyal",
        "ismcts:0ms",
    ],
)  # fmt: skip
def test_strings_that_are_refused(name):
    with pytest.raises(AgentError, match="invalid agent") as refused:
        agents.load(name)
    assert "\n" not in str(refused.value)


def test_strings_that_are_not():
    for name in ("mc:1x1", "mc:30x30+likely+rule", "mc:1ms", "ismcts:1", "ismcts:5ms+rule", "ismcts:2500+rule+likely"):
        assert agents.load(name).name == name


@pytest.mark.parametrize("name", ["mc:30ms", "ismcts:30ms", "ismcts:30ms+likely"])
def test_a_time_is_kept(name):
    agent, game = agents.load(name), playing(seed=1)
    agent.act(game.view(game.turn))
    start = time.perf_counter()
    assert agent.act(game.view(game.turn)) in game.legal_actions()
    assert agent.hint(game.view(game.turn))[0][0] in game.legal_actions()
    taken = time.perf_counter() - start
    assert taken < 10 or not JIT_ON
    assert taken >= 0.06 or name[0] == "m"  # flat Monte Carlo stops when the choice is clear


def test_blind_nil_is_weighed():
    """Far behind, before it has looked."""
    game = Game("classic", seed=1, scores=[-300, 200], dealer=1)
    assert game.phase == "blind"
    hint = agents.load("mc:20x20" if JIT_ON else "mc:2x2").hint(game.view(0))
    assert {action for action, _ in hint} == {BLIND_NIL, LOOK}
