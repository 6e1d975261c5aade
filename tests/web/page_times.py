"""How soon is a site ready, how long do bots think there, and what memory does it take?

python tests/web/page_times.py [SITE] [REPEATS]

Ready means that the hand is on the table, by the page's clock from the start of its navigation. A first visit is one
with an empty profile; a second one is in the same profile, when the service worker keeps everything. The memory is that
of the tab's process, after a game.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT), str(ROOT / "tests")]

from support.play.browsers import chromium  # noqa: E402
from support.play.sites import CACHED, Served, Visitor, served  # noqa: E402

from benchmarks.measure import machine  # noqa: E402

READY = """
window.ready = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".hand [data-card]")) return;
    observer.disconnect();
    resolve(performance.now());
  }).observe(document, { childList: true, subtree: true });
});
"""  # Playwright's own wait for a selector looks every half a second only
BOTS = ("standard", "zofia")
GAMES = 4
THINKING = """
import json, time
from spades_env import agents
from spades_env import Game

for name in {bots}:
    bot, found = agents.load(name, seed=1), []
    for seed in range({games}):
        game = Game("classic target=off max_hands=1", seed=seed)
        while game.phase != "over":
            choices = len(game.legal_actions())
            began = time.perf_counter()
            action = bot.act(game.view(game.turn))
            if choices > 1:
                found.append(time.perf_counter() - began)
            game.apply(action)
        found = found if seed else []  # the level is loaded in the first game
    print(json.dumps([name, found]), flush=True)
"""


def visits(browser: Any, site: Served) -> tuple[float, float]:
    """Return the seconds of a first and of a second visit."""
    context = browser.new_context()
    first = _opened(context, site)
    page = context.pages[0]
    while not page.evaluate(CACHED):
        page.wait_for_timeout(100)
    page.close()
    second = _opened(context, site)
    context.close()
    return first, second


def _opened(context: Any, site: Served) -> float:
    page = context.new_page()
    page.add_init_script(READY)
    page.goto(f"http://127.0.0.1:{site.port}/")
    return page.evaluate("window.ready") / 1000


def memory(browser: Any, site: Served) -> int:
    """Return the bytes of the tab's process after a game against the strongest."""
    anna = Visitor(browser, site)
    anna.new("match target=off max_hands=2", bots=("zofia",) * 4)
    anna.play()
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    found = max(_share(one["id"]) for one in processes if one["type"] == "renderer")
    anna.leave()
    return found


def _share(process: int) -> int:
    """Return the memory of a process; what several share is divided among them."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    return 1024 * int(re.findall(r"^Pss: +(\d+)", text, re.M)[0])


def thinking(folder: Path) -> Iterator[tuple[str, list[float]]]:
    """Return the seconds of each decision with a choice, of each bot, under node."""
    code = THINKING.format(bots=BOTS, games=GAMES)
    command = ["node", str(Path(__file__).with_name("node.mjs")), str(folder), code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    yield from map(json.loads, done.stdout.splitlines())


def main(folder: Path, repeats: int) -> None:
    print(f"{machine()}; load {os.getloadavg()[0]:.1f}")
    for name, seconds in thinking(folder):
        mean, middle = statistics.mean(seconds), statistics.median(seconds)
        of = f"mean {1000 * mean:.2f}, median {1000 * middle:.2f}, most {1000 * max(seconds):.1f} ms"
        print(f"{name}, a decision of {len(seconds)}: {of}")
    with served(folder) as site, chromium() as browser:
        first, second = zip(*(visits(browser, site) for _ in range(repeats)), strict=True)
        for name, times in {"first": first, "second": second}.items():
            print(f"{name} visit: best {min(times):.2f}, median {statistics.median(times):.2f} s of {repeats}")
        print(f"memory after a game: {memory(browser, site) / 1e6:.0f} MB")


if __name__ == "__main__":
    given = [*sys.argv[1:], *["build/play", "5"][len(sys.argv) - 1 :]]
    main(Path(given[0]), int(given[1]))
