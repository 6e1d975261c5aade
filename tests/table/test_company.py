"""What characters say: from public facts, rarely, never twice, always the same; and what those see who watch."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from spades_env import Rules
from spades_env.agents.roster import roster
from spades_env.game.cards import BID_ZERO, LOOK, NUM_SEATS, parse_action, partner
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.table.company import moments
from spades_env.play.table.company.remarks import MOODS, Remark
from spades_env.play.table.company.watching import watch_view
from spades_env.play.table.hands import BOT, PERSON, PlayedHand
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from spades_env.play.texts import catalogue, in_language, languages

RULES = "classic target=off max_hands={hands} blind_nil_deficit=0"
CHARACTERS = ["milly", "otto", "pia", "zofia"]
SOLO = "solo target=off floor=off max_hands={hands}"
GAMES = 30
LONGEST = 80  # letters of a line


def played(seed: int, bots=CHARACTERS, hands: int = 8, by=None, rules: str = RULES) -> Table:
    """Return a game of random moves, with bids that are sometimes made; nobody is loaded. by: who moves each seat."""
    rng = random.Random(seed)
    table = Table(rules.format(hands=hands), bots, {}, seed=seed, load=False)
    while not table.over:
        table.apply(choose(rng, table), (by or {}).get(table.game.turn, BOT))
    return table


def choose(rng: random.Random, table: Table) -> int:
    """Bid modestly most of the time; play low after a nil, high most of the time otherwise."""
    legal, own = table.game.legal_actions(), table.game.bids[table.game.turn]
    modest = [action for action in legal if BID_ZERO <= action <= BID_ZERO + 3]
    if modest:
        return rng.choice(modest if rng.random() < 0.8 else [BID_ZERO + 6])
    if table.game.phase != "play":
        return LOOK if LOOK in legal and rng.random() < 0.9 else rng.choice(legal)
    by_rank = sorted(legal, key=lambda card: (card % 13, card // 13))
    return by_rank[0] if own == 0 else by_rank[-1] if rng.random() < 0.7 else rng.choice(legal)


@pytest.fixture(scope="module")
def games() -> list[Table]:
    return [played(seed) for seed in range(GAMES)]


def said(table: Table) -> list[Remark]:
    return table.remarks.said(table)


# What is said


def test_one_in_two_hands_and_no_line_twice(games):
    for table in games:
        found = said(table)
        ends = [one for one in found if one.moment in ("won", "lost")]
        inside = [one for one in found if one not in ends]
        assert all(later.hand - earlier.hand >= 2 for earlier, later in pairwise(inside))
        assert len({(one.hand, one.moves) for one in found}) == len(found), "never two at once"
        assert len(ends) <= 1
        assert len({one.words for one in found}) == len(found)


def test_every_moment_comes_up(games):
    assert {one.moment for table in games for one in said(table)} == set(MOODS)


def test_what_is_said_is_true(games):
    for table in games:
        for one in said(table):
            assert holds(table, one), one


def holds(table: Table, one: Remark) -> bool:
    """Work out a moment again from the results."""
    if one.moment in ("won", "lost"):
        own = table.rules.side(one.seat)
        return (table.game.scores[own] > table.game.scores[1 - own]) == (one.moment == "won")
    hand = next(hand for hand in table.finished if hand.number == one.hand)
    result, own = hand.result, table.rules.side(one.seat)
    assert result
    bids = [bid or 0 for bid in result.bids]
    nil = [bid == 0 for bid in result.bids]
    kept, broken = ({s for s in range(4) if nil[s] and bool(result.tricks[s]) == took} for took in (False, True))
    wanted = [sum(bids[s] for s in table.rules.seats(side)) for side in (0, 1)]
    got = [sum(result.tricks[s] for s in table.rules.seats(side) if not nil[s]) for side in (0, 1)]
    missed = [side for side in (0, 1) if got[side] < wanted[side]]
    mate, others = partner(one.seat), {s for s in range(4) if table.rules.side(s) != own}
    short = result.tricks[one.seat] < bids[one.seat]
    return {
        "nil_made": one.seat in kept,
        "nil_broken": one.seat in broken,
        "partner_nil": mate in kept,
        "their_nil": bool(others & kept),
        "nil_caught": bool(others & broken),
        "bold": bids[one.seat] >= 6 and not short and own not in missed,
        "set": own in missed and short,
        "set_them": own not in missed and 1 - own in missed,
        "forgiven": mate in broken or (own in missed and not short),
    }[one.moment]


def test_the_same_moves_give_the_same_remarks(games):
    for table in games[:5]:
        assert said(unpacked(packed(table))) == said(table)
        assert said(played(table.game.seed or 0)) == said(table)


def test_asking_after_each_move_changes_nothing():
    """What was said once stands, while the game goes on and after it."""
    rng, table, before = random.Random(3), Table(RULES.format(hands=6), CHARACTERS, {}, seed=3, load=False), []
    while not table.over:
        table.apply(choose(rng, table), BOT)
        now = said(table)
        assert now[: len(before)] == before
        assert all(one.hand == table.hands[-1].number or one in before or one.moves for one in now)
        before = now
    assert len(before) > 3
    assert said(unpacked(packed(table))) == before


def test_a_game_that_is_undone_and_played_again_says_the_same(games):
    table = unpacked(packed(games[1]))
    rng = random.Random(1)
    moves = [move.action for move in table.moves]
    again = Table(RULES.format(hands=8), CHARACTERS, {}, seed=1, load=False)
    for number, action in enumerate(moves):
        again.apply(action, BOT)
        if rng.random() < 0.05 and not again.over:
            back = rng.randrange(1, 40)
            said(again)
            again.undo_from(max(0, number + 1 - back))
            said(again)
            for undone in moves[len(again.moves) : number + 1]:
                again.apply(undone, BOT)
    assert said(again) == said(table)


def test_no_card_in_a_hand_is_read(games):
    """The moments are the same where nobody knows how the cards were dealt."""
    for table in games[:5]:
        for hand in table.finished:
            blind = replace(hand, start=replace(hand.start, deal=""))
            assert moments.ends_of(table.rules, blind) == moments.ends_of(table.rules, hand)
            found = [list(moments.broken_nils(table.rules, one, hand.winners())) for one in (hand, blind)]
            assert found[0] == found[1]


def test_the_secret_does_not_speak():
    """Who speaks and what follows from a number that reveals nothing of the deals."""
    table = Table("classic", CHARACTERS, {}, load=False)
    assert table.game.secret
    assert table.remarks._seed == Table("classic", CHARACTERS, {}, secret=table.game.secret, load=False).remarks._seed


@pytest.mark.parametrize("language", languages())
def test_a_view_has_the_words_in_every_language(games, language):
    for table in games[:5]:
        for one in said(table):
            key = f"says.{one.who}.{one.moment}.{one.line}"
            assert in_language(one.as_dict(), language)["words"] == catalogue(language)[key]


# Who speaks


def test_people_and_plain_bots_say_nothing():
    for seed in range(6):
        assert said(played(seed, bots=["rule", "random", "rb", "bis"])) == []
        table = played(seed, by={0: PERSON, 2: PERSON})
        assert {one.seat for one in said(table)} <= {1, 3}


def test_a_view_leaves_out_a_seat_that_a_person_has_taken(games):
    table = next(table for table in games if table.remarks.shown(table))
    [*_, last] = table.remarks.shown(table)
    assert last["words"] in {one["words"] for one in seat_view(table, (last["seat"] + 1) % 4)["remarks"]}
    table.seats.people[last["seat"]] = "Anna"
    assert last not in table.remarks.shown(table)
    table.seats.people[last["seat"]] = None


def test_without_partners_nobody_speaks_of_one():
    found = {one.moment for seed in range(12) for one in said(played(seed, rules=SOLO))}
    assert found
    assert not found & {"forgiven", "partner_nil", "set_them"}


def test_nobody_speaks_of_bids_that_were_not_made():
    """In a hand without bids nothing is missed; a bid for both is missed by its bidder, and forgiven by the partner."""
    house, found = "house target=off max_hands={hands} blind_bid_deficit=0 blind_bid=4", []
    for seed in range(GAMES):
        table = played(seed, rules=house)
        for one in said(table):
            result = table.finished[one.hand].result
            assert result
            bid = result.bids[one.seat]
            found.append((one.moment, one.hand, bid))
    assert {moment for moment, hand, _ in found if hand == 0} <= {"won", "lost"}
    assert {moment for moment, hand, bid in found if hand and bid is None} & {"set_them", "forgiven"}
    assert "set" not in {moment for moment, _, bid in found if bid is None}


def test_one_trick_breaks_a_nil_at_once():
    """The remark comes with the trick, not at the end of the hand."""
    broken = next(
        one for seed in range(GAMES) for one in said(played(seed)) if one.moment in ("nil_broken", "nil_caught")
    )
    assert broken.moves < 56
    assert broken.moves % NUM_SEATS == (broken.moves - 52) % NUM_SEATS


def test_a_missed_bid_is_forgiven_only_by_who_made_theirs():
    rules = Rules.of("classic")
    table = played(5, hands=1)
    result = table.finished[0].result
    assert result
    told = replace(result, bids=[4, 3, 4, 3], blind=[False] * 4, tricks=[5, 3, 2, 3])
    hand = PlayedHand(table.finished[0].start, table.finished[0].moves, told)
    assert set(moments.ends_of(rules, hand).reasons) == {("forgiven", 0), ("set", 2), ("set_them", 1), ("set_them", 3)}


# The lines


@pytest.mark.parametrize("language", languages())
def test_every_character_has_lines_for_every_moment(language):
    lines = {key: words for key, words in catalogue(language).items() if key.startswith("says.")}
    assert {key.rpartition(".")[0] for key in lines} == {
        f"says.{one.key}.{moment}" for one in roster() for moment in MOODS
    }
    for one in roster():
        for moment in MOODS:
            assert f"says.{one.key}.{moment}.2" in lines
    assert len(set(lines.values())) == len(lines), "nobody repeats anybody"
    assert max(map(len, lines.values())) <= LONGEST


# Watching


def test_who_watches_sees_the_fields_of_a_seat_and_no_card_in_a_hand():
    table = Table(RULES.format(hands=2) + " blind_nil_pass=1", ["random"] * 4, dict(enumerate("ABCD")), seed=4)
    rng = random.Random(4)
    while not table.over:
        view = watch_view(table)
        assert view.keys() == seat_view(table, 0).keys()
        assert (view["lanes"], view["legal"], view["refused"], view["passing"], view["seat"]) == (
            [],
            [],
            {},
            None,
            None,
        )
        assert not any((view["your_turn"], view["can"]["hint"], view["can"]["claim"], view["can"]["takeback"]))
        assert view["prompt"].split()[0] in "ABCD"
        passed = [event for event in view["events"] if event["phase"] == "pass"]
        assert all(event["action"] is None for event in passed)
        table.apply(rng.choice(table.game.legal_actions()), PERSON)
    view = watch_view(table)
    assert view["outcome"]["outcome"] == "over"
    assert view["prompt"] in ("A & C won the game.", "B & D won the game.", "The game is a draw.")
    assert parse_action("AS") == 51
