"""Advice as it is shown: the best action, a bar and a figure for each, all in one measure, and a sentence about them.

    measure     figures          heading
    "chance"    36.2%  33.8%     Chance to win the game
    "choice"    62%    21%       How likely Zofia is to choose each

Chances to win are close together, so the best action's bar is full and each other bar is shorter by the loss, as a part
of the greatest loss, within limits.
"""

from spades_env.agents.base import Hint
from spades_env.agents.measures import CHANCE, measure
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_CARDS, Action, action_name
from spades_env.game.view import View
from spades_env.play.table.rating import bot_name
from spades_env.play.table.seats import Question, card_text
from spades_env.play.texts import Text, decimal, percent, text

EMPTY_BAR = 0.01, 0.05  # the least and the most loss of the chance to win for which a bar is the shortest
SAME = 0.0005  # chances that differ by less count as equal
SHORTEST = 0.06
CERTAIN = 0.995  # an action chosen more often than this has no rival worth mentioning


def advise(question: Question, weighed: Hint) -> dict:
    """Return an adviser's answer to a question as plain data; `advice` explains `hint` in it."""
    view = question.view
    kind, by = measure(question.agent, view, weighed), bot_name(question.agent.name)
    words = summary(weighed, kind, by, bool(view.rules.nil), view.phase == "blind")
    best = command(view, weighed[0][0]) if weighed else ""
    about = {"by": by, "measure": kind, "best": best, "heading": heading(kind, by), "words": words}
    return about | {"hint": advice(weighed, kind)}


def advice(weighed: Hint, kind: str) -> list[dict]:
    """Return the weighed actions, best first, as plain data: action, weight, bar, words."""
    weights, found = [weight for _, weight in weighed], []
    best = max(weights, default=0.0)
    empty = min(max(best - min(weights, default=0.0), EMPTY_BAR[0]), EMPTY_BAR[1])
    for action, weight in weighed:
        bar = max(SHORTEST, 1 - (best - weight) / empty) if kind == CHANCE else weight
        shown = {"action": action_name(action), "weight": round(weight, 4), "bar": round(bar, 4)}
        found.append(shown | {"words": figure(weight, kind)})
    return found


def command(view: View, action: Action) -> Text:
    """Say what to do: "Lead the five of clubs.", "Bid 4."."""
    if action < NUM_CARDS:
        kind = "lead" if view.phase == "play" and not view.table else view.phase
        return text(f"do.{kind}", card=card_text(action))
    if action in (LOOK, BLIND_NIL):
        return text("do.look" if action == LOOK else "do.blind_nil")
    bid = action - BID_ZERO
    if view.phase == "blind":
        return text("do.blind_bid", bid=bid)
    return text("do.nil") if view.rules.nil and bid == 0 else text("do.bid", bid=bid)


def heading(kind: str, by: str) -> str:
    return text("hint.chance") if kind == CHANCE else text("hint.choice", by=by)


def figure(weight: float, kind: str) -> Text:
    """Write a weight as a percentage, with a decimal for chances, which are close together."""
    return percent(weight, decimals=kind == CHANCE)


def summary(weighed: Hint, kind: str, by: str, nil: bool, blind: bool = False) -> str:
    """Say which action is best, and by how much. nil: is a bid of 0 one? blind: are the cards not seen yet?"""
    if not weighed:
        return text("hint.none", by=by)
    if kind == CHANCE:
        return _chances_in_words(weighed, nil, blind)
    (action, weight), others = weighed[0], weighed[1:]
    if weight >= CERTAIN or not others:
        return text("hint.certain", by=by)  # the command has named it
    then, less = others[0]
    about = {"share": percent(weight), "then": _what(then, nil, blind), "less": percent(less)}
    return text("hint.likely", what=_what(action, nil, blind), **about)


def _chances_in_words(weighed: Hint, nil: bool, blind: bool) -> str:
    """Say which actions have the best chance, and by how much they lead."""
    best = weighed[0][1]
    equals = [action for action, weight in weighed if best - weight < SAME]
    rest = [(action, weight) for action, weight in weighed if best - weight >= SAME]
    named = _named(equals, nil, blind)
    if not rest:
        return text("hint.equal" if len(equals) > 1 else "hint.only", what=named, share=figure(best, CHANCE))
    then, less = rest[0]
    share, lead = figure(best, CHANCE), decimal(100 * (best - less))
    return text("hint.best", what=named, share=share, lead=lead, then=_what(then, nil, blind))


def _named(equals: list[Action], nil: bool, blind: bool) -> Text:
    """Name actions that are as good as each other, all of them or the first two."""
    names = [_what(action, nil, blind) for action in equals]
    if len(names) == 1:
        return names[0]
    if len(names) == 2:
        return text("or", a=names[0], b=names[1])
    if len(names) == 3:
        return text("hint.three", a=names[0], b=names[1], c=names[2])
    return text("hint.others", a=names[0], b=names[1], count=len(names) - 2)


def _what(action: Action, nil: bool, blind: bool) -> Text:
    """Name an action to choose: "the five of clubs", "bid 4"."""
    if action < NUM_CARDS:
        return text("hint.card", card=card_text(action))
    if action == LOOK:
        return text("hint.look")
    if action == BLIND_NIL:
        return text("hint.blind")
    if blind:
        return text("bid_blind", bid=action - BID_ZERO)
    return text("bid_nil") if nil and action == BID_ZERO else text("bid_number", bid=action - BID_ZERO)
