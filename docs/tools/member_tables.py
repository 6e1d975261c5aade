"""What a class offers, as a table: its public members with the first line of what they say of themselves."""

import dataclasses
import inspect
import re
from collections.abc import Callable

PLAIN = re.compile(
    r"\b(?:typing|collections\.abc|numpy(?:\.rec)?|spades_env(?:\.\w+)*)\."
)  # what type names are shorter without


def table(kind: type, beside: type | None = None) -> str:
    """Return a row for each; `beside` is a base whose members stand in a table of their own."""
    rows = ["| name | gives | what it says |", "|---|---|---|"]
    for name, member in inspect.getmembers(kind):
        if not name.startswith("_") and getattr(beside, name, None) is not member and _written_in(kind, name):
            rows.append(_row(name, _function(member)))
    return "\n".join(rows)


def fields(kind: type) -> str:
    """Return the fields of a dataclass and their types."""
    return ", ".join(f"`{field.name}` {_type(field.type)}" for field in dataclasses.fields(kind))


def _written_in(kind: type, name: str) -> bool:
    """Tell whether it has a docstring of its own: then it is meant for others."""
    return bool(inspect.getdoc(_function(inspect.getattr_static(kind, name))))


def _function(member) -> Callable | property:
    return member.__func__ if isinstance(member, classmethod | staticmethod) else member


def _row(name: str, member) -> str:
    said = (inspect.getdoc(member) or "").splitlines()[0]
    if isinstance(member, property) and member.fget:
        return f"| `{name}` | {_type(inspect.signature(member.fget).return_annotation)} | {said} |"
    found = inspect.signature(member)
    asked = ", ".join(_argument(one) for one in found.parameters.values() if one.name not in ("self", "cls"))
    return f"| `{name}({asked})` | {_type(found.return_annotation)} | {said} |"


def _argument(one: inspect.Parameter) -> str:
    return f"**{one.name}" if one.kind is one.VAR_KEYWORD else one.name


def _type(annotation) -> str:
    if annotation in (None, inspect.Signature.empty):
        return ""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return "`" + PLAIN.sub("", text).replace("|", "\\|") + "`"
