"""The server's log, kept short: strangers must not be able to fill a disk with it."""

import errno
import logging
import time
from collections.abc import Callable

LOGGERS = ("uvicorn.error", "asyncio")
SECONDS = 60.0
KINDS = 50  # the most kinds of messages in that time
NO_FILES = "No more files can be opened, so connections have to wait: `ulimit -n` raises the limit"
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE)
BAD_TEXT = "Invalid UTF-8 sequence received from client."  # uvicorn's words; it closes the WebSocket with 1007


class RepeatFilter(logging.Filter):
    """Pass a message once a minute, with a note of how many like it were left out."""

    def __init__(self, seconds: float = SECONDS, kinds: int = KINDS, now: Callable[[], float] = time.monotonic):
        super().__init__()
        self._seconds, self._kinds, self._now = seconds, kinds, now
        self._seen: dict[tuple, tuple[float, int]] = {}  # kind → when it last passed, how many were left out since

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record is written."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and error.errno in OUT_OF_FILES:
            record.msg, record.args = NO_FILES, ()
            record.exc_info = record.exc_text = None
        if record.msg == BAD_TEXT:  # a client's fault needs no traceback
            record.exc_info = record.exc_text = None
        kind = record.name, str(record.msg).strip().partition("\n")[0][:80], type(error)
        passed, left_out = self._seen.get(kind, (None, 0))
        if passed is not None and self._now() - passed < self._seconds:
            self._seen[kind] = passed, left_out + 1
            return False
        if passed is None and not self._has_space():
            return False
        self._seen[kind] = self._now(), 0
        if left_out:
            record.msg, record.args = f"{record.getMessage().rstrip()} ({left_out} more like this were left out)", ()
        return True

    def _has_space(self) -> bool:
        if len(self._seen) >= self._kinds:
            recent = self._now() - self._seconds
            self._seen = {kind: seen for kind, seen in self._seen.items() if seen[0] > recent}
        return len(self._seen) < self._kinds


REPEAT_FILTER = RepeatFilter()


def keep_log_short() -> None:
    """Filter the loggers in which strangers can cause messages."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(REPEAT_FILTER)
