"""A real Firefox for tests, driven by WebDriver BiDi: Playwright's protocol needs a Firefox of its own."""

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.play.browsers import PACE, WANTED
from support.play.servers import SECONDS, Running
from support.play.sites import Served
from websockets.sync.client import ClientConnection, connect

BROWSERS = ("firefox-esr", "firefox")
PREFERENCES = {  # nothing is asked of anybody's server, and no page of its own is shown
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "services.settings.server": "data:,",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
SHOWN = "[it.state.key, it.state.view.version, it.state.view.hand, it.state.view.trick]"
TURN = "!it.state.busy && (it.state.view?.your_turn || !!it.state.view?.outcome)"


def needs_firefox() -> None:
    """Skip the test that calls this where there is no Firefox."""
    if not _path() and WANTED:
        pytest.fail("SPADES_BROWSER_TESTS=1, but there is no Firefox", pytrace=False)
    if not _path():
        pytest.skip("there is no Firefox")


def _path() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


class Tab:
    """A tab of Firefox."""

    def __init__(self, line: ClientConnection):
        self._line, self._numbers = line, itertools.count(1)
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        [first] = self._send("browsingContext.getTree")["contexts"]
        self._context, self.errors = first["context"], []

    def _send(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._line.recv(timeout=SECONDS))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, address: str) -> None:
        self._send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def reload(self) -> None:
        self._send("browsingContext.reload", context=self._context, wait="complete")

    def new_tab(self) -> None:
        """Close the tab and go on in a new one."""
        old, self._context = self._context, self._send("browsingContext.create", type="tab")["context"]
        self._send("browsingContext.close", context=old)

    def evaluate(self, code: str) -> Any:
        """Return what an expression gives; it may await."""
        done = self._evaluated(f"(async () => JSON.stringify(await ({code})))()")
        return json.loads(done.get("value") or "null")

    def _evaluated(self, code: str) -> dict[str, Any]:
        target = {"context": self._context}
        done = self._send("script.evaluate", expression=code, target=target, awaitPromise=True)
        assert done["type"] == "success", done["exceptionDetails"]["text"]
        return done["result"]

    def until(self, code: str) -> Any:
        """Wait until an expression is true, and return it."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if found := self.evaluate(code):
                return found
            time.sleep(0.02)
        raise AssertionError(f"never: {code}")

    def click(self, selector: str) -> None:
        """Click with the mouse into the middle of an element."""
        element = {"sharedId": self._evaluated(f"document.querySelector({json.dumps(selector)})")["sharedId"]}
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": element}},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self._send("input.performActions", context=self._context, actions=[mouse])


class Player:
    """A person who plays in a tab of Firefox."""

    def __init__(self, tab: Tab, site: Served | Running):
        self.tab, self._address = tab, f"http://127.0.0.1:{site.port}/"
        self._modules = f"/{site.version}/page" if isinstance(site, Served) else "/page"

    def come(self) -> None:
        self.tab.open(self._address)
        self.is_seated()

    def is_seated(self) -> None:
        """Wait for the table, and play without pauses."""
        self.tab.until("!!document.querySelector('.table.lively')")
        self.tab.evaluate(self._with("settings", f"it.adopt({{...it.USUAL, ...{json.dumps(PACE)}}}) ?? true"))

    def comes_back(self) -> None:
        """Leave in mid-trick, and find the table as it was."""
        self.until(TURN)
        shown = self.state(SHOWN)
        self.tab.new_tab()
        self.come()
        self.until("!!it.state.view")
        assert self.state(SHOWN) == shown

    def _with(self, module: str, words: str) -> str:
        """Return the code that evaluates words with a module of the page as `it`."""
        return f"import('{self._modules}/{module}.js').then((it) => {words})"

    def state(self, words: str) -> Any:
        return self.tab.evaluate(self._with("state", words))

    def until(self, words: str) -> None:
        self.tab.until(self._with("state", words))

    def new(self, rules: str, bots: tuple[str, ...] = ("rule", "otto", "zofia", "mc:30x30")) -> None:
        given = {"rules": rules, "bots": bots, "seed": "5"}
        key = self.ask("new", **given)["key"]
        self.until(f"it.state.key === '{key}'")

    def ask(self, what: str, **fields: Any) -> Any:
        """Send a request as the page does, and return the answer."""
        return self.tab.evaluate(self._with("connection", f"it.ask('{what}', {json.dumps(fields)})"))

    def press(self, name: str) -> None:
        """Press the button with these words."""
        buttons = f"[...document.querySelectorAll('button')].filter((one) => one.textContent.trim() === '{name}')"
        self.tab.until(f"{buttons}.map((one) => one.click()).length > 0")

    def play(self, moves: int = 1000) -> None:
        """Make this many moves by mouse, or play to the end."""
        for _ in range(moves):
            self.until(TURN)
            if self.state("it.state.view.outcome"):
                return
            version = self.state("it.state.view.version")
            self.tab.click(".hand .legal" if self.state("it.state.view.phase") == "play" else '.bid[data-bid="3"]')
            self.until(f"it.state.view.version > {version}")


@contextmanager
def firefox(profile: Path) -> Iterator[Tab]:
    """Run Firefox for the length of a block; what it keeps lies in the profile."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    command = [_path(), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
    environment = os.environ | {"HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        with connect(f"{_address(process)}/session", max_size=None, open_timeout=SECONDS) as line:
            yield Tab(line)
    finally:
        process.terminate()
        process.communicate()


def _address(process: subprocess.Popen) -> str:
    assert process.stderr
    for said in process.stderr:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", said):
            return found[1]
    raise AssertionError("Firefox ended before it could be driven")
