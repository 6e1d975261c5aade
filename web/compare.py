"""Does a site play as the native program does? python -m web.compare SITE SITTINGS

Sittings with all bots, presets and trumps are played here and by the site's Python and kernels under node. Every view,
action and hint must be the same, letter for letter.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from web.told import told

NODE = Path(__file__).parent / "node.mjs"


def differences(site: Path, count: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each sitting as it went here and as it went under node."""
    command = ["node", str(NODE), str(site), f"from web.told import tell; tell({count})"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdout
        for own, line in zip(told(count), islice(node.stdout, count), strict=True):
            yield own, json.loads(line)
    if node.returncode:
        raise RuntimeError(f"node ended with {node.returncode}")


def main(site: Path, count: int) -> int:
    moves = wrong = 0
    seconds = [0.0, 0.0]
    for own, other in differences(site, count):
        same = own["hash"] == other["hash"]
        moves, wrong = moves + own["moves"], wrong + (not same)
        seconds = [seconds[0] + own["seconds"], seconds[1] + other["seconds"]]
        if not same:
            print(f"different: {own['sitting']}")
    print(
        f"{count} sittings, {moves:,} moves: {wrong} sittings differ; {seconds[0]:.0f} s here, {seconds[1]:.0f} s there"
    )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
