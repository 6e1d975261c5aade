"""Do the coach's hints have reasons, and is each true? python benchmarks/agents/coach_reasons.py

    --hints N         how many hints are asked for (20,000)
    --adviser NAME    whose hints they are (zofia)
    --show KIND       print hints, too: all, none (those without a reason), false ones, bid, pass, card or fault, or
                      those with one reason, such as duck
    --every K         … one in K of them (1)

Weak characters play hands under many rules, at scores drawn at random. One seat a hand is given a hint for each of its
choices, and what it does then is graded. Every reason is checked by other code than the coach's, from what the seat
knows (tests/support/play/claims/).
"""

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from support.play.claims.proof import NAMES, is_true

from benchmarks.agents.coach import PLAYERS, decisions
from spades_env import agents
from spades_env.agents.measures import CHANCE, measure
from spades_env.game.cards import Action, action_name
from spades_env.game.view import View
from spades_env.play.coach.grade import FAULTS, Judge
from spades_env.play.coach.why import explain
from spades_env.play.table.rating import bot_name
from spades_env.play.texts import Text

RULES = (
    "classic", "pagat", "showdown", "solo", "match", "house first_hand=bid", "mirror", "whiz", "suicide", "match",
    "classic blind_nil_deficit=0 blind_nil_pass=1", "match trumps=nyc target=300", "match trumps=barmore nil_pass=2",
    "match trumps=deuces bag_limit=off", "match spades_lead=any failed_nil_tricks=partner",
    "match nil=false trumps=jokers",
    "match least_bid=4 ten_points=200", "match first_trick=lowest_club overtrick_points=-1", "match trumps=big_two",
    "match total_not=13 bag_limit=5 bag_penalty=50", "pagat first_hand=bids_itself slam_points=200",
)  # fmt: skip
HINTS = 20_000
NO_MATTER, FIGURES = ("same", "close"), ("search", "slightly", "choice")  # keys of words that state no fact


@dataclass(frozen=True)
class Explanation:
    """A hint or a grade in words. what: "bid", "pass", "card" or "fault"."""

    what: str
    view: View
    advised: Action
    done: Action
    words: Text
    true: bool

    @property
    def key(self) -> str:
        return self.words.key.removeprefix("why.").removesuffix(".one")

    def __str__(self) -> str:
        did = f", not {action_name(self.done)}" if self.what == "fault" else ""
        return f"{self.view.to_text()}\n  {self.what}: {action_name(self.advised)}{did}. {self.words} [{self.key}]\n"


def explanations(adviser: str) -> Iterator[Explanation]:
    """Yield every hint, and after it the grade of what was done where that is a fault."""
    agent, judge, by = agents.load(adviser, seed=1), Judge(adviser, seed=1), bot_name(adviser)
    for view, action in decisions(RULES, PLAYERS[1:]):  # none at random
        weighed = agent.hint(view)
        words = explain(view, weighed, measure(agent, view, weighed), NAMES, by)
        if words is None or view.phase == "blind":
            continue
        what = "card" if view.phase == "play" else view.phase
        yield Explanation(what, view, weighed[0][0], action, words, is_true(view, words, weighed[0][0]))
        found = judge.verdict(view, action)
        if found and found.grade in FAULTS:
            words = explain(view, found.weighed, CHANCE, NAMES, by, action)
            assert words is not None
            yield Explanation("fault", view, found.better, action, words, is_true(view, words, found.better, action))


def table(found: list[Explanation]) -> str:
    """Return a row for each kind: how many have a fact for a reason, how many say that nothing hangs on it."""
    rows = ["| asked | number | a fact | hardly matters | figures only | false |", "|---|---:|---:|---:|---:|---:|"]
    for what, name in (("card", "cards with a choice"), ("bid", "bids"), ("pass", "passes"), ("fault", "faults")):
        some = [one for one in found if one.what == what]
        kinds = Counter("no" if one.key in FIGURES else "even" if one.key in NO_MATTER else "fact" for one in some)
        shares = (f"{kinds[kind] / max(1, len(some)):.1%}" for kind in ("fact", "even", "no"))
        rows.append(f"| {name} | {len(some)} | {' | '.join(shares)} | {sum(not one.true for one in some)} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hints", type=int, default=HINTS, metavar="N")
    parser.add_argument("--adviser", default="zofia", metavar="NAME")
    parser.add_argument("--show", metavar="KIND")
    parser.add_argument("--every", type=int, default=1, metavar="K")
    args = parser.parse_args()
    hints, found = 0, []
    for one in explanations(args.adviser):
        hints += one.what != "fault"
        if hints > args.hints:
            break
        found.append(one)
    for one in itertools.islice((one for one in found if shown(one, args.show)), 0, None, args.every):
        print(one)
    print(table(found))
    for key, count in Counter(one.key for one in found).most_common():
        print(f"{count:6} {key}")


def shown(one: Explanation, kind: str | None) -> bool:
    """Return whether to print this one."""
    return kind in ("all", one.key, one.what) or {"false": not one.true, "none": one.key in FIGURES}.get(
        kind or "", False
    )


if __name__ == "__main__":
    main()
