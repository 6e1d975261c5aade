"""The engine and the plain reference in lock-step: the same rules, deals and actions must give the same games."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.game import reference
from support.game.tables import SUITS_DEALT
from support.strategies import Table, random_action, random_options, rules, scaled, sensible_action

from spades_env import Game, Rules
from spades_env.game.cards import NUM_ACTIONS, PHASES
from spades_env.game.engine import apply, deal_next, write_mask
from spades_env.game.state import BLIND_NIL_BID, GAME_OVER, GOES_ON, HAND_OVER

CHUNKS = 16
HANDS_PER_CHUNK = 1280
MOST_HANDS_PER_GAME = 12
ALL_SEEN_FROM = 600  # hands: enough to show everything in EVENTS
EVENTS = (
    *("blind", "bid", "pass", "play", "over"),
    *("nil kept", "nil failed", "blind nil kept", "blind nil failed", "bid kept", "bid failed", "bag penalty"),
    *("target", "floor", "max_hands", "no partners"),
    *("free", "mirror", "whiz", "suicide", "hand without bids", "bid for both", "bid for ten"),
)


class LockStep:
    """A game played by both, compared after every action."""

    def __init__(self, rng: random.Random):
        options = random_options(rng)
        rules = Rules(**options)
        bag_limit = options["bag_limit"] or 1
        scores = [rng.choice((0, rng.randrange(-250, 250))) for _ in range(rules.sides)]
        bags = [rng.randrange(bag_limit) for _ in range(rules.sides)]
        start = {"dealer": rng.randrange(4), "scores": scores, "bags": bags, "hand_number": rng.choice((0, 0, 1, 7))}
        self.engine = Table(rules, rng.getrandbits(64), **start)
        self.reference = reference.Table(options, self.engine.hands, **start)
        self.options = options
        self.mask = np.zeros(NUM_ACTIONS, np.int8)
        self.log: list[tuple[int, int]] = []  # seat and card, as played in this hand
        self.seen: Counter = Counter({"no partners": not rules.partners})
        self.compare()

    def play(self, player, rng: random.Random, hands: int) -> int:
        """Play a number of hands, or to the end of the game; return how many."""
        before = len(self.reference.results)
        while self.reference.phase != "over" and len(self.reference.results) - before < hands:
            self.act(player(rng, self.reference, self.reference.legal(), self.options["trumps"]))
        return len(self.reference.results) - before

    def act(self, action: int) -> None:
        """Take the same action in both."""
        seat, phase = self.reference.turn, self.reference.phase
        finished = len(self.reference.results)
        event = apply(self.engine.s, self.engine.r, action)
        if phase == "play":
            self.log.append((seat, action))
        if event == HAND_OVER:
            self.compare_plays()
            deal_next(self.engine.s, self.engine.r)
            self.log = []
        self.reference.apply(action, self.next_deal)
        assert event == self.event_of_reference(finished)
        self.compare()
        if event != GOES_ON:
            self.compare_results()

    def event_of_reference(self, finished: int) -> int:
        if self.reference.phase == "over":
            return GAME_OVER
        return HAND_OVER if len(self.reference.results) > finished else GOES_ON

    def next_deal(self, hand_number: int) -> list[list[int]]:
        assert self.engine["hand_number"] == hand_number
        return self.engine.hands

    def compare(self) -> None:
        engine, ref = self.engine, self.reference
        write_mask(engine.s, engine.r, self.mask)
        assert np.flatnonzero(self.mask).tolist() == ref.legal()
        assert (engine["turn"], PHASES[engine["phase"]]) == (ref.turn, ref.phase)
        assert engine["hands"] == [engine.lanes(hand) for hand in ref.hands]
        assert engine["given"] == [engine.lanes(cards) for cards in ref.chosen]
        assert engine["bids"] == [-1 if bid is None else bid for bid in ref.bids]
        assert [kind == BLIND_NIL_BID for kind in engine["nils"]] == ref.blind
        assert engine["blind_contract"] == [
            int(any(seat % 2 == side for seat in ref.blind_contracts)) for side in (0, 1)
        ]
        assert engine["tricks"] == ref.tricks
        assert engine["broken"] == ref.broken
        assert (engine["dealer"], engine["hand_number"]) == (ref.dealer, ref.hand_number)
        assert engine["scores"][: ref.side_count] == ref.scores
        assert engine["bags"][: ref.side_count] == ref.bags
        self.compare_plays()
        on_table = self.log[len(self.log) // 4 * 4 :]
        assert on_table == ref.table
        if on_table:
            assert engine["best_seat"] == reference.trick_winner(on_table, self.options["trumps"])
        self.seen[ref.phase] += 1

    def compare_plays(self) -> None:
        """Compare the cards played in this hand, and who led each trick."""
        assert self.engine["num_plays"] == len(self.log)
        assert self.engine["plays"][: len(self.log)] == [self.engine.place[card] for _, card in self.log]
        leaders = [seat for seat, _ in self.log[::4]]
        assert self.engine["leaders"][: len(leaders)] == leaders

    def compare_results(self) -> None:
        """Compare the results of a hand that was just scored."""
        result, sides = self.reference.results[-1], self.reference.side_count
        assert self.engine["points"][:sides] == result["points"]
        assert self.engine["overtricks"][:sides] == result["overtricks"]
        assert self.engine["bags"][:sides] == result["bags"]
        if self.reference.phase == "over":
            assert self.engine["winner"] == (-1 if self.reference.winner is None else self.reference.winner)
        self.note(result)

    def note(self, result: dict) -> None:
        """Note the events of this hand, so that a test can check that all occurred."""
        if result["bids"] == [None] * 4:
            self.seen["hand without bids"] += 1
            return
        sums = [sum(result["bids"][seat] or 0 for seat in range(side, 4, 2)) for side in (0, 1)]
        self.seen["bid for ten"] += self.options["ten_points"] is not None and max(sums) >= 10
        self.seen["bid for both"] += None in result["bids"]
        self.seen[self.options["bidding"]] += 1
        for bid, blind, tricks in zip(result["bids"], result["blind"], result["tricks"], strict=True):
            if bid is None:
                continue
            kind = "blind nil" if blind else "nil" if bid == 0 and self.options["nil"] else "bid"
            self.seen[f"{kind} {'kept' if (tricks >= bid if kind == 'bid' else not tricks) else 'failed'}"] += 1
        penalised = self.options["bag_limit"] is not None and max(result["overtricks"]) >= self.options["bag_limit"]
        self.seen["bag penalty"] += penalised
        if self.reference.phase == "over":
            scores, options = self.reference.scores, self.options
            self.seen["target"] += options["target"] is not None and max(scores) >= options["target"]
            self.seen["floor"] += options["floor"] is not None and min(scores) <= options["floor"]
            self.seen["max_hands"] += self.reference.hand_number + 1 == options["max_hands"]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_reference_agree(chunk):
    rng = random.Random(f"lockstep {chunk}")
    goal = scaled(HANDS_PER_CHUNK)
    hands, seen = 0, Counter()
    while hands < goal:
        game = LockStep(rng)
        player = rng.choice((random_action, sensible_action, either_action))
        hands += game.play(player, rng, min(MOST_HANDS_PER_GAME, goal - hands))
        seen += game.seen
    assert hands == goal
    assert goal < ALL_SEEN_FROM or not [event for event in EVENTS if not seen[event]]


def test_twenty_thousand_hands_are_compared():
    assert CHUNKS * HANDS_PER_CHUNK >= 20_000


def either_action(rng: random.Random, table, legal, trumps) -> int:
    """Return a legal action, a sensible one most of the time."""
    return (random_action if rng.random() < 0.2 else sensible_action)(rng, table, legal, trumps)


@given(
    rules(),
    st.integers(0, 2**64 - 1),
    st.integers(0, 3),
    st.lists(st.integers(-500, 500), min_size=4, max_size=4),
    st.lists(st.integers(0, 255), min_size=1, max_size=150),
)
@settings(max_examples=scaled(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_game_and_the_reference_agree_whatever_is_done(rules, seed, dealer, scores, choices):
    scores = scores[: rules.sides]
    game = Game(rules, seed, dealer=dealer, scores=scores)
    ref = reference.Table(rules.as_dict(), game.hands, dealer, scores)
    for choice in choices * (-(-120 // len(choices))):
        compare_facts(game, ref)
        if game.over:
            break
        legal = ref.legal()
        action = legal[choice % len(legal)]
        game.apply(action)
        ref.apply(action, lambda hand_number: game.hands)
    compare_facts(game, ref)


def compare_facts(game: Game, ref: reference.Table) -> None:
    """Compare all facts of a game with the reference's."""
    assert game.legal_actions() == ref.legal()
    assert (game.phase, game.turn, game.dealer, game.winner) == (ref.phase, ref.turn, ref.dealer, ref.winner)
    assert game.hands == [sorted(hand) for hand in ref.hands]
    assert (game.bids, game.blind, game.tricks, game.table) == (ref.bids, ref.blind, ref.tricks, ref.table)
    assert (game.scores, game.bags, game.hand_number) == (ref.scores, ref.bags, ref.hand_number)
    assert game.spades_broken == ref.broken
    assert len(game.results) == len(ref.results)
    for ours, theirs in zip(game.results, ref.results, strict=True):
        assert {name: ours[name] for name in theirs} == theirs


def test_a_difference_is_noticed():
    """The comparison works: it finds two cards swapped behind the engine's back."""
    game = LockStep(random.Random(0))
    south, west, *_ = game.reference.hands
    south[0], west[0] = west[0], south[0]
    with pytest.raises(AssertionError):
        game.compare()


def test_the_reference_refuses_what_is_not_legal():
    ref = reference.Table(Rules.preset("pagat").as_dict(), SUITS_DEALT, 3)
    for illegal in ((-1, 0, 53, 68, 69, 70), (13, 54)):
        for action in illegal:
            with pytest.raises(ValueError, match="is not legal"):
                ref.apply(action, lambda hand_number: SUITS_DEALT)
        while ref.phase == "bid":
            ref.apply(reference.FIRST_BID + 3, lambda hand_number: SUITS_DEALT)
