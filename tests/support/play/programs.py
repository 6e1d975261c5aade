"""`spades table` as a program of its own, which tests can kill."""

import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

from support.paths import ROOT
from support.play.servers import Page

from spades_env.play.ready import COMPILING

TABLE = [sys.executable, "-m", "spades_env.play.commands.cli", "table", "--no-browser"]


class Program:
    """`spades table`; path: the way in, with the key."""

    def __init__(self, folder: Path, port: int = 0, **environment: str):
        line = [*TABLE, "--port", str(port), "--data", str(folder)]
        environment = {"NUMBA_DISABLE_JIT": "0"} | os.environ | {"PYTHONPATH": str(ROOT)} | environment
        heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a program in the background ignores it
        self.process = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, preexec_fn=heard
        )
        assert self.process.stdout
        told = self.process.stdout.readline()
        if told == f"{COMPILING}\n":
            told = self.process.stdout.readline()
        found = re.fullmatch(r"The table is at http://127\.0\.0\.1:(\d+)(/\?key=\S+)\n", told)
        assert found, told + self.process.stdout.read()
        self.port, self.path = int(found[1]), found[2]

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.communicate(timeout=60)

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def page(self) -> Page:
        page = Page(self.port, self.path)
        page.until(lambda: page.is_at_table)
        return page
