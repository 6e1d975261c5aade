"""Counting a hand for a bid: the lines add up to what `club` counts, and the words name what is there."""

import numpy as np
import pytest

from spades_env import Game, Rules
from spades_env.agents.club import bid as club
from spades_env.game.cards import TRUMP_ORDERS, cards
from spades_env.game.state import compile_rules
from spades_env.play.coach.count import RUFF, count_hand
from spades_env.play.texts import in_language


@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
def test_the_lines_add_up_to_what_the_club_bot_counts(trumps):
    rules = Rules.parse(f"match trumps={trumps}")
    compiled = compile_rules(rules)[0]
    for seed in range(60):
        view = Game(rules, seed=seed).view(0)
        game = Game(rules, seed=seed)
        hand = game.view(game.turn)
        counted = count_hand(rules, hand.hand)
        mask = np.uint64(int(hand.state[0].hands[hand.seat]))
        assert counted.total == int(club.count(compiled, mask)), (trumps, seed, view)
        assert counted.total == sum(line.sure + line.likely + line.ruffs for line in counted.lines)
        assert sum(line.length for line in counted.lines) == 13


def test_a_line_names_what_counts():
    counted = count_hand(Rules(), cards("AS 9S 7S 5S 3S KH QH 4H AD 8D 6D 4D 2D"))
    lines = {line.as_dict()["suit"]: line for line in counted.lines}
    assert [line.as_dict()["suit"] for line in counted.lines] == ["S", "H", "D", "C"]
    assert lines["H"].words == "king-queen of hearts"
    assert (lines["H"].sure, lines["H"].likely) == (0, 115)
    assert lines["S"].words == "ace of spades and 2 long spades"
    assert lines["S"].sure == 100
    assert lines["C"].words == "ruffs in clubs"
    assert lines["C"].ruffs == lines["C"].total == 90
    assert (lines["D"].sure, lines["D"].words) == (85, "ace of diamonds")
    assert counted.words == ("ace of spades, 2 long spades, king-queen of hearts, ace of diamonds and ruffs in clubs")
    assert in_language(lines["H"].words, "de") == "Herz-König-Dame"
    assert (counted.total, counted.bid) == (540, 6)


def test_no_more_ruffs_than_low_spades():
    counted = count_hand(Rules(), cards("AS KS QS AH KH QH JH TH 9H 8H 7H 6H 5H"))
    assert [part for line in counted.lines for part in line.parts if part.kind == RUFF] == []


def test_a_hand_without_a_trick():
    counted = count_hand(Rules(), cards("2S 3S 5S 2H 4H 6H 8H 2D 4D 6D 3C 5C 7C"))
    assert (counted.words, counted.bid) == ("nothing", 0)


def test_jokers_and_deuces_are_spades():
    counted = count_hand(Rules.parse("classic trumps=nyc"), cards("RJ 2D AS 4S 9D 8D 7D 9H 8H 7H 9C 8C 7C"))
    assert counted.lines[0].length == 4
    assert counted.lines[0].words.startswith("red joker and two of diamonds")
