"""A hint with its reason: what the adviser weighs (`play.table.advice`), and why its first choice, in words."""

from spades_env.agents.measures import measure
from spades_env.play.coach.why import explain
from spades_env.play.table.advice import advise
from spades_env.play.table.seats import Names, Question
from spades_env.play.table.standing import bot_name


def coached(question: Question, names: Names) -> dict:
    """Ask the adviser and return the advice with a `reason`. names: everybody's by seat, as the person reads them."""
    weighed = question.hint()
    kind = measure(question.agent, question.view, weighed)
    reason = explain(question.view, weighed, kind, names, bot_name(question.agent.name))
    return advise(question, weighed) | {"reason": reason}
