"""Draw docs/screens: `python docs/tools/screens.py`.

It plays the page in a real Chromium against its own server, with the helpers of the browser tests. The cards are the
same every time. To draw only some screens, name them: `python docs/tools/screens.py play review`.
"""

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "tests")]

from PIL import Image  # noqa: E402
from support.play.browsers import PHONE, Person, chromium, owner, serving  # noqa: E402

from spades_env.agents.atomic_files import write_whole  # noqa: E402
from spades_env.play.table.choices import default_adviser  # noqa: E402

FOLDER = DOCS / "screens"
WIDE = {"viewport": {"width": 1080, "height": 680}}
WAYS = {"light": WIDE, "dark": WIDE | {"color_scheme": "dark"}, "phone": PHONE}
BOTS = ("tove", "milly", "noor", "kwame")
SEED = 7
GAME = "classic target=off max_hands=4"

Screen = Callable[[Person], None]
SCREENS: dict[str, tuple[Screen, tuple[str, ...]]] = {}


def screen(*ways: str) -> Callable[[Screen], Screen]:
    """Draw the screen that a function leads to in these ways, under the function's name."""

    def noted(lead: Screen) -> Screen:
        SCREENS[lead.__name__.replace("_", "-")] = lead, ways
        return lead

    return noted


def deal(anna: Person, rules: str = GAME, moves: int = 0) -> None:
    """Open a new game, make this many moves, and wait until the person is to move."""
    anna.new(rules, seed=SEED, bots=BOTS)
    anna.play(moves)
    anna.on_turn()


@screen("phone")
def bid(anna: Person) -> None:
    deal(anna)


@screen("phone")
def blind_nil(anna: Person) -> None:
    deal(anna, "classic blind_nil_deficit=0 blind_nil_pass=1")


@screen("light")
def play(anna: Person) -> None:
    deal(anna, moves=3)
    while anna.state("state.view.trick.cards.length") < 2:
        anna.play(1)
        anna.on_turn()


@screen("dark")
def advice(anna: Person) -> None:
    deal(anna, moves=5)
    anna.page.keyboard.press("a")
    anna.page.wait_for_selector(".hand .weight:not([hidden])")


@screen("phone")
def last_trick(anna: Person) -> None:
    deal(anna, moves=5)
    anna.page.keyboard.press("r")


@screen("light")
def new_game(anna: Person) -> None:
    anna.button("New game").click()
    anna.page.wait_for_selector(".difficulty .marks")


@screen("light")
def review(anna: Person) -> None:
    deal(anna, moves=15)
    anna.menu("Review a hand")
    anna.button("Open the review").click()
    anna.page.wait_for_selector("text=/margin of error/", timeout=180_000)
    anna.page.keyboard.press("Home")
    for _ in range(2):  # the first mistake is a bid
        anna.page.keyboard.press("d")
    anna.page.wait_for_selector(".ghost")


@screen("light")
def lesson(anna: Person) -> None:
    anna.menu("Learn")
    anna.button("Start").click()
    anna.page.wait_for_selector(".lesson-board [data-card], .lesson-board [data-bid]")


@screen("light")
def daily(anna: Person) -> None:
    anna.menu("Daily deal")
    anna.page.wait_for_selector(".daily-players")


def picture(drawn: bytes) -> bytes:
    """Return a screenshot, small enough to keep."""
    out, image = io.BytesIO(), Image.open(io.BytesIO(drawn)).convert("RGB")
    palette = image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    adviser = default_adviser()
    with chromium() as browser:
        for name in sys.argv[1:] or SCREENS:
            lead, ways = SCREENS[name]
            for way in ways:
                with tempfile.TemporaryDirectory() as folder, serving(Path(folder), BOTS, adviser=adviser) as server:
                    anna = owner(browser, server, **WAYS[way])
                    lead(anna)
                    anna.page.wait_for_timeout(400)
                    write_whole(FOLDER / f"{name}-{way}.png", picture(anna.page.screenshot()))
                    anna.leave()
            print(name)


if __name__ == "__main__":
    main()
