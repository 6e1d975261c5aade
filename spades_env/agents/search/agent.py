"""What all searches share: the options in their names, the clock, and the form of their hints."""

import time
from abc import abstractmethod
from typing import Any

import numpy as np

from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import CHANCE, Agent, Batch, Hint
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.worlds.likely import EXCHANGES, WorldPool, new_pool
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.engine import write_mask
from spades_env.game.state import PASS

WORLDS_A_MS = 7  # likely worlds of a search by the clock; weighing them takes a tenth of its time
MOST_TIMED = 512


def read_options(name: AgentName, *known: str) -> set[str]:
    """Return the options of an agent's string, of which `known` are allowed."""
    for option in name.options:
        if option not in known or name.options.count(option) > 1:
            takes = ", ".join(f"+{one}" for one in known)
            raise name.refuse(f"unknown or repeated +{option}; it takes {takes}")
    if {"loyal", "free"} <= set(name.options):
        raise name.refuse("+loyal and +free exclude each other")
    return set(name.options)


class Search(Agent):
    """An agent that tries its candidates a fixed number of times, or as often as fits into `seconds`.

    worlds: how many likely ones are drawn at once; exchanges: how many swaps are proposed for each.
    """

    exchanges = EXCHANGES

    def __init__(self, name: str, seconds: float | None, worlds: int, seed: int = 0):
        super().__init__(name, seed)
        self.seconds = seconds
        self.worlds = worlds if seconds is None else max(1, min(MOST_TIMED, int(1000 * WORLDS_A_MS * seconds)))

    def _choose(self, batch: Batch) -> np.ndarray:
        pool, memory, walks = self._new_pool(), self._new_memory(), batch.walks(self.seed)
        out = np.empty(len(batch), np.int64)
        if self.seconds is None:
            self._choose_counted(batch, walks, pool, memory, out)
        else:
            for i in range(len(batch)):
                self._think(batch, i, walks[i], pool, memory)
                out[i] = max(self._weights(memory), key=lambda pair: pair[1])[0]
        return out

    def _hint(self, batch: Batch) -> Hint:
        memory = self._new_memory()
        self._think(batch, 0, batch.walks(self.seed)[0], self._new_pool(), memory)
        return with_equals(batch, self._weights(memory))

    def _hint_measure(self, batch: Batch) -> str:
        return CHANCE

    def _think(self, batch: Batch, i: int, walk: np.uint64, pool: WorldPool, memory) -> None:
        self._begin(batch, i, walk, pool, memory)
        end = time.perf_counter() + (self.seconds or 0)
        while self._go_on(batch, i, pool, memory) and time.perf_counter() < end:
            pass

    def _new_pool(self) -> WorldPool:
        return new_pool(self.worlds, self.exchanges)

    @abstractmethod
    def _new_memory(self) -> Any:
        """Return the memory of one search."""

    @abstractmethod
    def _choose_counted(self, batch: Batch, walks: np.ndarray, pool: WorldPool, memory, out: np.ndarray) -> None:
        """Write to out the action at every position, each after the fixed number of trials."""

    @abstractmethod
    def _begin(self, batch: Batch, i: int, walk: np.uint64, pool: WorldPool, memory) -> None:
        """Begin to search position i."""

    @abstractmethod
    def _go_on(self, batch: Batch, i: int, pool: WorldPool, memory) -> bool:
        """Make the fixed number of trials, or those of a time slice; is the choice still open?"""

    @abstractmethod
    def _weights(self, memory) -> Hint:
        """Return the candidates with their weights, the answer before others with the same weight."""


def with_equals(batch: Batch, tried: Hint) -> Hint:
    """Add to the cards tried those that are alike, with the same weight; bids stay as they are."""
    if batch.tables.phase[0] < PASS:
        return tried
    s, r = batch.tables[0], batch.rules[batch.rules_of[0]]
    place, card_at = batch.rules.place[batch.rules_of[0]], batch.rules.card_at[batch.rules_of[0]]
    mask = np.zeros(NUM_ACTIONS, np.int8)
    write_mask(s, r, mask)
    distinct = np.uint64(distinct_cards(s, r))
    cards = [int(card) for card in np.flatnonzero(mask)]
    stands_for = {card: int(card_at[lowest_equal(distinct, np.int64(place[card]))]) for card in cards}
    equals = {like: sorted((c for c in cards if stands_for[c] == like), key=lambda c: c != like) for like, _ in tried}
    return [(card, weight) for like, weight in tried for card in equals[like]]
