"""Spades in words, for language models: rules and decisions as prompts, answers as actions.

    words.messages(view)            the prompt of a decision, as chat messages
    words.read("Action: AS", view)  what an answer says: a Reading with its outcome

It knows a seat's view alone, so a prompt never tells a hidden card.
"""

from spades_env.words.prompt import Message, messages, question, system_prompt
from spades_env.words.reading import ILLEGAL, LEGAL, OUTCOMES, UNREADABLE, Reading, named_action, read
from spades_env.words.rules_text import rules_text

__all__ = [
    "ILLEGAL",
    "LEGAL",
    "OUTCOMES",
    "UNREADABLE",
    "Message",
    "Reading",
    "messages",
    "named_action",
    "question",
    "read",
    "rules_text",
    "system_prompt",
]
