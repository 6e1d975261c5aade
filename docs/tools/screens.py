"""Draw docs/screens: `python docs/tools/screens.py`.

Every screen of the page is drawn wide and light, wide and dark, and on a phone.

The page is played in a real Chromium at a server of its own, with what the browser tests use; the cards are the same
every time. Names of screens may be given: `python docs/tools/screens.py play review`.
"""

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "tests")]

from PIL import Image  # noqa: E402
from support.browsers import PHONE, Person, chromium, owner, serving  # noqa: E402

from spades_env.agents.files import write_whole  # noqa: E402
from spades_env.play.table.choices import default_adviser  # noqa: E402

FOLDER = DOCS / "screens"
WIDE = {"viewport": {"width": 1080, "height": 680}}
WAYS = {"light": WIDE, "dark": WIDE | {"color_scheme": "dark"}, "phone": PHONE}
BOTS = ("tove", "milly", "noor", "kwame")
SEED = 7
GAME = "classic target=off max_hands=4"

Screen = Callable[[Person], None]
SCREENS: dict[str, Screen] = {}


def screen(draw: Screen) -> Screen:
    """Make a picture of the screen that this function leads to, under the function's name."""
    SCREENS[draw.__name__.replace("_", "-")] = draw
    return draw


def deal(anna: Person, rules: str = GAME, seed: int | None = SEED) -> None:
    anna.new(rules, seed=seed, bots=BOTS)


def played(anna: Person, moves: int) -> None:
    """Open a new game, make this many moves, and wait until the person is to move."""
    deal(anna)
    anna.play(moves)
    anna.on_turn()


def following(anna: Person) -> None:
    """… and two cards or more on the table."""
    played(anna, 3)
    while anna.state("state.view.trick.cards.length") < 2:
        anna.play(1)
        anna.on_turn()


@screen
def bid(anna: Person) -> None:
    deal(anna)
    anna.on_turn()


@screen
def blind_nil(anna: Person) -> None:
    deal(anna, "classic blind_nil_deficit=0 blind_nil_pass=1")
    anna.on_turn()


@screen
def passing(anna: Person) -> None:
    blind_nil(anna)
    anna.button("Blind nil ±200").click()
    anna.button("Yes, blind nil").click()
    anna.page.wait_for_selector(".hand .legal")


@screen
def play(anna: Person) -> None:
    following(anna)


@screen
def advice(anna: Person) -> None:
    played(anna, 5)
    anna.page.keyboard.press("a")
    anna.page.wait_for_selector(".hand .weight:not([hidden])")


@screen
def last_trick(anna: Person) -> None:
    played(anna, 5)
    anna.page.keyboard.press("r")


@screen
def next_hand(anna: Person) -> None:
    played(anna, 14)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.on_turn()


@screen
def solo_with_jokers(anna: Person) -> None:
    anna.set(deck="four")
    deal(anna, "solo trumps=nyc", seed=2)
    anna.play(4)
    anna.on_turn()


@screen
def the_end(anna: Person) -> None:
    deal(anna, "showdown target=off max_hands=3")
    anna.play()


@screen
def new_game(anna: Person) -> None:
    anna.button("New game").click()
    anna.page.wait_for_selector(".difficulty .marks")


@screen
def rules(anna: Person) -> None:
    new_game(anna)
    anna.button("Rules").click()


@screen
def scores(anna: Person) -> None:
    played(anna, 31)
    anna.page.keyboard.press("p")


@screen
def review(anna: Person) -> None:
    played(anna, 15)
    anna.menu("Review a hand")
    anna.button("Open the review").click()
    anna.page.wait_for_selector("text=/margin of error/", timeout=180_000)
    for _ in range(26):
        anna.page.keyboard.press("ArrowRight")


@screen
def statistics(anna: Person) -> None:
    for _ in range(2):
        deal(anna, "classic target=off max_hands=1", seed=None)
        anna.play()
        anna.page.keyboard.press("Escape")
    anna.menu("Statistics")
    anna.page.wait_for_selector(".figure")


@screen
def fairness(anna: Person) -> None:
    played(anna, 15)
    anna.menu("Fairness")
    anna.button("Check the finished hands").click()
    anna.button("Ten thousand deals").click()
    anna.page.wait_for_selector(".deals details")


@screen
def games(anna: Person) -> None:
    the_end(anna)
    anna.page.keyboard.press("Escape")
    anna.menu("My games")
    anna.page.wait_for_selector(".games li")


@screen
def settings(anna: Person) -> None:
    anna.menu("Settings")


@screen
def menu(anna: Person) -> None:
    played(anna, 16)
    anna.button("More").click()


@screen
def learn(anna: Person) -> None:
    anna.menu("Learn")
    anna.page.wait_for_selector("dialog.learn button")


@screen
def lesson(anna: Person) -> None:
    learn(anna)
    anna.button("Start").click()
    anna.page.wait_for_selector(".lesson-board [data-card], .lesson-board [data-bid]")


@screen
def daily(anna: Person) -> None:
    anna.menu("Daily deal")
    anna.page.wait_for_selector(".daily-players")


@screen
def keys(anna: Person) -> None:
    anna.page.keyboard.press("?")


@screen
def table_link(anna: Person) -> None:
    anna.menu("Play with others")
    anna.page.get_by_label("Your name").fill("Anna")
    anna.button("Save").click()
    anna.page.get_by_label("Link", exact=True).wait_for()


def picture(drawn: bytes) -> bytes:
    """Return a screenshot, small enough to keep."""
    out, image = io.BytesIO(), Image.open(io.BytesIO(drawn)).convert("RGB")
    palette = image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted, adviser = sys.argv[1:] or list(SCREENS), default_adviser()
    with chromium() as browser:
        for name in wanted:
            for way, options in WAYS.items():
                with tempfile.TemporaryDirectory() as folder, serving(Path(folder), BOTS, adviser=adviser) as server:
                    server.server.origin = "http://192.168.1.5:8321"
                    anna = owner(browser, server, **options)
                    SCREENS[name](anna)
                    anna.page.wait_for_timeout(400)
                    write_whole(FOLDER / f"{name}-{way}.png", picture(anna.page.screenshot()))
                    anna.leave()
            print(name)


if __name__ == "__main__":
    main()
