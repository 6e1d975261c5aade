"""The tutorial: every step can be solved, every other answer is answered, and what is said about the cards is true."""

import json
import re

import pytest

from spades_env import Game
from spades_env.game.cards import CARD_NAMES, action_name, parse_action
from spades_env.play.lessons.scene import LEARNER
from spades_env.play.lessons.tutorial import attempt, title
from spades_env.play.lessons.tutorial_steps import ANY, play, steps
from spades_env.play.table.table import Table, TableError
from spades_env.play.texts import catalogue, languages

STEPS = steps()
BY_NAME = {step.name: step for step in STEPS}
ORDER = ["follow", "high", "trump", "broken", "bid", "make", "bags", "nil", "cover", "win"]
EACH = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
CARD = re.compile(rf'"({"|".join(CARD_NAMES)})"')


def right_ways(step):
    """Return every way to solve a step: all right answers to each question, and the first ones before it."""
    first = [next(iter(asked.right)) for asked in step.asked]
    for number, asked in enumerate(step.asked):
        for action in asked.right:
            yield [*first[:number], action, *first[number + 1 :]]


def solved(name):
    """Return the reply after solving a step with the first right answers."""
    return attempt(BY_NAME[name], [next(iter(asked.right)) for asked in BY_NAME[name].asked])


def legal_at(step, moves):
    table = step.table()
    for asked, move in zip(step.asked, moves, strict=False):
        for one in (move, *asked.then.split()):
            play(table, one)
    return table, [action_name(action) for action in table.game.legal_actions()]


def test_there_are_ten_steps_in_their_order():
    assert [step.name for step in STEPS] == ORDER


@EACH
def test_the_moves_of_a_step_are_legal(step):
    """The positions and what follows are played by the engine, which refuses an illegal move."""
    for way in right_ways(step):
        table = Table(step.rules, people={}, seed=0, start=_start(step), counted=False, load=False)
        game: Game = table.game
        moves = step.before.split()
        for asked, move in zip(step.asked, way, strict=True):
            moves += [move, *asked.then.split()]
        for number, move in enumerate(moves):
            legal = game.legal_actions()
            assert move != ANY or len(legal) == 1
            action = legal[0] if move == ANY else parse_action(move)
            assert action in legal, f"move {number}: {move}"
            game.apply(action)


def _start(step):
    return {"deal": step.deal, "dealer": step.dealer, "scores": step.scores, "bags": step.bags}


@EACH
def test_a_step_can_be_solved_in_every_right_way(step):
    for way in right_ways(step):
        for done in range(1, len(way) + 1):
            taught = attempt(step, way[:done])
            assert taught.good is True
            assert taught.reply
            assert taught.over == (done == len(way))
            assert list(taught.moves) == way[:done]
            assert len(taught.frames) == 1 + len(step.asked[done - 1].then.split())
            assert taught.over or taught.frames[-1]["your_turn"]


@EACH
def test_every_other_answer_is_answered_and_changes_nothing(step):
    first = [next(iter(asked.right)) for asked in step.asked]
    for number, asked in enumerate(step.asked):
        before = attempt(step, first[:number])
        table, legal = legal_at(step, first[:number])
        held = [CARD_NAMES[card] for card in table.game.view(LEARNER).hand]
        others = [action for action in {*legal, *held} if action not in asked.right]
        assert others, "there is something to get wrong"
        for action in others:
            taught = attempt(step, [*first[:number], action])
            assert taught.good is False
            assert taught.reply
            assert list(taught.moves) == first[:number]
            assert taught.frames[-1]["lanes"] == before.frames[-1]["lanes"]
            assert taught.words == before.words
            if action not in legal:
                assert taught.reply == table.why_refused(table.game.view(LEARNER), parse_action(action))


