"""Weak spots: hands are rebuilt move by move, the worst stand first, and what is printed can be replayed."""

import json
import re

import numpy as np
import pytest

from spades_env import Game, Rules, agents
from spades_env._jit import JIT_ON
from spades_env.agents import arena
from spades_env.agents.arena import gaps, weak_spots
from spades_env.game.cards import parse_action
from spades_env.play.commands.cli import main

JUDGE = "mc:4x1+rule+likely"
RULES = "match"
searches = pytest.mark.skipif(not JIT_ON, reason="searches need the compiler")


class Stranger(agents.Agent):
    """Answers with what is not legal, now and then."""

    def _choose(self, batch):
        actions = agents.load("random", 3).act_batch(batch)
        actions[batch.tables.num_plays % 5 == 4] = 1000
        return actions


@pytest.mark.parametrize("agent", ["rb", Stranger("stranger")], ids=["rb", "stranger"])
def test_every_decision_is_found_again_by_its_place(agent):
    rules, log = Rules.parse("classic blind_nil_deficit=0 target=off max_hands=2"), gaps.DecisionLog()
    arena.play(agent, "random", rules, games=4, seed=9, jobs=1, watch=log.watch)
    batch, actions, places = log.decisions()
    for row in range(0, len(batch), 7):
        number, move = places[row].tolist()
        game = weak_spots.replayed(rules, 9, number, log.moves[number][:move])
        assert game.view(game.turn).packed() == batch.tables[row].tobytes()
        assert log.moves[number][move] == actions[row]
    ends = [weak_spots.replayed(rules, 9, number, moves) for number, moves in log.moves.items()]
    assert [game.over for game in ends] == [True] * 4


@pytest.fixture(scope="module")
def found() -> weak_spots.WeakSpots:
    return weak_spots.find("rule/random", "rule", RULES, games=4, judge=JUDGE, jobs=2)


@searches
def test_the_report_is_that_of_gaps(found):
    same = gaps.judge_match("rule/random", "rule", RULES, games=4, seed=weak_spots.SEED, judge=JUDGE, jobs=1).report()
    assert found.report == same


@searches
def test_the_worst_hands_stand_first(found):
    lost = [hand.lost for hand in found.hands]
    assert lost == sorted(lost, reverse=True)
    assert len(lost) == min(weak_spots.WORST, found.report.hands)
    assert len({(hand.game, hand.hand) for hand in found.hands}) == len(lost)
    for hand in found.hands:
        assert hand.text.startswith(f"hand {hand.hand + 1}, dealer ")
        assert hand.text.count("\n") > 15
        costs = [one.lost for one in hand.mistakes]
        assert costs == sorted(costs, reverse=True)
        assert min(costs) >= weak_spots.LEAST
        if len(costs) < weak_spots.MOST_MISTAKES:
            assert sum(costs) >= hand.lost - 60 * weak_spots.LEAST


@searches
def test_a_mistake_can_be_replayed(found):
    for one in [mistake for hand in found.hands for mistake in hand.mistakes]:
        game = eval(one.position, {"Game": Game})
        legal = game.legal_actions()
        assert parse_action(one.did) in legal
        assert parse_action(one.better) in legal
        assert one.did != one.better
        assert one.kind in gaps.KINDS
        assert one.trick == (len(game.tricks_played) + 1 if game.phase == "play" else None)


@searches
def test_its_own_seats_make_the_mistakes(found):
    """In the game 2 d the agent has South and North, in 2 d + 1 West and East."""
    for hand in found.hands:
        assert hand.seats == [("South", "North"), ("West", "East")][hand.game % 2]
        assert {one.seat for one in hand.mistakes} <= set(hand.seats)


@searches
@pytest.mark.parametrize("suffix", ["md", "html"])
def test_the_files(suffix, tmp_path, capsys):
    path = tmp_path / f"weak.{suffix}"
    line = ["gaps", "rule/random", "rule", "--games", "2", "--judge", JUDGE, "--rules", "match"]
    assert main([*line, "--weak-spots", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    text = path.read_text(encoding="utf-8")
    assert len(told["worst_hands"]) == min(10, told["hands"])
    assert "Weak spots of " in text
    assert text.count("hand 1, dealer ") >= 1
    assert "contract: cards, while tricks are still needed" in text
    assert len(re.findall(r"Game\.from_deal\(", text)) == len([one for one in told["worst_hands"] if one["mistakes"]])
    if suffix == "html":
        assert "src=" not in text
        assert "href=" not in text
        assert text.count("<pre") == text.count("</pre>") > 2


@searches
def test_with_the_benchmark(capsys, tmp_path):
    line = ["benchmark", "rule/random", "--games", "2", "--jobs", "2", "--weak-spots"]
    assert main(line) == 0
    out = capsys.readouterr().out
    assert out.index("\nscore ") < out.index("# Weak spots of `rule/random`") < out.index("## The worst hands")
    assert "against rule: match, seed 1" in out
    assert main([*line, str(tmp_path / "weak.md"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["weak_spots"]["games"] == 2
    assert (tmp_path / "weak.md").exists()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("weak.txt", "weak spots are written to a file that ends with .md or .html, not to weak.txt"),
        ("no_such_folder/weak.md", "there is no folder no_such_folder to write the weak spots to"),
    ],
)
@pytest.mark.parametrize("command", [["benchmark", "rb"], ["gaps", "rb", "rule"]])
def test_a_file_that_cannot_be_written_is_refused_before_a_game(command, path, words, capsys):
    assert main([*command, "--weak-spots", path]) == 2
    assert words in capsys.readouterr().err


def test_a_hand_without_a_loss_is_no_weak_spot():
    judged = gaps.Judged(
        result=arena.play("rb", "rb", "classic target=off max_hands=1", games=2, jobs=1),
        judge=JUDGE,
        moves={},
        batch=agents.Batch.of([Game(seed=1).view(Game(seed=1).turn)]),
        actions=np.array([60]),
        places=np.array([[0, 0]]),
        best=np.array([60]),
        judged=np.array([True]),
        otherwise=np.array([False]),
        lost=np.array([0.0]),
        kinds=np.array(["bid"]),
        unjudged=0,
    )
    assert weak_spots._worst_hands(judged) == ()
