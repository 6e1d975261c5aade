"""A harness for Kaggle's game arena, round our game of OpenSpiel: the three functions that `kaggle_environments` calls.

    get_legal_moves(observation)                     action → its name
    generate_prompt(observation, move_history, …)    rules, what the player knows, the last fault if there was one
    parse_response(response, legal_action_strings)   what it names, legal or not

An observation is the dict that their OpenSpiel environment sends, with `observationString` and `legalActions`. This
module imports neither package; `spades_env.openspiel` registers the game.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spades_env import words
from spades_env.errors import SpadesError
from spades_env.game.cards import LOOK, PHASES, action_name, parse_action
from spades_env.game.rules import Rules

OBSERVED = re.compile(r"<View of (.+?); ((?:South|West|North|East)\b.*)>", re.DOTALL)  # a view's repr
NEXT_LINE = re.compile(r"; (?=(?:scores|cards|bids|took|played|may): )")


@dataclass(frozen=True)
class Parsed:
    """What a response names, with the fields of `kaggle_environments.core_harness.ParseResult`."""

    legal_action: str | None = None
    raw_action: str | None = None
    submission: Any = None
    thoughts: str | None = None


def get_legal_moves(observation: Mapping[str, Any]) -> dict[int, str]:
    """Return the name of each legal action."""
    return {action: action_name(action) for action in observation.get("legalActions", ())}


def generate_prompt(
    observation: Mapping[str, Any],
    move_history: Sequence[str],
    previous_response: str | None = None,
    previous_action: str | None = None,
) -> str:
    """Return the prompt of a decision. The history is part of what is observed, so `move_history` adds nothing."""
    found = OBSERVED.fullmatch(observation["observationString"])
    if not found:
        raise SpadesError(f"{observation['observationString']!r:.80} is not an observation of a hand in play")
    seen = NEXT_LINE.sub("\n", found[2])
    parts = [words.system_prompt(Rules.parse(found[1])), seen]
    if previous_response is not None:
        fault = f"{previous_action} is not legal" if previous_action else "it names no action"
        parts.append(f"Your last answer can't be played: {fault}. Answer again.")
    return "\n\n".join(parts)


def parse_response(response: str, legal_action_strings: Sequence[str], **_: Any) -> Parsed:
    """Return the action that a response names, and whether it is legal."""
    action = words.named_action(response, _phase(legal_action_strings))
    if action is None:
        return Parsed()
    name = action_name(action)
    return Parsed(name if name in legal_action_strings else None, name)


def _phase(legal: Sequence[str]) -> str:
    actions = [parse_action(name) for name in legal]
    blind, bid, _, play, _ = PHASES
    return blind if LOOK in actions else bid if any(name.startswith("bid:") for name in legal) else play
