"""The ten steps of the tutorial: prepared positions, what is asked there, and which answers are right.

`tutorial.toml` has them. Each step has:

    name      also the key of its sentences in play/texts: learn.NAME is the title, learn.NAME.1 the first question,
              learn.NAME.end the last words, and the words of `right` and `wrong` name the replies
    deal      the cards of all four, from South, as records write them
    before    the moves up to the first question
    shows     what the table shows beside the cards: bids, scores
    asked     the questions: right and wrong answers, each with the word of its reply; "*" stands for every other one

After a right answer come the moves in `then`, where "*" stands for the only legal one. An illegal answer needs no reply
here: the table says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from spades_env.game.cards import parse_action
from spades_env.plain import from_toml
from spades_env.play.table.choices import default_bots
from spades_env.play.table.hands import BOT, PERSON
from spades_env.play.table.table import Table

FILE = Path(__file__).with_name("tutorial.toml")
ANY = "*"
PERSON_NAME = "You"


@dataclass(frozen=True)
class StepTask:
    """One question. right, wrong: the word of the reply to each action."""

    right: Mapping[str, str]
    wrong: Mapping[str, str] = field(default_factory=dict)
    then: str = ""

    def reply(self, action: str) -> str:
        """Return the word of the reply to a legal action."""
        return self.right.get(action) or self.wrong.get(action) or self.wrong[ANY]


@dataclass(frozen=True)
class TutorialStep:
    """A step of the tutorial; see above."""

    name: str
    deal: str
    before: str
    asked: tuple[StepTask, ...]
    dealer: int
    rules: str = "classic"
    scores: tuple[int, ...] = (0, 0)
    bags: tuple[int, ...] = (0, 0)
    shows: tuple[str, ...] = ()

    def table(self) -> Table:
        """Return a table at the first question."""
        start = {"deal": self.deal, "dealer": self.dealer, "scores": self.scores, "bags": self.bags}
        people = {0: PERSON_NAME}
        table = Table(self.rules, default_bots(), people, seed=0, start=start, counted=False, load=False)
        for move in self.before.split():
            play(table, move)
        return table


def play(table: Table, move: str) -> None:
    """Make a move of a step, which is legal."""
    [only, *_] = table.game.legal_actions()
    table.apply(only if move == ANY else parse_action(move), PERSON if table.game.turn == 0 else BOT)


@cache
def steps() -> tuple[TutorialStep, ...]:
    return tuple(_step(**entry) for entry in from_toml(FILE.read_bytes())["step"])


def _step(asked: list[dict[str, Any]], **fields: Any) -> TutorialStep:
    values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in fields.items()}
    return TutorialStep(asked=tuple(StepTask(**one) for one in asked), **values)