@EACH
def test_each_sentence_of_a_step_is_in_every_language_and_used(step):
    words = {"end", *(str(number + 1) for number in range(len(step.asked)))}
    for asked in step.asked:
        words |= {*asked.right.values(), *asked.wrong.values()}
    wanted = {f"learn.{step.name}", *(f"learn.{step.name}.{word}" for word in words)}
    for language in languages():
        assert {key for key in catalogue(language) if key.startswith(f"learn.{step.name}")} == wanted
    assert title(step) == catalogue()[f"learn.{step.name}"]


@EACH
def test_a_step_names_no_hidden_card(step):
    """Nothing sent names a card that the person does not hold and that was not played."""
    for way in right_ways(step):
        table = step.table()
        seen = {CARD_NAMES[card] for card in table.game.view(LEARNER).hand}
        seen |= {CARD_NAMES[move.action] for move in table.moves if move.phase == "play"}
        for done in range(len(way) + 1):
            taught = attempt(step, way[:done])
            for asked, move in zip(step.asked[done - 1 : done], way[done - 1 : done], strict=True):
                for one in (move, *asked.then.split()):
                    play(table, one)
            played = {CARD_NAMES[move.action] for move in table.moves if move.phase == "play"}
            frames = [{name: part for name, part in frame.items() if name != "trumps"} for frame in taught.frames]
            assert {found[1] for found in CARD.finditer(json.dumps(frames))} <= seen | played


def test_moves_that_make_no_sense_are_refused():
    step = BY_NAME["broken"]
    with pytest.raises(TableError, match="isn't a card or a bid"):
        attempt(step, ["XX"])
    with pytest.raises(TableError, match="only the last move may be wrong"):
        attempt(step, ["9H", "7S"])
    with pytest.raises(TableError, match="at most 3"):
        attempt(step, ["4C", "7S", "AS", "KS"])


# What is said about the positions


def winner(taught):
    return taught.frames[-1]["last"]["winning"]


def test_the_tricks_are_won_by_whom_the_words_name():
    assert winner(attempt(BY_NAME["follow"], ["KH"])) == 0
    assert winner(attempt(BY_NAME["follow"], ["3H"])) == 1
    for name in ("high", "trump"):
        assert winner(solved(name)) == 0
    broken = BY_NAME["broken"]
    assert attempt(broken, ["4C"]).frames[-1]["trick"]["cards"][0] == {"seat": 3, "card": "KC"}
    assert winner(attempt(broken, ["4C", "7S"])) == 0
    assert "AS" in attempt(broken, ["4C", "7S"]).frames[-1]["legal"]
    assert "AS" not in attempt(broken, []).frames[-1]["legal"]
    assert winner(attempt(BY_NAME["bags"], ["3H"])) == 3
    assert winner(attempt(BY_NAME["cover"], ["AC"])) != 2


def test_the_scores_are_those_that_the_words_name():
    [own, _] = solved("make").frames[-1]["sheet"][-1]["sides"]
    assert (own["points"], own["words"]) == (71, "bid 7, took 8: 70 + 1 bag")
    [own, _] = solved("bags").frames[-1]["sheet"][-1]["sides"]
    assert (own["points"], own["bags"]) == (50, 8)
    [own, _] = solved("cover").frames[-1]["sheet"][-1]["sides"]
    assert own["points"] == 150
    for way in right_ways(BY_NAME["win"]):
        end = attempt(BY_NAME["win"], way).frames[-1]
        assert end["outcome"]["outcome"] == "win"
        assert [side["score"] for side in end["sides"]] == [506, 500]


def test_the_bids_of_the_questions_are_those_on_the_table():
    for name, bids in (("make", (4, 3)), ("cover", (5, 0)), ("win", (3, 2)), ("bags", (2, 3))):
        seats = attempt(BY_NAME[name], []).frames[-1]["seats"]
        assert (seats[0]["bid"], seats[2]["bid"]) == bids
    assert attempt(BY_NAME["win"], []).frames[-1]["sides"][0]["score"] == 455
    assert attempt(BY_NAME["bags"], []).frames[-1]["sides"][0]["bags"] == 8
    assert attempt(BY_NAME["nil"], ["bid:0"]).frames[-1]["trick"]["cards"][0] == {"seat": 1, "card": "AH"}
