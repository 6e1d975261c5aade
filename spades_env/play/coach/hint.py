"""A hint with its reason: what the adviser weighs (`play.table.advice`), and why its first choice, in words."""

from spades_env.play.coach.why import explain
from spades_env.play.table.advice import advise
from spades_env.play.table.seats import Names, Question


def coached(question: Question, names: Names) -> dict:
    """Ask the adviser and return the advice with a `reason`. names: everybody's by seat, as the person reads them."""
    weighed = question.hint()
    advice = advise(question, weighed)
    return advice | {"reason": explain(question.view, weighed, advice["measure"], names, advice["by"])}
