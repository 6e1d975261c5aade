"""The table as a static page in Firefox: a whole game, a new start in mid-trick, a start without a network."""

import json
from typing import Any

from support.browsers import PACE, SHORT
from support.firefox import Tab, firefox, needs_firefox
from support.sites import CACHED, Served, needs_the_site, served, site

needs_the_site()
needs_firefox()

SHOWN = "[it.state.key, it.state.view.version, it.state.view.hand, it.state.view.trick]"
TURN = "!it.state.busy && (it.state.view?.your_turn || !!it.state.view?.outcome)"


class Player:
    """A person who plays in a tab of Firefox."""

    def __init__(self, tab: Tab, site: Served):
        self.tab, self._address = tab, f"http://127.0.0.1:{site.port}/"
        self._modules = f"/{site.version}/page"

    def come(self) -> None:
        self.tab.open(self._address)
        self.tab.until("!!document.querySelector('.table.lively')")
        self.tab.evaluate(self._with("settings", f"it.adopt({{...it.USUAL, ...{json.dumps(PACE)}}}) ?? true"))

    def _with(self, module: str, words: str) -> str:
        """Return the code that evaluates words with a module of the page as `it`."""
        return f"import('{self._modules}/{module}.js').then((it) => {words})"

    def state(self, words: str) -> Any:
        return self.tab.evaluate(self._with("state", words))

    def until(self, words: str) -> None:
        self.tab.until(self._with("state", words))

    def new(self, rules: str) -> None:
        given = {"rules": rules, "bots": ["rule", "otto", "zofia", "mc:30x30"], "seed": "5"}
        key = self.tab.evaluate(self._with("connection", f"it.ask('new', {json.dumps(given)})"))["key"]
        self.until(f"it.state.key === '{key}'")

    def play(self, moves: int = 1000) -> None:
        """Make this many moves by mouse, or play to the end."""
        for _ in range(moves):
            self.until(TURN)
            if self.state("it.state.view.outcome"):
                return
            version = self.state("it.state.view.version")
            self.tab.click(".hand .legal" if self.state("it.state.view.phase") == "play" else '.bid[data-bid="3"]')
            self.until(f"it.state.view.version > {version}")


def test_a_game_in_firefox(site, tmp_path):
    """Play, load again in mid-trick, play to the end, and begin anew when the server is gone."""
    with firefox(tmp_path) as tab:
        with served(site) as found:
            anna = Player(tab, found)
            anna.come()
            anna.new(SHORT)
            anna.play(4)
            anna.until(TURN)
            shown = anna.state(SHOWN)
            tab.new_tab()
            anna.come()
            anna.until("it.state.view")
            assert anna.state(SHOWN) == shown
            anna.play()
            assert anna.state("it.state.view.outcome.outcome") in ("win", "loss", "draw")
            tab.until(CACHED.join(["(", ")()"]))
            key = anna.state("it.state.key")
            tab.new_tab()
        anna.come()
        anna.until(f"it.state.key === '{key}'")
        anna.new(SHORT)
        anna.play(3)
    assert tab.errors == []
