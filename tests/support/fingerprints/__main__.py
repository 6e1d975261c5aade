"""Take the fingerprints again: all of them, or the parts that are named."""

import json
import sys
from collections.abc import Callable

from support.fingerprints import FILE, recorded
from support.fingerprints.decisions import of_all_agents
from support.fingerprints.server import of_server
from support.fingerprints.training import of_training

from spades_env.agents.atomic_files import write_whole

PARTS: dict[str, Callable[[], dict]] = {"agents": of_all_agents, "training": of_training, "server": of_server}


def main(*parts: str) -> None:
    """Take these fingerprints again and write them; all parts unless some are named."""
    hashes = recorded()
    for part in parts or PARTS:
        hashes[part] = PARTS[part]()
    write_whole(FILE, json.dumps(hashes, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
