"""Read what earlier versions wrote.

    rules("pagat")      the rules that a text of version 1 means
    record(lines)       the lines of a version 1 record as version 2 writes them

In version 1, leading a spade broke spades under every preset. So a version 1 text without `spades_lead` means
`broken`, whatever its preset says today.
"""

from typing import Any

from spades_env.game.rules import Rules, RulesError

RECORD_1, RECORD_2 = "spades record 1", "spades record 2"  # first lines
RECORDS = (RECORD_1, RECORD_2)
RULES_LINE = "rules: "


def rules(text: str) -> Rules:
    """Return the rules that a text of version 1 means."""
    found = Rules.parse(text)
    named = any(word.startswith("spades_lead=") for word in text.split())
    return found if named else found.replace(spades_lead="broken")


def rules_text(text: Any) -> Any:
    """Return the rules of a version 1 text as today's text; what names no rules is returned unchanged."""
    try:
        return str(rules(text))
    except RulesError:
        return text


def record(lines: list[str]) -> list[str]:
    """Return a record's lines as this version writes them, one for one."""
    if lines[:1] != [RECORD_1]:
        return lines
    lines = [RECORD_2, *lines[1:]]
    if lines[1:] and lines[1].startswith(RULES_LINE):
        lines[1] = RULES_LINE + rules_text(lines[1].removeprefix(RULES_LINE))
    return lines
