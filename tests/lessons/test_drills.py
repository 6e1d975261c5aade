"""The drills: the same seed deals the same hand, an answer is judged as it says, and nothing hidden is shown before."""

import json

import pytest
from support.play.servers import slow

from spades_env import Game, Rules
from spades_env.agents.baselines.bis import nil_chance as chance_of_bis
from spades_env.game.cards import CARD_NAMES, card_words, cards
from spades_env.game.state import compile_rules
from spades_env.play.lessons.dangers import dangers, nil_chance, weighed
from spades_env.play.lessons.drills import CLOSE, LIKELY, NO_NIL, SAME, bids, deal_drill
from spades_env.play.table.table import TableError

ADVISER = "rule"


def hand_of(drill):
    return [CARD_NAMES[card] for card in drill.view.hand]


@pytest.mark.parametrize("kind", ["bid", "nil"])
def test_a_seed_deals_the_same_hand_again(kind):
    one, same, other = deal_drill(kind, 5), deal_drill(kind, 5), deal_drill(kind, 6)
    assert hand_of(one) == hand_of(same) != hand_of(other)
    assert one.scene() == same.scene()
    assert not one.counted
    assert one.number != same.number, "its number says nothing about the cards"
    assert hand_of(deal_drill(kind)) != hand_of(deal_drill(kind))
    assert deal_drill(kind).counted


@pytest.mark.parametrize("kind", ["bid", "nil"])
def test_only_the_own_hand_and_earlier_bids_are_shown(kind):
    for seed in range(8):
        drill = deal_drill(kind, seed)
        shown = drill.scene()
        assert (shown["phase"], shown["your_turn"]) == ("bid", True)
        assert sorted(card for lane in shown["lanes"] for card in lane["cards"]) == sorted(hand_of(drill))
        hidden = {CARD_NAMES[card] for seat in (1, 2, 3) for card in drill.table.game.hands[seat]}
        assert not hidden & set(json.dumps(shown | {"trumps": None}).replace('"', " ").split())


@slow
def test_a_bid_is_compared_and_counted():
    for seed in range(6):
        drill = deal_drill("bid", seed)
        champion = drill.answer("bid:3", ADVISER).about["champion"]["bid"]
        for bid in (0, champion, 9):
            found = drill.answer(f"bid:{bid}", ADVISER)
            assert found.off == bid - champion
            assert found.words.key == "drill.bid." + (
                "same" if bid == champion else "more" if bid > champion else "less"
            )
            lines = found.about["lines"]
            assert [line["suit"] for line in lines] == list("SHDC")
            assert sum(line["total"] for line in lines) == pytest.approx(found.about["total"])


@slow
def test_a_nil_costs_what_the_search_says():
    for seed in range(4):
        drill = deal_drill("nil", seed)
        yes, no = drill.answer("bid:0", ADVISER), drill.answer(NO_NIL, ADVISER)
        nil, bid = (one["chance"] for one in yes.about["chances"])
        assert {yes.off, no.off} == {0.0, round(abs(nil - bid), 4)}
        assert (yes.off == 0) == (nil >= bid)
        close = abs(nil - bid) < SAME
        assert {yes.words.key, no.words.key} == (
            {"drill.nil.close"} if close else {"drill.nil.right", "drill.nil.wrong"}
        )
        assert yes.about == no.about | {"nil": True}
        assert yes.about["dangers"]


def test_answers_to_another_question_are_refused():
    bid, nil = deal_drill("bid", 1), deal_drill("nil", 1)
    for drill, action in ((bid, NO_NIL), (bid, "AS"), (bid, "bid:14"), (nil, "bid:3"), (nil, "")):
        with pytest.raises(TableError, match="doesn't answer this drill"):
            drill.check(action)
    assert len(bids()) == 14


# Which cards endanger a nil


def named(words):
    return [str(one.words) for one in dangers(Rules(), cards(words))]


def test_the_dangers_are_the_cards_that_players_would_name():
    found = named("AS 3S 2S KH 4H 9D 5D 2D QC 8C 6C 4C 2C")
    assert found[0] == f"{card_words(51)}: takes a trick for certain"
    assert "king of hearts: only one lower card of its suit beside it" in found
    assert named("4S 2S 6H 4H 3H 2H 5D 4D 2D 5C 4C 3C 2C") == []


def test_a_card_above_all_others_is_certain_and_a_guarded_one_is_not():
    [first, *_] = weighed(Rules(), cards("KS QS AS 4H 3H 2H 5D 4D 2D 5C 4C 3C 2C"))
    assert first.safe == 0
    hand = cards("KS 2S AH 4H 3H 2H 5D 4D 2D 5C 4C 3C 2C")
    king = next(one for one in weighed(Rules(), hand) if one.card == cards("KS")[0])
    assert (king.out, king.beside) == (1, 0)


def test_the_queen_beside_the_ace_may_fall_under_the_king():
    found = named("AS QS 2S 4H 3H 2H 5D 4D 2D 5C 4C 3C 2C")
    assert found[:2] == ["ace of spades: takes a trick for certain", "queen of spades: only one higher spade is out"]


@pytest.mark.parametrize("rules", ["classic", "solo", "classic trumps=nyc"])
def test_the_chance_of_a_nil_is_that_of_bis(rules):
    compiled = compile_rules(Rules.parse(rules))[0]
    for seed in range(20):
        game = Game(rules, seed=seed)
        for seat in range(4):
            lanes = game.state[0].hands[seat]
            assert nil_chance(game.rules, game.hands[seat]) == pytest.approx(chance_of_bis(compiled, lanes))


@slow
def test_the_nils_dealt_are_close():
    """Closer than hands that merely look like a nil."""
    gaps = []
    for seed in range(6):
        drill = deal_drill("nil", seed)
        assert LIKELY[0] <= nil_chance(drill.table.rules, drill.view.hand) <= LIKELY[1]
        nil, bid = (one["chance"] for one in drill.answer("bid:0", ADVISER).about["chances"])
        gaps.append(abs(nil - bid))
    assert sum(gap <= CLOSE for gap in gaps) >= 5
