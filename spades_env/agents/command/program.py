"""A program in any language as an agent: one process, asked one question after the other, whatever it does.

    agents.load("cmd:python3 mybot.py")

The process is started with the first question, from the current folder and without a shell. If it does not answer in
time, or ends, it is started again, at most MOST_STARTS times, and no more after MOST_IN_A_ROW failures in a row. No
failure is fatal: a random legal action is played instead, and counted (`failures`). The rule bot would do better, but
then a program that never answers would look like the rule bot.
"""

import logging
import math
import os
import shlex
import shutil
import threading
import weakref
from collections import Counter
from pathlib import Path

import numpy as np

from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import FAILURES, Agent, AgentError, Batch
from spades_env.agents.command.process import Process
from spades_env.agents.command.protocol import CRASHES, TIMEOUTS, FailedError, hello, legal_action, question
from spades_env.agents.compiled import RANDOM, Compiled
from spades_env.game.cards import SEATS, Action
from spades_env.game.view import View

SECONDS = "SPADES_BOT_SECONDS"  # the environment variable with the time for a decision
USUAL_SECONDS, MOST_SECONDS = 10.0, 3600.0
FIRST_ANSWER = 3  # times as long: the program has to load
MOST_STARTS, MOST_IN_A_ROW = 100, 3
FORM = "cmd:COMMAND, such as cmd:python3 mybot.py"

log = logging.getLogger(__name__)


class CommandAgent(Agent):
    """An agent that asks a program. Its answers come one after the other, however many threads ask."""

    def __init__(
        self,
        name: str,
        words: list[str],
        seed: int = 0,
        seconds: float = USUAL_SECONDS,
        folder: Path | None = None,  # where it is started; by default the current one
    ):
        super().__init__(name, seed)
        self._words, self._seconds, self._folder = words, seconds, folder
        self._instead = Compiled("random", RANDOM, RANDOM, seed)
        self._one_by_one = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._process: Process | None = None
        self._finalizer: weakref.finalize | None = None
        self._closings = self._questions = self._starts = self._in_a_row = 0
        self._given_up = False

    @property
    def failures(self) -> dict[str, int]:
        """How many random actions were played in its place since it was loaded, by reason."""
        return {kind: self._counts[kind] for kind in FAILURES}

    def check_start(self, view: View) -> None:
        """Raise an AgentError if the program does not start, or gives no first answer."""
        try:
            self._asked(view)
        except FailedError as failed:
            if failed.kind in (TIMEOUTS, CRASHES):
                raise AgentError(f"{self.name} gives no answer: {failed}") from None
        finally:
            self.close()

    def close(self) -> None:
        """End the process; a question that waits for it raises AgentError. The next question starts it again."""
        self._closings += 1
        self._starts = self._in_a_row = 0
        self._given_up = False
        self._end_process()

    def _choose(self, batch: Batch) -> np.ndarray:
        views, closings = batch.views(), self._closings
        with self._one_by_one:
            return np.array([self._answer(view, closings) for view in views], np.int64)

    def _answer(self, view: View, closings: int) -> Action:
        self._check_open(closings)
        try:
            return self._asked(view)
        except FailedError as failed:
            self._check_open(closings)
            self._note(view, failed)
            return self._instead.act(view)

    def _check_open(self, closings: int) -> None:
        if self._closings != closings:
            raise AgentError(f"{self.name} was closed while it was asked")

    def _asked(self, view: View) -> Action:
        """Return the program's action; FailedError if it has none that can be played."""
        process = self._running(view)
        self._questions += 1
        seconds = self._seconds * (1 if process.has_answered else FIRST_ANSWER)
        try:
            found = process.ask(question(self._questions, view), self._questions, seconds)
        except FailedError as failed:
            if failed.kind in (TIMEOUTS, CRASHES):
                self._in_a_row += 1
                self._end_process(at_once=True)
            else:
                self._in_a_row = 0
            raise FailedError(failed.kind, f"{failed}{_quoted(process.last_errors())}") from None
        self._in_a_row = 0
        return legal_action(found, view)

    def _running(self, view: View) -> Process:
        """Return the process, started if need be."""
        if self._process and self._process.is_ours:
            return self._process
        if self._in_a_row >= MOST_IN_A_ROW or self._starts >= MOST_STARTS:
            raise self._give_up()
        first, self._starts = not self._starts, self._starts + 1
        try:
            self._process = Process(self._words, hello(view.rules, self.seed, self._seconds), self._folder)
        except OSError as error:
            if first:
                raise AgentError(f"invalid agent {self.name!r}: it cannot be started: {error.strerror}") from None
            self._in_a_row += 1
            raise FailedError(CRASHES, f"it cannot be started: {error.strerror}") from None
        self._finalizer = weakref.finalize(self, self._process.end)
        return self._process

    def _give_up(self) -> FailedError:
        times = f"{self._in_a_row} times in a row" if self._in_a_row >= MOST_IN_A_ROW else f"{self._starts} times"
        if not self._given_up:
            log.warning("%s failed %s: it is not started again, and plays at random from now on", self.name, times)
        self._given_up = True
        return FailedError(CRASHES, f"it failed {times}")

    def _end_process(self, at_once: bool = False) -> None:
        process, self._process = self._process, None
        if process:
            if self._finalizer:
                self._finalizer.detach()
            process.end(at_once)

    def _note(self, view: View, failed: FailedError) -> None:
        """Count a failure, and log the first of each kind."""
        self._counts[failed.kind] += 1
        if self._counts[failed.kind] == 1:
            where = f"{self.name} as {SEATS[view.seat]}, asked to {view.phase} in hand {view.hand_number + 1}"
            log.warning("%s: %s. A random legal action is played instead", where, failed)


def make(name: AgentName, seed: int) -> Agent:
    """Return the agent that a command names; nothing is started."""
    words = words_of(name)
    if not words:
        raise AgentError(f"invalid agent {name.text!r}; expected {FORM}")
    program = words[0]
    if not shutil.which(program):
        there = Path(program).exists()
        why = f"{program} is not executable" if there else f"there is no program {program!r}"
        raise AgentError(f"invalid agent {name.text!r}: {why}; expected {FORM}")
    return CommandAgent(name.text, words, seed, seconds_to_answer())


def words_of(name: AgentName) -> list[str]:
    """Return the program and its arguments, as a shell would part them; quotes keep blanks together."""
    if not name.setting.isprintable():
        raise AgentError(f"invalid agent {name.text!r}: a command is one line of text that can be printed")
    try:
        return shlex.split(name.setting, posix=os.name == "posix")
    except ValueError as error:
        raise AgentError(f"invalid agent {name.text!r}: its command has {str(error).lower()}") from None


def seconds_to_answer() -> float:
    """Return how long a program may take for a decision."""
    text = os.environ.get(SECONDS, "")
    try:
        seconds = float(text) if text else USUAL_SECONDS
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= MOST_SECONDS:
        raise AgentError(f"{SECONDS} must be a number of seconds up to {MOST_SECONDS:g}, not {text!r}")
    return seconds


def _quoted(errors: str) -> str:
    return f" (its errors end with: {errors})" if errors else ""
