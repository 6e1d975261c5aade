"""A process that answers lines with lines. It never holds us up: every wait has an end.

    process = Process(["./mybot"], hello)
    process.ask(line, 1, seconds=10.0)      the answer to question 1; FailedError if there is none in time
    process.end()

Three threads of its own write its input, read its output, and keep the last lines of its errors. They refer to pipes
and queues alone, so that a process that nobody needs any longer can be found and ended.
"""

import os
import queue
import secrets
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from spades_env.agents.command.protocol import CRASHES, TIMEOUTS, UNREADABLE, FailedError, answer

LONGEST_LINE = 65_536  # bytes of an answer
MOST_WAITING = 100  # lines that are read ahead; a program that writes more must wait
CHUNK = 65_536
ERROR_LINES, ERROR_LENGTH = 5, 200  # that are kept of what it writes to its standard error
LEAVES_S, TERMINATED_S, KILLED_S = 0.3, 0.7, 5.0  # waits: after the end of its input, SIGTERM, SIGKILL
LOOK_S, POLL_S = 0.2, 0.01
NOT_COMPILED = {"PYTHONDONTWRITEBYTECODE": "1"}  # so that a bot's folder stays as it is
MARK = "SPADES_BOT_"  # begins the name of an environment variable by which all that a program starts is found

END = None  # in the place of a line: no more will come
TOO_LONG = b"too long"  # in the place of a line, known by its identity
Lines = queue.Queue  # of bytes, or END

_running: "weakref.WeakSet[Process]" = weakref.WeakSet()


class Process:
    """A running program. Not for several threads at once."""

    def __init__(self, words: list[str], first_line: str, folder: Path | None = None):
        """Start the program, by default in the current folder, and send it a line; OSError if it cannot be started."""
        self.has_answered = False
        self._owner = os.getpid()
        self._over = False
        self._stop = threading.Event()
        self._input: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: Lines = queue.Queue(MOST_WAITING)
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        self._mark = f"{MARK}{secrets.token_hex(8)}"
        self._popen = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {self._mark: "1"} | (NOT_COMPILED if folder else {}),
            start_new_session=True,
            cwd=folder,
        )
        _running.add(self)
        pipes = self._popen
        _start(_write_lines, pipes.stdin, self._input, self._lines, self._stop)
        _start(_read_lines, pipes.stdout, self._lines, self._stop)
        self._error_reader = _start(_read_errors, pipes.stderr, self._errors)
        self._send(first_line)

    def ask(self, line: str, number: int, seconds: float) -> dict[str, Any]:
        """Send a question and return its answer. Lines that come early, or answer an earlier one, are ignored."""
        self._discard_early_lines()
        self._send(line)
        deadline = time.monotonic() + seconds
        while True:
            found = self._next_line(deadline, seconds)
            self.has_answered = True
            if found is TOO_LONG:
                raise FailedError(UNREADABLE, f"it wrote a line of more than {LONGEST_LINE:,} bytes")
            reply = answer(found)
            if reply.get("id") in (None, number):
                return reply
            if reply["id"] > number:
                raise FailedError(UNREADABLE, f"it answered question {reply['id']}, which was not asked yet")

    def end(self, at_once: bool = False) -> None:
        """End the process and all that it started; at_once: it gets no time to leave by itself."""
        if not self.is_ours:
            return
        self._stop.set()
        self._input.put(None)
        if not at_once and not self._ends_within(LEAVES_S):
            self._signal("SIGTERM")
            self._ends_within(TERMINATED_S)
        self._signal("SIGKILL")
        self._ends_within(KILLED_S)
        self._end_rest()
        _running.discard(self)

    def last_errors(self) -> str:
        """Return the last lines of its standard error, in one line; empty if there are none."""
        return " / ".join(line for line in list(self._errors) if line)

    @property
    def is_ours(self) -> bool:
        """Did this process of Python start it, rather than the one that it is a copy of?"""
        return os.getpid() == self._owner

    def _send(self, line: str) -> None:
        self._input.put(line.encode() + b"\n")

    def _discard_early_lines(self) -> None:
        with suppress(queue.Empty):
            for _ in range(MOST_WAITING):
                self._over = self._over or self._lines.get_nowait() is END

    def _next_line(self, deadline: float, seconds: float) -> bytes:
        while not self._over:
            left = deadline - time.monotonic()
            if left <= 0:
                hint = "" if self.has_answered else " (does it read line by line, and flush each answer?)"
                raise FailedError(TIMEOUTS, f"no answer in {seconds:g} seconds{hint}")
            with suppress(queue.Empty):
                found = self._lines.get(timeout=min(left, LOOK_S))
                if found is not END:
                    return found
                self._over = True
            self._over |= self._stop.is_set()
        raise FailedError(CRASHES, self._how_it_ended())

    def _how_it_ended(self) -> str:
        if not self._ends_within(LEAVES_S):
            return "it closed its input or its output"
        self._error_reader.join(LOOK_S)
        status = self._popen.returncode
        if status >= 0:
            return f"it ended with exit status {status}"
        try:
            return f"it was ended by {signal.Signals(-status).name}"
        except ValueError:
            return f"it was ended by signal {-status}"

    def _ends_within(self, seconds: float) -> bool:
        try:
            self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, name: str) -> None:
        """Send a signal to the process and all that it started; where there are no signals it is killed."""
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._popen.pid, getattr(signal, name))
            else:
                self._popen.kill()

    def _end_rest(self) -> None:
        """Kill what has left the process's group, as a daemon does, and still has the mark."""
        deadline = time.monotonic() + KILLED_S
        while (rest := _marked(self._mark)) and time.monotonic() < deadline:
            for number in rest:
                with suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(POLL_S)


