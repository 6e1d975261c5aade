"""A sitting: moves and refusals, bots, takebacks, hints, claims."""

import itertools
import random

import pytest
from support.play.sittings import (
    FOUR,
    SHORT,
    SPADES_FOR_SOUTH,
    by_chance,
    by_rule,
    move,
    new,
    play,
    play_until,
    refuses,
)
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents import AgentError
from spades_env.game.cards import card, parse_action
from spades_env.game.rules import CHOICES
from spades_env.game.state import TRUMP_LANE
from spades_env.play.store.saved import packed
from spades_env.play.table.claim import sure_order
from spades_env.play.table.hands import CLAIM, PERSON
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table, TableError


def told(table: Table) -> dict:
    """All there is to a table but what tells its changes."""
    return {name: value for name, value in packed(table).items() if name not in ("version", "key", "salt")}


# Moves


def test_a_person_who_plays_like_rule_makes_the_game_of_four_rule_bots():
    table, bots = play(new(SHORT)), play(new(SHORT, people={}))
    assert table.game.record() == bots.game.record()
    assert {deed.by for deed in bots.moves} == {"bot"}
    assert {(deed.seat, deed.by) for deed in table.moves} == {(0, PERSON), (1, "bot"), (2, "bot"), (3, "bot")}


def test_the_same_seed_makes_the_same_sitting():
    one, other = (play(new(bots=["random", "rb", "bis", "rule"], seed=5), 100) for _ in range(2))
    assert told(one) == told(other)
    assert told(one) != told(play(new(bots=["random", "rb", "bis", "rule"], seed=6), 100))


def test_refusals_in_words():
    deal = (
        "2H 3H AS KS QS JS TS 9S 8S 7S 6S 5S 4S | 3S 2S AC KC QC JC TC 9C 8C 7C 6C 5C 4C | "
        "3C 2C AD KD QD JD TD 9D 8D 7D 6D 5D 4D | 3D 2D AH KH QH JH TH 9H 8H 7H 6H 5H 4H"
    )
    table = new(SHORT, {0: "Anna", 3: "Dora"}, start={"deal": deal, "dealer": 0})

    def refused(seat, action, words, **options):
        before = packed(table)
        with pytest.raises(TableError) as error:
            table.act(seat, action, **options)
        assert str(error.value) == words
        assert packed(table) == before

    refused(0, "bid:4", "It's not your turn")
    refused(1, "bid:4", "A bot plays this seat")
    refused(4, "bid:4", "A seat is a number from 0 to 3, not 4")
    refused(3, "AH", "It's time to bid, 0 to 13.")
    refused(3, "blind", "Blind nil is off at this table")
    refused(3, "bid:14", "unknown action 'bid:14'; expected a card (AS), bid:4, blind or look")
    refused(3, 70, "unknown action 70; expected a card (AS), bid:4, blind or look")
    refused(3, "bid:3", "The table has moved on", version=table.version + 1)
    table.act(3, "bid:3", version=table.version)
    table.act(0, "bid:5")
    assert not table.step(table.pending, None) or table.step()
    refused(3, "bid:3", "It is time to play a card")
    refused(3, "2S", "You don't have that card.")
    table.act(3, "AH")
    refused(0, "AS", "You have hearts, so you must follow suit.")
    table.act(0, card("2H"))
    play(table)
    refused(0, "AS", "The game is over")


def test_spades_must_be_broken():
    table = play_until(new(SHORT, {3: "Dora"}, seed=8, start={"dealer": 0}), "play", 3)
    held = next(c for c in table.game.view(3).hand if c >= card("2S"))
    with refuses("Spades aren't broken yet: lead another suit."):
        table.act(3, held)


def test_nonsense_never_changes_a_table():
    rng = random.Random(1)
    nonsense = [None, True, -1, 70, 10**30, 1.5, "", "bid:-1", "bid:１", "ZZ", "as ", "\0", [], {}, b"AS", "A" * 10**6]
    table = new("classic blind_nil_deficit=0 blind_nil_pass=1", FOUR)
    for _ in range(scaled(60)):
        before = packed(table)
        for wrong in nonsense:
            for attempt in (
                lambda wrong=wrong: table.act(table.game.turn, wrong),
                lambda wrong=wrong: table.act(wrong, "AS"),
                lambda wrong=wrong: table.takeback(0, wrong),
                lambda wrong=wrong: table.take(0, wrong),
                lambda wrong=wrong: table.ask(wrong),
            ):
                with pytest.raises(TableError):
                    attempt()
        assert packed(table) == before
        move(table, by_chance(rng))


