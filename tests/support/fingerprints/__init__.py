"""Short hashes of every agent's decisions, of a training run and of the server's messages: tests/golden/house.json.

    PYTHONPATH=.:tests python -m support.fingerprints            takes all of them again
    PYTHONPATH=.:tests python -m support.fingerprints agents     only some: agents, training, server

They must stay the same while modules move, so this package uses documented names only: `spades_env`, `agents.load`, the
`spades` command, the protocol of docs/protocol.md. Take them again only when decisions, training or messages are meant
to change, and say so in the changelog.

Processors and versions of torch sum float32 in different orders, and every random draw based on such sums differs from
then on. So the hashes of a training run hold only on the kind of machine that `training` names.
"""

import hashlib
import json
from collections.abc import Iterable

from support.paths import ROOT

from spades_env.game.view import View

FILE = ROOT / "tests" / "golden" / "house.json"
DIGITS = 4  # of numbers in hints and messages; more would tell one processor from another


def recorded() -> dict:
    """Return the fingerprints in the file."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def fingerprint(lines: Iterable[str]) -> str:
    """Return a short hash of these lines."""
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


def policy(view: View) -> int:
    """An agent named by its import path: plays the middle one of the legal actions."""
    legal = view.legal_actions()
    return legal[len(legal) // 2]
