"""The prompts of a seat: the rules once, then what it sees and may do, and how to answer.

system_prompt(rules)    the rules in force, how the table is written, the form of an answer
question(view)          one decision
messages(view)          both, as an OpenAI-shaped endpoint takes them
"""

from functools import lru_cache

from spades_env.game.cards import card_words
from spades_env.game.refusals import open_calls
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.words.rules_text import rules_text

Message = dict[str, str]
MOST_WORDS = 400  # of a system prompt

TABLE = """Cards are written rank first: AS is the ace of spades, TD the ten of diamonds. You read your cards, all bids,
the tricks each seat took, and every trick played: the letter of its leader (S, W, N, E), then its cards clockwise."""
ANSWER = """End your answer with one line:
Action: X
where X is a word of the line "may", such as AS, bid:4, bid:0, blind or look. The last such line counts.
An illegal, unreadable or late answer is replaced by a random legal action and counted."""


@lru_cache
def system_prompt(rules: Rules) -> str:
    """Return the rules in force, how a table is written, and how to answer, in less than MOST_WORDS words."""
    return "\n\n".join(["You play Spades.\n" + rules_text(rules), TABLE.replace("\n", " "), ANSWER])


def question(view: View) -> str:
    """Return what a seat sees, and its legal actions in words."""
    return f"{view.to_text()}\n\n{_task(view)}"


def messages(view: View) -> list[Message]:
    """Return the prompt of a decision as chat messages."""
    return [
        {"role": "system", "content": system_prompt(view.rules)},
        {"role": "user", "content": question(view)},
    ]


def _task(view: View) -> str:
    if view.phase in ("blind", "bid"):
        return f"You may {open_calls(view)}."
    verb = "play" if view.phase == "play" else "give your partner"
    return f"You may {verb}: {', '.join(map(card_words, view.legal_actions()))}."
