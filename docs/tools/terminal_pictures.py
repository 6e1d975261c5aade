"""Draw the pictures of docs/playing.md, the program played by keys: `python docs/tools/terminal_pictures.py`."""

import asyncio
import re
import sys
import tempfile
from pathlib import Path
from typing import cast

DOCS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(DOCS.parent))

from textual.pilot import Pilot  # noqa: E402

from spades_env import Rules  # noqa: E402
from spades_env.agents.atomic_files import write_whole  # noqa: E402
from spades_env.play.store.database import Store  # noqa: E402
from spades_env.play.table.choices import default_bots  # noqa: E402
from spades_env.play.terminal.app import SpadesApp  # noqa: E402
from spades_env.play.terminal.client import hosted  # noqa: E402
from spades_env.play.terminal.pictures.look import FULL, NONE  # noqa: E402
from spades_env.play.terminal.screens.table import TableScreen  # noqa: E402
from spades_env.play.terminal.setup import GameSetup  # noqa: E402

PICTURES = {  # name: keys, colours, letters
    "play": (["2", "enter", "enter", "enter", "a"], FULL, False),
    "plain": (["2", "enter", "enter", "enter"], NONE, True),
}
FOREIGN = re.compile(r"\s*@font-face \{.*?\}|\s*<!--.*?-->", re.DOTALL)  # fonts from elsewhere


async def draw(name: str) -> str:
    """Return the picture as SVG, with the fonts that the reader has."""
    keys, colours, ascii_only = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        with Store(folder) as store:
            store.settings.set("terminal", {"pause": 0.0, "stay": 0.0})
            store.settings.set("page", {"language": "en"})
            store.settings.set("name", "Anna")
        async with hosted(Path(folder)) as client:
            await client.begin(GameSetup(Rules(), default_bots(), None).as_fields(), seed=7)
            app = SpadesApp(client, colours=colours, ascii=ascii_only)
            async with app.run_test(size=(80, 24)) as pilot:
                await settle(pilot)
                for key in keys:
                    await pilot.press(key)
                    if isinstance(app.screen, TableScreen):
                        await settle(pilot)
                drawn = app.export_screenshot(title="spades play")
    return FOREIGN.sub("", drawn).replace("Fira Code", "monospace")


async def settle(pilot: Pilot[str]) -> None:
    """Wait until the person is on turn, or a page waits to be read."""
    app = cast("SpadesApp", pilot.app)
    shown = app.screen
    await pilot.pause(0.2)
    while app.screen is shown and is_busy(app):
        await pilot.pause(0.2)
    await pilot.pause()


def is_busy(app: SpadesApp) -> bool:
    at_work = any(not worker.is_finished and worker.group in ("table", "asking") for worker in app.workers)
    return at_work or (app.table is not None and not app.table.turns.latest["your_turn"])


def main() -> None:
    for name in PICTURES:
        write_whole(DOCS / f"terminal-{name}.svg", asyncio.run(draw(name)))
        print(f"docs/terminal-{name}.svg")


if __name__ == "__main__":
    main()
