"""Draw the pictures of docs/terminal.md, the program played by keys: `python docs/tools/terminal_pictures.py`."""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(DOCS.parent))

from textual.pilot import Pilot  # noqa: E402

from spades_env.agents.files import write_whole  # noqa: E402
from spades_env.play.store.database import Store  # noqa: E402
from spades_env.play.store.sitting import begin  # noqa: E402
from spades_env.play.table.choices import default_bots  # noqa: E402
from spades_env.play.terminal.app import SpadesApp  # noqa: E402
from spades_env.play.terminal.pictures.look import FULL, NONE  # noqa: E402
from spades_env.play.terminal.screens.table import TableScreen  # noqa: E402

PICTURES = {  # name: keys, colours, letters
    "play": (["2", "enter", "enter", "enter", "a"], FULL, False),
    "review": (["2", *["enter"] * 13, "space", "e", "y", "wait", "d", "d"], FULL, False),
    "plain": (["2", "enter", "enter", "enter"], NONE, True),
}
FOREIGN = re.compile(r"\s*@font-face \{.*?\}|\s*<!--.*?-->", re.DOTALL)  # fonts from elsewhere


async def draw(name: str) -> str:
    """Return the picture as SVG, with the fonts that the reader has."""
    keys, colours, ascii_only = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder, Store(folder) as store:
        for setting in ("pause", "stay"):
            store.settings.set(f"terminal.{setting}", 0.0)
        sitting = begin(store, "classic", default_bots(), "Anna", seed=7)
        app = SpadesApp(store, sitting, colours=colours, ascii=ascii_only)
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            for key in keys:
                await (settle(pilot) if key == "wait" else pilot.press(key))
                if isinstance(app.screen, TableScreen) or key == "wait":
                    await settle(pilot)
            drawn = app.export_screenshot(title="spades play")
    return FOREIGN.sub("", drawn).replace("Fira Code", "monospace")


async def settle(pilot: Pilot) -> None:
    """Wait until nobody thinks any more, or a page waits to be read."""
    await pilot.pause()
    shown = pilot.app.screen
    while pilot.app.screen is shown and any(not worker.is_finished for worker in pilot.app.workers):
        await pilot.pause(0.02)
    await pilot.pause()


def main() -> None:
    for name in PICTURES:
        write_whole(DOCS / f"terminal-{name}.svg", asyncio.run(draw(name)))
        print(f"docs/terminal-{name}.svg")


if __name__ == "__main__":
    main()
