"""Advice as it is shown: for every action a bar from 0 to 1, and a few letters beside it.

Networks and trees tell how likely they would choose an action: the numbers add up to 1, and are the bars. Searches
tell what each action is worth, as a chance of winning the game. Those lie close together: the best one's bar is full,
and the others lose what they cost.

    24%     would be chosen so often          58%, −0.6     wins so often; so much less often
"""

from agents.base import Hint
from spades_env.cards import action_name

NEAR = 0.02  # numbers that add up to 1 but for so much are shares
DEAREST = 0.05  # what costs that much of the chance to win has no bar left but a trace
LEAST = 0.0005  # less is no difference
TRACE = 0.06


def advice(weighed: Hint) -> list[dict]:
    """The actions that somebody weighs, best first, as plain data for JSON: action, weight, bar, words."""
    weights = [weight for _, weight in weighed]
    shares = any(abs(sum(some) - 1) <= NEAR for some in (weights, set(weights)))  # cards that are alike count once
    best = max(weights, default=0.0)
    return [
        {"action": action_name(action), "weight": round(weight, 4)}
        | (_share(weight) if shares else _worth(weight, best))
        for action, weight in weighed
    ]


def _share(weight: float) -> dict:
    return {"bar": round(weight, 4), "words": f"{weight:.0%}"}


def _worth(weight: float, best: float) -> dict:
    lost = best - weight
    words = f"{best:.0%}" if lost < LEAST else f"−{100 * lost:.1f}"
    return {"bar": round(max(TRACE, 1 - lost / DEAREST), 4), "words": words}
