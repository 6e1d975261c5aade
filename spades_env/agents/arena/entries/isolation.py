"""Run a stranger's program where it finds neither the network nor this machine's files, a process for each seat.

    isolation.words("bwrap", ["python3", "bot.py"], folder)      the command that runs it so
    isolation.by_seat("bot", make)                               four copies, each asked for one seat alone

podman runs the program in an OCI image, bwrap (bubblewrap) with this machine's programs and libraries. In both it sees
its own folder, which it can't write to. One process for each seat: whoever holds South's cards never sees North's, nor
the same deal again from the other side.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from spades_env.agents.base import Agent, AgentError
from spades_env.agents.command.process import MARK
from spades_env.agents.pair import Pair

PODMAN, BWRAP, NONE = "podman", "bwrap", "none"
WAYS = {
    PODMAN: "in the OCI image that entry.toml names, without a network",
    BWRAP: "by bubblewrap, without a network and without this machine's files",
    NONE: "with your rights: for bots that you trust",
}
PLACE = "/bot"  # of the folder in there
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives")  # programs and libraries, which it may read
LIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=512:512")  # open files, processes


def way_for(image: str | None, wanted: str | None) -> str:
    """Return how to run a bot: as wanted, else in its image, else by bubblewrap; an AgentError if that can't be."""
    way = wanted or (PODMAN if image else BWRAP)
    if way not in WAYS:
        raise AgentError(f"unknown isolation {way!r}; expected {', '.join(WAYS)}")
    if way == PODMAN and not image:
        raise AgentError(f"podman needs an image, and entry.toml names none; expected {BWRAP} or {NONE}")
    if way != NONE and not shutil.which(way):
        raise AgentError(f"there is no program {way} to isolate the bot: install it, or trust the bot with {NONE}")
    return way


def words(way: str, command: list[str], folder: Path, image: str | None = None) -> list[str]:
    """Return the command that runs a bot's command in its folder in this way."""
    if way == PODMAN:
        return [*_podman(folder), image or "", *command]
    return [*_bwrap(folder), *command] if way == BWRAP else command


def fetch(image: str) -> None:
    """Pull an image that this machine hasn't yet: that takes longer than a first answer may."""
    if subprocess.run(["podman", "image", "exists", image], check=False).returncode:
        done = subprocess.run(["podman", "pull", "--quiet", image], capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.strip().splitlines()[-1:]
            raise AgentError(f"the image {image} cannot be pulled: {''.join(said)}")


def by_seat(name: str, make: Callable[[], Agent]) -> Agent:
    """Return an agent of four copies, each of which decides for one seat."""
    south, west, north, east = (make() for _ in range(4))
    even = Pair(name, south, north, lambda batch: batch.tables.turn == 0)
    odd = Pair(name, west, east, lambda batch: batch.tables.turn == 1)
    return Pair(name, even, odd, lambda batch: batch.tables.turn % 2 == 0)


def _podman(folder: Path) -> list[str]:
    apart = ["--network", "none", "--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges"]
    seen = ["--volume", f"{folder.resolve()}:{PLACE}:ro", "--workdir", PLACE]
    known = ["--env", f"{MARK}*"]  # by which process.py finds what is left of it
    return ["podman", "run", "--pull", "never", "--rm", "--interactive", *apart, *LIMITS, *seen, *known]


def _bwrap(folder: Path) -> list[str]:
    python = sys.base_prefix  # which may lie elsewhere
    read = [path for path in dict.fromkeys((*SYSTEM, python)) if Path(path).exists()]
    seen = [word for path in read for word in ("--ro-bind", path, path)]
    seen += ["--ro-bind", str(folder.resolve()), PLACE, "--chdir", PLACE]
    made = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    paths = ":".join(dict.fromkeys((f"{python}/bin", "/usr/local/bin", "/usr/bin", "/bin")))
    apart = ["--unshare-all", "--clearenv", "--setenv", "PATH", paths]  # process.py gives it a session and ends it
    return ["bwrap", *seen, *made, *apart]
