"""Where an agent loses: every decision beside a search's, by kinds."""

import json

import numpy as np
import pytest

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents.arena import gaps
from spades_env.agents.base import Batch
from spades_env.agents.search.monte_carlo import MonteCarlo
from spades_env.game.cards import BID_ZERO, LOOK
from spades_env.play.commands.cli import main

JUDGE = "mc:4x1+rule+likely"
searches = pytest.mark.skipif(not JIT_ON, reason="searches need the compiler")


def found(agent, games=2, jobs=1, **more):
    rules = "match"
    return gaps.judge_match(agent, "rule", rules, games=games, judge=JUDGE, jobs=jobs, **more).report()


def kind_of(game, action, best=None):
    batch = Batch.of([game.view(game.turn)])
    return gaps.kinds_of(batch, np.array([action]), np.array([action if best is None else best]))[0]


def test_kinds_of_bids():
    game = Game("classic blind_nil_deficit=0", seed=1)
    assert (game.phase, kind_of(game, LOOK)) == ("blind", "blind")
    game.apply(LOOK)
    assert kind_of(game, BID_ZERO + 3) == "bid"
    assert kind_of(game, BID_ZERO) == kind_of(game, BID_ZERO + 3, best=BID_ZERO) == "nil"
    game = Game("match nil=false", seed=1)
    assert kind_of(game, BID_ZERO) == "bid"


def test_kinds_of_cards():
    cases = {  # bids from East on, round the table, and the kinds of the first four cards
        (0, 3, 3, 3): ["own nil", "their nil", "partner's nil", "their nil"],
        (3, 3, 3, 3): ["contract"] * 4,
        (3, 0, 3, 0): ["their nil", "own nil", "their nil", "own nil"],
    }
    for bids, kinds in cases.items():
        game = Game("match", seed=7)
        while game.phase != "bid":
            game.apply(game.legal_actions()[0])
        for bid in bids:
            game.apply(BID_ZERO + bid)
        found = []
        for _ in range(4):
            found.append(kind_of(game, game.legal_actions()[0]))
            game.apply(game.legal_actions()[-1])
        assert found == kinds, bids


def test_who_has_the_tricks_may_only_take_bags():
    game = Game("match", seed=7)
    for _ in range(4):
        game.apply(BID_ZERO + 1)
    needed = []
    while sum(game.tricks) < 12:
        side = game.turn % 2
        took = game.tricks[side] + game.tricks[side + 2]
        kind = kind_of(game, game.legal_actions()[0])
        needed.append(kind)
        assert kind == ("contract" if took < 2 else "bags")
        game.apply(game.legal_actions()[0])
    assert set(needed) == {"contract", "bags"}


@pytest.mark.parametrize(("failed", "kind"), [("overtricks", "contract"), ("partner", "bags")])
def test_tricks_of_a_failed_nil_count_as_the_rules_say(failed, kind):
    """West's bid is two; East has failed with a nil by two tricks that are, or are not, those."""
    game = Game(f"match failed_nil_tricks={failed}", seed=7)
    while game.phase == "bid":
        game.apply(BID_ZERO + (0 if game.turn == 3 else 2))
    game._s.tricks[3] = 2
    while game.turn != 1:
        game.apply(game.legal_actions()[0])
    assert kind_of(game, game.legal_actions()[0]) == kind


@pytest.mark.parametrize(
    ("changes", "close"),
    [
        ({"scores": [340, 0]}, False),
        ({"scores": [0, 350]}, True),
        ({"scores": [-160, 100]}, False),
        ({"hand_number": 17}, False),
        ({"hand_number": 18}, True),
    ],
)
def test_when_the_score_decides(changes, close):
    game = Game("classic max_hands=20", seed=1, **changes)
    assert gaps.close_to_an_end(Batch.of([game.view(game.turn)])).tolist() == [close]


def test_far_behind_is_close_where_there_is_a_floor():
    game = Game("classic floor=-300", seed=1, scores=[-150, 0])
    assert gaps.close_to_an_end(Batch.of([game.view(game.turn)])).tolist() == [True]


@searches
def test_kinds_and_scores_add_up_to_all():
    report = found("rule/random")
    for parts in (report.gaps, report.by_score):
        assert sum(gap.decisions for gap in parts.values()) == report.total.decisions
        assert sum(gap.otherwise for gap in parts.values()) == report.total.otherwise
        assert sum(gap.lost for gap in parts.values()) == pytest.approx(report.total.lost)
    assert list(report.gaps) == list(gaps.KINDS)
    assert 0 < report.total.otherwise < report.total.decisions


@searches
def test_the_same_with_any_number_of_threads():
    assert found("bis", jobs=1).as_dict() == found("bis", jobs=3).as_dict()
    assert found("bis").as_dict() != found("bis", seed=1).as_dict()


@searches
def test_careless_cards_cost_more_than_careful_ones():
    games, rules = 40, "classic target=off max_hands=2"
    careless, careful = (
        gaps.judge_match(name, "rule", rules, games=games, judge="mc:10x1+rule+likely").report().total
        for name in ("rule/random", "rule")
    )
    doubt = careless.doubt_a_hand + careful.doubt_a_hand
    assert careless.lost_a_hand > careful.lost_a_hand + doubt


@searches
def test_its_own_choices_lose_nothing():
    """A judge that judges itself finds nothing that it would have done otherwise."""
    report = gaps.judge_match(Copycat(), "rule", games=2, judge=JUDGE, jobs=1).report()
    assert (report.total.otherwise, report.total.lost, report.unjudged) == (0, 0, 0)
    assert report.total.decisions > 100


class Copycat(agents.Agent):
    """Does what the judge finds best, ties and all."""

    def __init__(self):
        super().__init__("copycat")
        judge = agents.load(JUDGE, gaps.FIRST)
        assert isinstance(judge, MonteCarlo)
        self.judge = judge

    def _choose(self, batch):
        return self.judge.weigh_batch(batch).argmax(axis=1)


@pytest.mark.parametrize(
    ("agent", "judge", "words"),
    [
        ("rule", "rule", "the judge must be a search by trials of a fixed number"),
        ("rule", "mc:10ms", "the judge must be a search by trials of a fixed number"),
        ("oracle", JUDGE, "oracle sees all cards"),
    ],
)
def test_what_cannot_be_judged(agent, judge, words):
    with pytest.raises(agents.AgentError, match=words):
        gaps.judge_match(agent, "rule", games=2, judge=judge).report()


@searches
def test_the_command(capsys):
    line = ["gaps", "bis", "rule", "--games", "2", "--judge", JUDGE, "--rules", "match", "--jobs", "1"]
    assert main([*line, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    report = gaps.judge_match("bis", "rule", "match", games=2, judge=JUDGE, jobs=1).report()
    assert printed == json.loads(json.dumps(report.as_dict()))
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert "contract: cards, while tricks are still needed" in shown
    assert f"{printed['hands']:,} hands" in shown
    assert "blind:" not in shown
    assert main(["gaps", "rule", "bis", "--judge", "rule"]) == 2


class Stranger(agents.Agent):
    """Answers with what is no action, now and then."""

    def _choose(self, batch):
        actions = agents.load("rule").act_batch(batch)
        actions[::3] = 1000
        return actions


@searches
def test_illegal_answers_are_not_judged():
    report = gaps.judge_match(Stranger("stranger"), "rule", games=2, judge=JUDGE, jobs=1).report()
    assert report.unjudged > 0
    assert report.total.decisions > 0