def test_a_late_answer_does_nothing():
    table = new(SHORT, {0: "Anna"}, start={"dealer": 1})  # South bids first
    table.act(0, "bid:3")
    question = table.pending
    assert question
    assert question.seat == 1
    answer = question.answer()
    table.takeback(0)
    assert not table.step(question, answer)
    assert table.pending is None
    table.act(0, "bid:4")
    assert not table.step(question, answer)
    assert table.step(table.pending)
    assert table.game.bids[1] is not None


def test_bots_that_cannot_sit_here():
    for bots, error in ((["oracle"] * 4, AgentError), (["no such"] * 4, AgentError), (["rule"] * 3, TableError)):
        with pytest.raises(error):
            new(bots=bots)
    with pytest.raises(AgentError, match="sees all cards"):
        new(adviser="oracle")


# Takebacks


def test_takeback_of_any_number_of_moves_across_hands():
    table = new(SHORT)
    stages = {}  # moves made by South -> the table before the next one
    own = 0
    while not table.over:
        if table.pending is None:
            stages[own] = told(table) | {"takebacks": []}
            own += 1
        move(table)
    last = max(stages)
    assert last == 27  # two hands of a bid and thirteen cards
    rng = random.Random(3)
    for back in sorted(rng.sample(range(1, last), min(scaled(10), last - 1))):
        again = new(SHORT)
        while len(again.own_moves(0)) < last or again.pending:
            move(again)
        again.takeback(0, back)
        again.seen -= {(1, 0)} if last - back < 14 else set()  # that the second hand was seen is not forgotten
        assert told(again) | {"takebacks": []} == stages[last - back]
        assert again.takebacks.total() == back
        assert [hand.number for hand in again.hands] == list(range(again.game.hand_number + 1))
        play(again)
        assert told(again)["moves"] == told(table)["moves"]


def test_other_moves_lead_elsewhere_and_bots_follow():
    table = play(new(SHORT, start={"dealer": 1}), 40)
    before = table.moves.copy()
    assert before[0].action > parse_action("bid:0")
    table.takeback(0, len(table.own_moves(0)))
    table.act(0, "bid:0")  # a nil, which the partner covers and the opponents hunt
    play(table, 39)
    bots, bots_before = ([deed for deed in deeds[:12] if deed.by == "bot"] for deeds in (table.moves, before))
    assert bots != bots_before
    table.takeback(0, len(table.own_moves(0)))
    assert play(table, 40).moves == before


def test_takebacks_that_are_refused():
    table = new(SHORT, {0: "Anna", 2: "Cleo"}, start={"dealer": 1})
    with refuses("You have no move to undo"):
        table.takeback(0)
    table.act(0, "bid:3")
    with refuses("You can take back 1 to 1 moves, not 2"):
        table.takeback(0, 2)
    with refuses("A bot plays this seat"):
        table.takeback(1)
    table.step()
    table.act(2, "bid:3")
    with pytest.raises(TableError, match="no move to undo"):  # Cleo has moved since
        table.takeback(0)
    table.takeback(2)
    table.takeback(0)
    assert table.game.bids == [None] * 4
    play(table)
    with refuses("The game is over"):
        table.takeback(0)


def test_cards_once_seen_cannot_be_bid_blind():
    table = new("classic blind_nil_deficit=0", start={"dealer": 1})
    assert seat_view(table, 0)["legal"] == ["blind", "look"]
    assert seat_view(table, 0)["lanes"] == []
    table.act(0, "look")
    table.takeback(0)
    view = seat_view(table, 0)
    assert (view["legal"], view["blind_nil"]) == (["look"], None)
    assert view["prompt"] == "Your turn: look at your cards."
    with refuses("You've seen these cards, so it's too late to bid blind."):
        table.act(0, "blind")
    table.act(0, "look")
    table.act(0, "bid:3")
    unseen_yet = new("classic blind_nil_deficit=0", start={"dealer": 1})
    unseen_yet.act(0, "blind")
    unseen_yet.takeback(0)
    assert seat_view(unseen_yet, 0)["legal"] == ["blind", "look"]


# Hints


