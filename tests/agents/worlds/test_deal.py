"""Worlds: all deals of the hidden cards that fit a view are dealt equally often, or by odds, and no others."""

import random
from collections import Counter
from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest
from support.game.redeals import played_by
from support.game.tables import finish_at_random, moments, play, random_rules, record_bytes
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents.worlds.constraints import PASSED
from spades_env.agents.worlds.determinize import count_worlds, deal_world, new_plan, plan_worlds
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, deck, partner
from spades_env.game.observe import blank
from spades_env.game.state import new_tables
from spades_env.game.view import View

PASSING = {"blind_nil_deficit": 0, "partners": True}
TOLD = [{"bidding": "mirror"}, {"bidding": "whiz", "nil_pass": 2, "partners": True}, {"first_trick": "lowest_club"}]
TOO_FAR_OFF = 5  # standard deviations
CLUBS, SPADES = 16, 48  # places: below the end of the one, from the start of the other


class Worlds:
    """Worlds of a view, one after the other."""

    def __init__(self, view: View, seed: int = 0, chances: np.ndarray | None = None):
        self.view, self.state, self.rules = view, view.state, view.compiled_rules
        self.plan, self.table = new_plan(), new_tables(1)
        self.x = np.uint64(seed)
        if chances is not None:
            self.plan[0].by_odds, self.plan[0].chances = True, chances
        plan_worlds(self.state[0], self.rules[0], self.plan[0])

    def deal(self) -> np.record:
        self.x = np.uint64(deal_world(self.state, 0, self.rules[0], self.plan[0], self.table, 0, self.x))
        return self.table[0]

    def hands(self) -> tuple[int, ...]:
        return tuple(self.deal().hands.tolist())

    def lanes(self, cards) -> int:
        return sum(1 << int(self.rules[0].place[card]) for card in cards)

    def enumerate(self) -> set[tuple[int, ...]]:
        """All hands the others may hold, found by trying every one."""
        view, me = self.view, self.view.seat
        played = [card for trick in [*view.tricks_played, view.table] for _, card in trick]
        kept = [card for card in view.given if card not in view.hand + played]
        unseen = sorted(set(deck(view.rules.trumps)) - set(view.hand + played + kept))
        others = [seat for seat in range(4) if seat != me]
        sizes = {seat: 13 - sum(mover == seat for mover in movers(view)) for seat in others}
        sizes[partner(me)] -= len(kept)
        fits = {seat: [card for card in unseen if not self.void(seat, card)] for seat in others}
        a, b, c = others
        found = set()
        for of_a in combinations(fits[a], sizes[a]):
            for of_b in combinations([card for card in fits[b] if card not in of_a], sizes[b]):
                of_c = [card for card in unseen if card not in of_a + of_b]
                if set(of_c) <= set(fits[c]):
                    found.add(self._hands({me: view.hand, a: [*of_a], b: [*of_b], c: of_c}, kept))
        return {hands for hands in found if all(fits_told(view, seat, hands[seat]) for seat in others)}

    def _hands(self, held: dict[int, list[int]], kept: list[int]) -> tuple[int, ...]:
        held[partner(self.view.seat)] += kept
        return tuple(self.lanes(held[seat]) for seat in range(4))

    def void(self, seat: int, card: int) -> bool:
        lane = int(self.rules[0].place[card]) >> 4
        return bool(int(self.state[0].voids[seat]) >> lane & 1)


def fits_told(view: View, seat: int, held: int) -> bool:
    """Does the hand fit the seat's first card, where it must be its lowest club, and its bid, where that is its trumps?

    What two others have passed is not known: their bids say nothing about these hands.
    """
    place = view.compiled_rules[0].place
    plays = [int(place[card]) for trick in [*view.tricks_played, view.table] for who, card in trick if who == seat]
    if view.rules.first_trick == "lowest_club" and plays and plays[0] < CLUBS and held & ((1 << plays[0]) - 1):
        return False
    mate, s = seat == partner(view.seat), view.state[0]
    if not bid_its_trumps(view, seat) or (seat in s.passers[: s.num_passers] and s.num_passed and not mate):
        return True
    gained = trumps_in(view, view.given) - trumps_in(view, view.received) if mate and view.received else 0
    return (held >> SPADES).bit_count() + sum(place >= SPADES for place in plays) - gained == view.bids[seat]


