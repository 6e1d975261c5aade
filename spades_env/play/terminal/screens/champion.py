"""The champion's game of a daily deal, played in a thread beside the table."""

import asyncio

from textual.screen import Screen

from spades_env.errors import SpadesError
from spades_env.play.daily.champion import champion_hands
from spades_env.play.daily.deal import ChampionHand
from spades_env.play.store.sitting import Sitting
from spades_env.play.terminal.screens.panels import TablePanels
from spades_env.play.threads import in_thread

WAIT_SECONDS = 0.1  # until the bots are looked at again
END = object()


class ChampionGame:
    """Plays the champion's hands that are missing, and saves each with the sitting."""

    def __init__(self, screen: Screen[None], sitting: Sitting, panels: TablePanels):
        self._screen, self._sitting, self._panels = screen, sitting, panels
        self._ended = asyncio.Event()

    def start(self) -> None:
        daily = self._sitting.table.daily
        if daily is None or daily.complete:
            self._ended.set()
        else:
            self._screen.run_worker(self._play(), group="champion")

    async def end(self) -> None:
        """Wait until the champion has finished, or an error has stopped the game."""
        await self._ended.wait()

    async def _play(self) -> None:
        daily = self._sitting.table.daily
        assert daily
        walk, number = champion_hands(daily), len(daily.champion)
        try:
            while (hand := await in_thread(next, walk, END)) is not END:
                if isinstance(hand, ChampionHand):
                    self._take(number, hand)
                    number += 1
                while self._panels.thinking:
                    await asyncio.sleep(WAIT_SECONDS)
        except SpadesError as error:
            self._panels.say(str(error))
        finally:
            self._ended.set()

    def _take(self, number: int, hand: ChampionHand) -> None:
        """Save a finished hand, unless another program has done that."""
        daily = self._sitting.table.daily
        if daily and len(daily.champion) == number:
            daily.champion.append(hand)
            self._sitting.save()
