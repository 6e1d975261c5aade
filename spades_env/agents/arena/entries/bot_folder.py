"""A bot in a folder: what it needs to play, and entry.toml, which says how to start it and what the benchmark asks.

name = "Counter"                            on the leaderboard
command = "python3 bot.py"                  started in the folder; or instead
agent = "{folder}/net.onnx"                 an agent's string, where {folder} is the folder
image = "docker.io/library/python:3.12"     if it needs one: the OCI image in which podman runs the command
track = "raw"
compute = "nothing trained: rules by hand"
authors = ["…"]
licence = "MIT"
seen = []                                   members of the panel that it learned from; may be left away

bot = BotFolder.read("entries/counter")
bot.load()                                  as its author runs it
bot.load("bwrap")                           isolated, a process for each seat
"""

import hashlib
import os.path
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spades_env.agents.agent_name import COMMAND, COMMAND_PREFIX, IMPORTED, AgentName
from spades_env.agents.arena import benchmark, entry
from spades_env.agents.arena.entries import isolation
from spades_env.agents.arena.entry import EntryError
from spades_env.agents.base import Agent
from spades_env.agents.command.program import CommandAgent, seconds_to_answer, words_of
from spades_env.agents.registry import load, parts_of
from spades_env.game.game import Game
from spades_env.plain import PlainError, from_toml

FILE, RESULTS = "entry.toml", "results.json"
HERE = "{folder}"
COMPILED = "__pycache__"  # code that nobody reads
SEED = 0  # of the bot, which says nothing about the deals


def _lines(x: Any) -> bool:
    return isinstance(x, list) and bool(x) and all(LINE[1](one) for one in x)


LINE = ("a line of 1 to 200 characters", lambda x: isinstance(x, str) and 0 < len(x.strip()) <= 200 and x.isprintable())
CHECKS: dict[str, entry.Check] = {
    **{key: entry.CHECKS[key] for key in ("name", "track", "compute")},
    "authors": ("a list of lines", _lines),
    "licence": LINE,
}
OPTIONAL: dict[str, entry.Check] = {"command": LINE, "agent": LINE, "image": LINE, "seen": entry.CHECKS["seen"]}


@dataclass(frozen=True)
class BotFolder:
    """An entry's folder and what its entry.toml says."""

    path: Path
    about: dict[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> "BotFolder":
        """Read and check entry.toml; nothing of the bot is run."""
        file = Path(path) / FILE
        try:
            found = from_toml(file.read_bytes())
        except OSError as error:
            raise EntryError(f"{file} cannot be read: {error.strerror}") from None
        except PlainError as error:
            raise EntryError(f"{file} is not TOML: {error}") from None
        given = {key: check for key, check in OPTIONAL.items() if key in found}
        bot = cls(Path(path), entry.checked_fields(found, CHECKS | given, str(file)))
        bot._check_what_plays(str(file))
        return bot

    @property
    def string(self) -> str:
        """What the results file calls its agent."""
        return COMMAND_PREFIX + self.about["command"] if "command" in self.about else self.about["agent"]

    @property
    def seen(self) -> list[str]:
        return self.about.get("seen", [])

    @property
    def results(self) -> Path:
        return self.path / RESULTS

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of each of its files, by its path in it, and of those elsewhere behind its agent."""
        files = {path.relative_to(self.path): path for path in sorted(self.path.rglob("*")) if path.is_file()}
        if compiled := next((name for name in files if COMPILED in name.parts), None):
            raise EntryError(f"{self.path / compiled} is compiled code, which nobody can read: remove {COMPILED}")
        files.pop(Path(RESULTS), None)
        found = {name.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
        elsewhere = entry.digests_of(self._agent) if "agent" in self.about else {}
        return found | {name: digest for name, digest in elsewhere.items() if digest not in found.values()}

    def read_results(self, path: Path | None = None) -> entry.Entry:
        """Read a results file, by default its own, and check that it is of this bot."""
        path = path or self.results
        found = entry.read_entry(path)
        said = {"agent": self.string, "seen": self.seen, **{key: self.about[key] for key in ("name", "track")}}
        for key, value in said.items():
            if found[key] != value:
                raise EntryError(f"{path}: {key} is {found[key]!r}, but {self.path / FILE} says {value!r}")
        return found

    def way(self, wanted: str | None) -> str:
        """Return how it is isolated: as wanted, or as well as can be. Our own agents run nobody else's code."""
        return isolation.way_for(self.about.get("image"), wanted) if "command" in self.about else isolation.NONE

    def load(self, way: str | None = None) -> Agent:
        """Return its agent. way: how to isolate its program, in a process for each seat; None: in one, as it is.

        Its program is started once. An AgentError if it gives no answer, so that no score is that of random play.
        """
        if "command" not in self.about:
            agent = load(self._agent, SEED)
            agent.name = self.string
            return agent
        if way == isolation.PODMAN:
            isolation.fetch(self.about["image"])
        game = Game(benchmark.RULES, SEED)
        self._program(way or isolation.NONE).check_start(game.view(game.turn))
        return isolation.by_seat(self.string, lambda: self._program(way)) if way else self._program(isolation.NONE)

    @property
    def _agent(self) -> str:
        """The string of its agent, with the path of its folder."""
        return self.about["agent"].replace(HERE, str(self.path.resolve()))

    def _program(self, way: str) -> CommandAgent:
        command = words_of(AgentName.parse(self.string))
        words = isolation.words(way, command, self.path, self.about.get("image"))
        if not shutil.which(words[0]) and not (self.path / words[0]).is_file():
            raise EntryError(f"{self.path / FILE}: there is no program {words[0]!r} to start the bot with")
        return CommandAgent(self.string, words, SEED, seconds_to_answer(), self.path)

    def _check_what_plays(self, where: str) -> None:
        if ("command" in self.about) == ("agent" in self.about):
            raise EntryError(f"{where}: it must have either command or agent")
        if "agent" in self.about and any(one.kind in (IMPORTED, COMMAND) for one in parts_of(self.string)):
            raise EntryError(f"{where}: agent must name one of our agents or a file, not code: that is a command")


def is_bot_folder(path: str | Path) -> bool:
    return os.path.isfile(Path(path) / FILE)  # Path.is_file raises an error for a very long name