def trumps_in(view: View, held: list[int]) -> int:
    return sum(view.compiled_rules[0].place[card] >= SPADES for card in held)


def bid_its_trumps(view: View, seat: int) -> bool:
    bidding = view.rules.bidding
    return view.bids[seat] is not None and (bidding == "mirror" or (bidding == "whiz" and not view.nils[seat]))


def movers(view: View) -> list[int]:
    return [seat for trick in [*view.tricks_played, view.table] for seat, _ in trick]


def ending(rng: random.Random, most_worlds: int, cards_left: int, **options) -> Worlds:
    """A late position of a random game with more than one world, but not too many."""
    while True:
        game = Game(random_rules(rng, max_hands=None, floor=None, target=9999, **options), seed=rng.getrandbits(64))
        while game.phase != "play":
            play(game, rng, 1)
        play(game, rng, 52 - rng.randrange(2, 4 * cards_left))
        view = game.view(game.turn)
        worlds = Worlds(view, rng.getrandbits(64))
        if game.hand_number == 0 and PASSED not in worlds.plan[0].trusted and 1 < count_worlds(view) <= most_worlds:
            return worlds


def deviation(counts: Counter, cells: int) -> tuple[float, int]:
    """Pearson's sum over cells that should be equally full, less its mean, and its variance."""
    expected = counts.total() / cells
    total = sum(count * count for count in counts.values()) / expected - counts.total()
    return total - (cells - 1), 2 * (cells - 1)


@pytest.mark.parametrize(
    "options", [{}, {**PASSING, "blind_nil_pass": 2}, {"spades_lead": "any"}, {"spades_lead": "discarded"}, *TOLD]
)
def test_there_are_as_many_worlds_as_can_be_found_by_trying(options):
    rng = random.Random(repr(options))
    for _ in range(scaled(20 if options in TOLD else 60)):
        worlds = ending(rng, 3000, 5, **options)
        found = worlds.enumerate()
        assert count_worlds(worlds.view) == len(found)
        assert {worlds.hands() for _ in range(30)} <= found


@pytest.mark.parametrize("options", [{}, {**PASSING, "blind_nil_pass": 3}, *TOLD])
def test_each_world_is_as_likely_as_another(options):
    rng = random.Random(repr(options))
    off, variance = 0.0, 0
    for _ in range(scaled(25)):
        worlds = ending(rng, 150, 5, **options)
        found = worlds.enumerate()
        counts = Counter(worlds.hands() for _ in range(20 * len(found)))
        assert set(counts) <= found
        off, variance = off + deviation(counts, len(found))[0], variance + deviation(counts, len(found))[1]
    assert abs(off) < TOO_FAR_OFF * (variance + 50) ** 0.5


@pytest.mark.parametrize("options", [{}, {**PASSING, "blind_nil_pass": 3}, {"first_trick": "lowest_club"}])
def test_by_odds_each_world_is_as_likely_as_its_chances_multiplied(options):
    rng = random.Random(repr(options))
    off, variance = 0.0, 0.0
    for _ in range(scaled(25)):
        uniform = ending(rng, 60, 5, bidding="free", **options)
        chances = np.random.default_rng(rng.getrandbits(32)).uniform(0.2, 1, (4, 64))
        worlds, found = Worlds(uniform.view, rng.getrandbits(64), chances), sorted(uniform.enumerate())
        weights = np.array([chance_of(hands, chances, uniform.view.seat) for hands in found])
        deals = 30 * len(found)
        counts = Counter(worlds.hands() for _ in range(deals))
        assert set(counts) <= set(found)
        expected = deals * weights / weights.sum()
        observed = np.array([counts[hands] for hands in found])
        off += ((observed - expected) ** 2 / expected).sum() - (len(found) - 1)
        variance += 2 * (len(found) - 1) + (1 / expected).sum()
    assert abs(off) < TOO_FAR_OFF * (variance + 50) ** 0.5