def test_hints_are_counted_once_a_position():
    table = play_until(new(SHORT), "play")
    found = table.hint(0)
    assert found["hint"] == [{"action": by_rule(table, 0), "weight": 1.0, "bar": 1.0, "words": "100%"}]
    assert table.hint(0) == found
    assert seat_view(table, 0)["help"] == {"hints": 1, "takebacks": 0}
    table.act(0, found["hint"][0]["action"])
    with pytest.raises(TableError, match="turn"):
        table.hint(0)
    table.takeback(0)
    assert table.hint(0) == found
    assert seat_view(table, 0)["help"] == {"hints": 2, "takebacks": 1}


# Claims


def test_a_claim_plays_the_rest_out():
    table = new(SHORT, start={"deal": SPADES_FOR_SOUTH, "dealer": 1})
    table.act(0, "bid:13")
    while table.step():
        pass
    assert seat_view(table, 0)["can"]["claim"]
    table.claim(0)
    [hand] = table.finished
    assert hand.result
    assert hand.result.tricks == [13, 0, 0, 0]
    assert [deed.by for deed in hand.moves if deed.phase == "play"] == [PERSON] + [CLAIM] * 51
    table.takeback(0)
    assert (table.finished, table.game.cards_played) == ([], 0)
    table.act(0, "2S")
    with pytest.raises(TableError, match="turn"):
        table.claim(0)


def test_a_claim_is_refused_where_a_trick_may_be_lost():
    table = play_until(new(SHORT, start={"dealer": 1}), "play")
    with refuses("It's not certain that every trick left is yours when you lead now"):
        table.claim(0)


def lane(view, c: int) -> int:
    return int(view.compiled_rules[0].place[c]) >> 4


def may_lose(view, order: tuple[int, ...], hands: list[list[int]]) -> bool:
    """Can the others, holding these cards, take a trick while the leader leads in this order?"""
    if not order:
        return False
    place = view.compiled_rules[0].place
    led = order[0]
    choices = []
    for hand in hands:
        follow = [c for c in hand if lane(view, c) == lane(view, led)]
        choices.append(follow or hand)
    for played in itertools.product(*choices):
        beats = any(lane(view, c) in (lane(view, led), TRUMP_LANE) and place[c] > place[led] for c in played)
        rest = [[c for c in hand if c != p] for hand, p in zip(hands, played, strict=True)]
        if beats or may_lose(view, order[1:], rest):
            return True
    return False


def layouts(out: list[int], size: int):
    """All ways in which the unseen cards may lie in three hands."""
    for first in itertools.combinations(out, size):
        rest = [c for c in out if c not in first]
        for second in itertools.combinations(rest, size):
            yield [list(first), list(second), [c for c in rest if c not in second]]


def orders(view) -> list[tuple[int, ...]]:
    """The orders in which the cards may be led."""
    found = []
    for order in itertools.permutations(view.hand):
        sides = [c for c in order if lane(view, c) != TRUMP_LANE]
        free = view.spades_broken or view.rules.spades_lead == "any"
        if free or order[: len(sides)] == tuple(sides):
            found.append(order)
    return found


def test_claims_are_exact():
    """Of the last two tricks: an order is given just where one of all orders wins however the cards lie."""
    rng, given, refused = random.Random(5), 0, 0
    while min(given, refused) < scaled(25):
        trumps, spades_lead = rng.choice(("normal", "nyc", "deuces")), rng.choice(CHOICES["spades_lead"])
        rules = Rules(trumps=trumps, spades_lead=spades_lead, blind_nil_deficit=None)
        game = Game(rules, seed=rng.getrandbits(60))
        while game.cards_played < 44:
            game.apply(rng.choice(game.legal_actions()))
        view = game.view(game.turn)
        order = sure_order(view)
        if order is None and refused > given + 5:
            continue
        out = view.unseen
        assert len(out) == 6
        safe = [o for o in orders(view) if not any(may_lose(view, o, hands) for hands in layouts(out, 2))]
        assert (tuple(order) in safe) if order else not safe
        given, refused = given + (order is not None), refused + (order is None)


def test_longer_claims_win_in_every_deal_tried():
    rng, found = random.Random(6), 0
    while found < scaled(8):
        game = Game(Rules(blind_nil_deficit=None), seed=rng.getrandbits(60))
        while game.cards_played < 40:
            game.apply(rng.choice(game.legal_actions()))
        view = game.view(game.turn)
        order = sure_order(view)
        if order is None:
            continue
        found += 1
        out = view.unseen
        for _ in range(10):
            rng.shuffle(out)
            assert not may_lose(view, tuple(order), [out[:3], out[3:6], out[6:]])
