"""A Griffe extension for the API pages: it reads our docstrings as they are written.

Columns become lists; indented columns stay as they are, for they are code:

    seat      who deals            - **`seat`**: who deals
    rules     what `Rules.of`  →   - **`rules`**: what `Rules.of` takes
              takes

An attribute without a docstring takes the comment behind it. Defaults show the value of a constant, and what a helper
such as `positive(512)` sets.
"""

import re
from pathlib import Path
from typing import Any

from griffe import Attribute, Docstring, ExprCall, ExprKeyword, ExprName, Extension, Function, Object

COLUMNS = re.compile(r"^(\S(?:.*?\S)?) {2,}(\S.*)$")
COMMENT = re.compile(r"  # (?!noqa|pyright)(.*)$")


class Columns(Extension):
    """Rewrites every docstring that Griffe has read."""

    def on_object(self, *, obj: Object, **_) -> None:
        if obj.docstring:
            obj.docstring.value = with_lists(obj.docstring.value)

    def on_attribute_instance(self, *, attr: Attribute, **_) -> None:
        attr.value = _set_by_helper(attr.value) or attr.value
        if attr.docstring or not attr.lineno or not isinstance(attr.filepath, Path):
            return
        found = COMMENT.search(attr.filepath.read_text(encoding="utf-8").splitlines()[attr.lineno - 1])
        if found:
            attr.docstring = Docstring(found[1], parent=attr)

    def on_package(self, *, pkg: Object, **_) -> None:
        for function in _functions(pkg):
            for parameter in function.parameters:
                value = _constant(function, parameter.default)
                if value is not None:
                    parameter.default = value


def with_lists(text: str) -> str:
    """Return the docstring with a list in place of each block of columns."""
    lines: list[str] = []
    within = False
    for line in text.splitlines():
        found = COLUMNS.match(line)
        if found:
            if not within and lines and lines[-1]:
                lines.append("")
            lines.append(f"- **{_names(found[1])}**: {found[2]}")
            within = True
        elif within and line.startswith(" "):
            lines[-1] += f" {line.strip()}"
        else:
            if within and line:
                lines.append("")
            lines.append(line)
            within = False
    return "\n".join(lines)


def _names(text: str) -> str:
    return text if "`" in text else ", ".join(f"`{name}`" for name in text.split(", "))


def _functions(parent: Object):
    for member in parent.members.values():
        if isinstance(member, Function):
            yield member
        elif isinstance(member, Object) and not member.is_attribute:
            yield from _functions(member)


def _constant(function: Function, default) -> str | None:
    """Return the text of the constant that a default names, if it names one of this package."""
    if not isinstance(default, ExprName):
        return None
    try:
        value = function.modules_collection[default.canonical_path].value
    except (KeyError, AttributeError):
        return None
    return value if isinstance(value, str) else None


def _set_by_helper(value) -> Any:
    """Return the default that a function of ours sets: its argument `default`, or its first one."""
    if not isinstance(value, ExprCall) or str(value.function) == "field" or not str(value.function).islower():
        return None
    named = [one.value for one in value.arguments if isinstance(one, ExprKeyword) and one.name == "default"]
    return [*named, *value.arguments, "..."][0]