def chance_of(hands: tuple[int, ...], chances: np.ndarray, me: int) -> float:
    others = [seat for seat in range(4) if seat != me]
    return float(np.prod([chances[seat, place] for seat in others for place in range(64) if hands[seat] >> place & 1]))


def test_every_world_is_dealt_when_one_suit_is_known_to_lie_with_two_seats():
    """Voids that bind: three suits, each lacked by another seat."""
    rng = random.Random(8)
    for _ in range(scaled(3)):
        worlds = ending(rng, 60, 6)
        while (worlds.plan[0].heaps[:3] > 0).sum() < 2:
            worlds = ending(rng, 60, 6)
        found = worlds.enumerate()
        assert {worlds.hands() for _ in range(25 * len(found))} == found


def test_with_nothing_shown_the_other_hands_are_any():
    game = Game("pagat", seed=1)
    assert count_worlds(game.view(game.turn)) == factorial(39) // factorial(13) ** 3
    blind = Game("classic", seed=1, scores=[-300, 0], dealer=1)
    assert (blind.phase, blind.turn) == ("blind", 0)
    assert count_worlds(blind.view(0)) == factorial(52) // factorial(13) ** 4


@pytest.mark.parametrize("phase", ["blind", "bid"])
def test_each_card_lies_in_each_hidden_hand_equally_often(phase):
    game = Game("classic", seed=1, scores=[-300, 0], dealer=1)
    if phase == "bid":
        game.apply(LOOK)
    worlds, counts = Worlds(game.view(0)), Counter()
    deals = scaled(2000)
    for _ in range(deals):
        for seat, hand in enumerate(worlds.hands()):
            counts.update((seat, place) for place in range(64) if hand >> place & 1)
    seats = 4 if phase == "blind" else 3
    cells = 52 * 4 if phase == "blind" else 39 * 3
    if phase == "bid":
        counts = Counter({cell: count for cell, count in counts.items() if cell[0]})
    off, variance = deviation(counts, cells)
    assert abs(off + cells / seats) < TOO_FAR_OFF * variance**0.5  # each card once a deal: smaller than if independent


def check_world(game: Game, worlds: Worlds, s) -> None:
    """The seat can't tell the world from its own, and it is a whole table."""
    view = new_tables(1)
    blank(worlds.table, 0, game.turn, view, 0)
    assert record_bytes(view) == record_bytes(worlds.state)
    hands = s.hands.tolist()
    assert [hand.bit_count() for hand in hands] == [len(hand) for hand in game.hands]
    assert sum(hands) == sum(game._s.hands.tolist())
    for seat, hand in enumerate(hands):
        assert not any(hand >> 16 * lane & 0xFFFF for lane in range(4) if int(s.voids[seat]) >> lane & 1)
        check_given(game, s, seat)
        assert seat == game.turn or fits_told(worlds.view, seat, hand)
        if bid_its_trumps(worlds.view, seat):
            assert (dealt_in(game, s, seat) >> SPADES).bit_count() == game.bids[seat]


def dealt_in(game: Game, s, seat: int) -> int:
    """The hand that a seat was dealt, in a world."""
    given, received = int(s.given[seat]), int(s.given[partner(seat)])
    hand = int(s.hands[seat]) | sum(1 << place for place in played_by(game, seat))
    return hand if not given or given & int(s.hands[seat]) else hand & ~received | given


def check_given(game: Game, s, seat: int) -> None:
    """As many cards as the seat has chosen, where they must be."""
    given, other = int(s.given[seat]), partner(seat)
    assert given.bit_count() == int(game._s.given[seat]).bit_count()
    if int(game._s.given[seat]) & int(game._s.hands[seat]):
        assert not given & ~int(s.hands[seat])
    else:
        played = sum(1 << place for place in played_by(game, other))
        assert not given & ~(int(s.hands[other]) | played)


