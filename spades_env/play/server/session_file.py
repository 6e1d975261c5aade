"""The file of sessions: read once, part by part, and written whole.

A damaged file is renamed, never deleted, and a sentence says so. Parts that can be read stay valid. For the others the
owner gets a new address, or guests need a new link.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from spades_env.agents.atomic_files import sync_folder
from spades_env.plain import PlainError, from_json
from spades_env.play.private_files import OWN, make_private
from spades_env.play.server.errors import RefusedError
from spades_env.play.table.seats import checked_name
from spades_env.play.texts import text

FORMAT = 1
OWNER = "owner"
SHORTEST_KEY = 16
GUEST = {"id", "table", "name", "proof", "settings"}  # the fields of a guest
PROOF = re.compile("[0-9a-f]{64}")


def read_file(path: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Return the parts that can be read. say: is called with a sentence if the file is damaged."""
    try:
        parts, why = from_json(path.read_bytes()), ""
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise RefusedError(f"{path} cannot be read: {error.strerror}") from None
    except PlainError as error:
        parts, why = None, str(error)
    if not isinstance(parts, dict) or parts.get("format") != FORMAT:
        parts, why = dict.fromkeys(PARTS), why or f"it is not an object of format {FORMAT}"
    bad = [name for name, part in parts.items() if name != "format" and not _fits(name, part)]
    if bad:
        why = why or f"its {', '.join(bad)} cannot be right"
        lost = "the table may have a new address, and guests may have to come by a new link"
        say(f"{path} is damaged ({why}): it is kept as {rename_damaged(path).name}; {lost}")
    return {name: part for name, part in parts.items() if name in PARTS and name not in bad}


def write_file(path: Path, content: str, lasting: bool = True) -> None:
    """Replace the file atomically; RefusedError if the disk refuses.

    lasting: even a power cut doesn't bring the old one back.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN)
        make_private(part)  # a umask may have taken more away
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power cut may leave the new name on an empty file
        os.replace(part, path)
        if lasting:
            sync_folder(path.parent)
    except OSError as error:
        raise RefusedError(text("error.unsaved", why=error.strerror or str(error))) from None


def as_text(parts: Mapping[str, Any]) -> str:
    """Return what the file holds with these parts."""
    return json.dumps({"format": FORMAT, **parts})


def rename_damaged(path: Path) -> Path:
    """Rename a damaged file within its folder, and return its new path."""
    names = (path.with_name(f"{path.name}.damaged{f'-{i}' if i else ''}") for i in range(10_000))
    damaged = next(name for name in names if not name.exists())
    try:
        path.rename(damaged)
    except OSError as error:
        raise RefusedError(f"{path} is damaged and cannot be renamed: {error.strerror}") from None
    return damaged


def _fits(name: str, part: Any) -> bool:
    try:
        return PARTS[name](part)
    except (AttributeError, LookupError, TypeError, ValueError):
        return False


def _is_guest(one: Any) -> bool:
    """Tell whether these are the fields of a guest of one table, never of the owner."""
    named = one.get("name") is None or checked_name(one["name"])
    texts = isinstance(one["id"], str) and isinstance(one["table"], str) and one["id"] != OWNER
    kinds = one.keys() <= GUEST and isinstance(one.get("settings", {}), dict)
    return bool(named and texts and kinds and PROOF.fullmatch(one["proof"]))


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


PARTS: dict[str, Callable[[Any], bool]] = {  # what each part must be; an error means no
    "key": lambda key: len(key) >= SHORTEST_KEY and key.isascii() and key.isprintable(),
    "epoch": lambda epoch: isinstance(epoch, str),
    "invites": lambda invites: _are_texts(invites.values()),
    "guests": lambda guests: isinstance(guests, list) and all(map(_is_guest, guests)),
    "seats": lambda tables: all(
        seats.keys() <= set("0123") and _are_texts(seats.values()) for seats in tables.values()
    ),
    "away": lambda tables: all(isinstance(away, list) and _are_texts(away) for away in tables.values()),
}
