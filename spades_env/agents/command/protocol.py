"""The lines that pass between us and a program. docs/agents.md describes them for those who write one.

→ {"type": "hello", "protocol": 1, …}               once, when it is started
→ {"type": "decide", "id": 1, "view": {…}}          a question: the view of the seat to move
← {"id": 1, "action": "QS"}                         its answer
"""

import json
from typing import Any

from spades_env._version import __version__
from spades_env.agents.base import FAILURES
from spades_env.game.cards import SEATS, Action, parse_action
from spades_env.game.refusals import refusal
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.plain import PlainError, from_json

PROTOCOL = 1
ILLEGAL, UNREADABLE, TIMEOUTS, CRASHES = FAILURES  # why an action could not be had
FORM = 'an answer is a line such as {"id": 1, "action": "QS"}'


class FailedError(Exception):
    """A question without an answer that can be played. kind: one of FAILURES."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def hello(rules: Rules, seed: int, seconds: float) -> str:
    """Return the first line that a program gets."""
    facts = {"version": __version__, "seed": seed, "seconds": seconds, "seats": SEATS, "rules": rules.as_dict()}
    return json.dumps({"type": "hello", "protocol": PROTOCOL} | facts)


def question(number: int, view: View) -> str:
    """Return the line that asks for a decision."""
    return json.dumps({"type": "decide", "id": number, "view": view.to_dict()})


def answer(line: bytes) -> dict[str, Any]:
    """Return what a line of the program says; FailedError if it is no answer."""
    try:
        found = from_json(line)
    except PlainError:
        raise _malformed(line) from None
    number = found.get("id") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(found.get("action"), str) or not _is_id(number):
        raise _malformed(line)
    return found


def legal_action(found: dict[str, Any], view: View) -> Action:
    """Return the action that an answer names; FailedError if the seat may not do that."""
    try:
        action = parse_action(found["action"])
    except ValueError as error:
        raise FailedError(UNREADABLE, f"{error}"[:200]) from None
    if not view.action_mask[action]:
        raise FailedError(ILLEGAL, str(refusal(view, action)))
    return action


def _is_id(number: Any) -> bool:
    return number is None or (isinstance(number, int) and not isinstance(number, bool))


def _malformed(line: bytes) -> FailedError:
    shown = line[:80].decode("utf-8", "backslashreplace")
    return FailedError(UNREADABLE, f"it wrote {shown!r}: {FORM}")