@pytest.mark.parametrize("options", [{}, PASSING, *TOLD, {"bidding": "mirror", "nil_pass": 1, "partners": True}])
def test_a_world_looks_to_the_seat_like_its_own(options):
    rng = random.Random(repr(options))
    for game in moments("deal 1", scaled(150), **options):
        worlds = Worlds(game.view(game.turn), rng.getrandbits(64))
        assert count_worlds(worlds.view) >= 1
        for _ in range(5):
            check_world(game, worlds, worlds.deal())
        if game.phase == "play":
            by_odds = Worlds(worlds.view, rng.getrandbits(64), np.full((4, 64), 0.1))
            for _ in range(5):
                check_world(game, by_odds, by_odds.deal())


@pytest.mark.parametrize("cards_passed", [1, 2, 3])
def test_while_cards_are_passed(cards_passed):
    """All four bid blind nil, so that one pair passes before and one after the other: a world of every decision."""
    rng = random.Random(cards_passed)
    game = Game(Rules(blind_nil_deficit=0, blind_nil_pass=cards_passed, trumps="nyc"), seed=cards_passed)
    for _ in range(4):
        game.apply(BLIND_NIL)
    for _ in range(4 * cards_passed + 20):
        worlds = Worlds(game.view(game.turn), rng.getrandbits(64))
        for _ in range(scaled(10)):
            check_world(game, worlds, worlds.deal())
            finish_at_random(worlds.table[0], worlds.rules[0], worlds.x)
            assert not worlds.table[0].hands.any()
        play(game, rng, 1)


def test_what_the_partner_lays_aside_is_any_of_its_cards():
    rules = Rules(blind_nil_deficit=0, blind_nil_pass=1)
    game = Game(rules, seed=5, dealer=1)
    for action in (BLIND_NIL, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4):
        game.apply(action)
    game.apply(game.legal_actions()[0])
    assert (game.phase, game.turn) == ("pass", 2)
    worlds, counts = Worlds(game.view(2)), Counter()
    for _ in range(scaled(3000)):
        counts[int(worlds.deal().given[0]).bit_length()] += 1
    off, variance = deviation(counts, 39)
    assert abs(off) < TOO_FAR_OFF * variance**0.5


def test_the_same_walk_deals_the_same_worlds():
    rng = random.Random(2)
    view = ending(rng, 3000, 6).view
    first, second = Worlds(view, 9), Worlds(view, 9)
    assert [first.hands() for _ in range(9)] == [second.hands() for _ in range(9)]
    assert len({int(first.deal().seed) for _ in range(9)}) == 9


def test_the_true_deal_is_among_the_worlds():
    for game in moments("deal 2", scaled(60)):
        worlds = Worlds(game.view(game.turn))
        plan = worlds.plan[0]
        for i in range(4):
            seat = (game.turn + i) & 3
            may_hold = [heap for heap, seats in enumerate(((1, 2), (1, 3), (2, 3), (0, 1, 2, 3))) if i in seats]
            possible = int(plan.known[seat]) | sum(int(plan.heaps[heap]) for heap in may_hold)
            possible |= int(plan.trumps) & ~int(plan.barred[seat])
            true_hand = worlds.lanes(game.hands[seat])
            assert not true_hand & ~possible
            assert not int(plan.known[seat]) & ~true_hand


def test_as_many_splits_as_there_can_be():
    """I hold all spades; every other seat lacks one of the other suits: three heaps of thirteen."""
    game = Game("pagat", deal=[range(13), range(13, 26), range(26, 39), range(39, 52)], dealer=2)
    worlds = Worlds(game.view(3))
    s = worlds.state[0]
    s.voids[0], s.voids[1], s.voids[2] = 4, 2, 1
    plan_worlds(s, worlds.rules[0], worlds.plan[0])
    assert worlds.plan[0].num_splits == 14**3
    assert worlds.plan[0].ways[14**3 - 1] == sum(comb(13, x) ** 3 for x in range(14))
    for _ in range(scaled(100)):
        clubs, diamonds, hearts = (0x1FFF << 16 * lane for lane in range(3))
        hands = worlds.hands()
        assert not hands[0] & hearts
        assert not hands[1] & diamonds
        assert not hands[2] & clubs
        assert [hand.bit_count() for hand in hands] == [13] * 4