def _marked(mark: str) -> list[int]:
    """Return the processes with a variable in their environment. Only Linux tells."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or is another user's
            if f"{mark}=".encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def end_all() -> None:
    """End every process that still runs: for those who leave Python without its usual end."""
    for process in list(_running):
        process.end()


def _start(work, *arguments) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True, name=work.__name__)
    thread.start()
    return thread


def _write_lines(pipe: IO[bytes], texts: queue.SimpleQueue, lines: Lines, stop: threading.Event) -> None:
    """Write until there is nothing more to write; a program that closes its input has ended for us."""
    try:
        with pipe:
            while (text := texts.get()) is not None:
                pipe.write(text)
                pipe.flush()
    except OSError:
        _put(lines, END, stop)


def _read_lines(pipe: IO[bytes], lines: Lines, stop: threading.Event) -> None:
    rest, is_too_long = b"", False
    with suppress(OSError), pipe:
        while chunk := pipe.read1(CHUNK):  # pyright: ignore[reportAttributeAccessIssue] — buffered, as Popen makes it
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                if not is_too_long:
                    _put(lines, line if len(line) <= LONGEST_LINE else TOO_LONG, stop)
                is_too_long = False
            if is_too_long or len(rest) > LONGEST_LINE:
                if not is_too_long:
                    _put(lines, TOO_LONG, stop)
                rest, is_too_long = b"", True
    _put(lines, END, stop)


def _read_errors(pipe: IO[bytes], errors: deque[str]) -> None:
    rest = b""
    with suppress(OSError), pipe:
        while chunk := pipe.read1(CHUNK):  # pyright: ignore[reportAttributeAccessIssue]
            *whole, rest = (rest + chunk).split(b"\n")
            errors.extend(map(_error_text, whole))
            rest = rest[:ERROR_LENGTH]
    errors.append(_error_text(rest))


def _error_text(line: bytes) -> str:
    words = " ".join(line[:ERROR_LENGTH].decode("utf-8", "replace").split())
    return "".join(letter if letter.isprintable() else "�" for letter in words)


def _put(lines: Lines, line: bytes | None, stop: threading.Event) -> None:
    """Put a line where it is waited for, unless nobody waits any longer."""
    while not stop.is_set():
        with suppress(queue.Full):
            lines.put(line, timeout=LOOK_S)
            return
