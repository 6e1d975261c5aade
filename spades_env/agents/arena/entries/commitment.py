"""A secret that decides the deals of a verification: its hash is published before, the secret afterwards.

    commit(Path("secret.txt"), Path("commitments.json"))      before: a secret for yourself, its hash for everybody
    seed_of(secret, "rule")                                   the seed of the match against `rule`

The hash is the SHA-256 of the 32 hexadecimal digits: `printf %s SECRET | sha256sum`. Each opponent has a seed of its
own, so that no deal is met twice. Without the secret nobody can deal, with it everybody deals the same.
"""

import hashlib
import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from spades_env.agents.arena.entry import EntryError
from spades_env.agents.atomic_files import write_whole
from spades_env.game.secret_deals import SECRET, derived, new_secret
from spades_env.plain import PlainError, from_json

LIST = "commitments.json"  # beside the reports
SEED_BYTES = 8
OWN = 0o600  # nobody but its owner may read the secret


def commit(path: Path, published: Path | None = None) -> dict[str, str]:
    """Write a new secret to a private file, add its hash to the published list, and return what was added."""
    known = read_list(published) if published and published.exists() else {}
    secret = new_secret()
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN), "w", encoding="ascii") as file:
        file.write(secret + "\n")
    made = {"sha256": hash_of(secret), "date": datetime.now(UTC).date().isoformat()}
    if published:
        rows = [*({"sha256": key, "date": date} for key, date in known.items()), made]
        write_whole(published, json.dumps(rows, indent=1) + "\n")
    return made


def read_secret(path: str | Path) -> str:
    secret = Path(path).read_text(encoding="utf-8", errors="replace").strip()
    if not SECRET.fullmatch(secret):
        raise EntryError(f"{path} has no secret: it must be 32 hexadecimal digits")
    return secret


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, opponent: str) -> int:
    """Return the seed of the match against an opponent."""
    return derived(secret, f"benchmark {opponent}", SEED_BYTES)


def read_list(path: Path) -> dict[str, str]:
    """Return the published hashes with their dates."""
    try:
        rows = from_json(path.read_bytes())
    except OSError as error:
        raise EntryError(f"{path} cannot be read: {error.strerror}") from None
    except PlainError as error:
        raise EntryError(f"{path} is not JSON: {error}") from None
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        raise EntryError(f"{path} must be a list of objects with sha256 (64 hexadecimal digits) and date (YYYY-MM-DD)")
    return {row["sha256"]: row["date"] for row in rows}


def _is_row(row: object) -> bool:
    forms = {"sha256": "[0-9a-f]{64}", "date": r"\d{4}-\d\d-\d\d"}
    return isinstance(row, dict) and set(row) == set(forms) and all(re.fullmatch(forms[k], str(row[k])) for k in forms)
