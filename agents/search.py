"""What the searches share: how their strings are read, how time is kept, what a hint is made of."""

import re
import time
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.base import Agent, Batch, Hint
from agents.candidates import distinct_cards, lowest_equal
from agents.likely import DEALT, STIRS, Bench, new_bench
from agents.names import Word
from spades_env.cards import NUM_ACTIONS
from spades_env.engine import write_mask
from spades_env.state import PASS

LONGEST_MS = 60_000
WORLDS_A_MS = 7  # likely worlds of a search by the clock: to weigh them takes a tenth of the time; then it draws anew
MOST_TIMED = 512


@dataclass(frozen=True)
class Options:
    """rule: roll-outs by our rule player; likely: worlds that fit the bids and cards seen; loyal: what our rule player
    would do is left only for what is better beyond doubt; free: it is left for whatever looks better.
    """

    rule: bool = False
    likely: bool = False
    loyal: bool = False
    free: bool = False

    @classmethod
    def of(cls, word: Word, known: tuple[str, ...] = ("rule", "likely")) -> "Options":
        """Those of an agent's string, of which there may be these."""
        for option in word.options:
            if option not in known or word.options.count(option) > 1:
                there_are = " and ".join([", ".join(f"+{name}" for name in known[:-1]), f"+{known[-1]}"])
                raise word.refuse(f"+{option} is no option of it, {there_are} are (each once)")
        if {"loyal", "free"} <= set(word.options):
            raise word.refuse("it is +loyal or +free, not both")
        return cls(**dict.fromkeys(word.options, True))


def only_option(word: Word, option: str) -> Word:
    """What stands behind an option such as `search:` that goes with no other, as the setting of a word."""
    if len(word.options) != 1:
        raise word.refuse(f"+{option[:-1]} goes with no other option")
    return Word(word.text, word.name, word.options[0].removeprefix(option), ())


def seconds_of(word: Word) -> float | None:
    """The time that a setting such as `200ms` grants; None where the setting is no time."""
    found = re.fullmatch(r"(\d+)ms", word.setting, re.ASCII)
    if not found:
        return None
    return whole_of(word, "milliseconds", found[1], LONGEST_MS) / 1000


def whole_of(word: Word, what: str, text: str, most: int) -> int:
    """A number of a setting."""
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise word.refuse(f"{what} must be a whole number from 1 to {most}, not {text!r}")
    return int(text)


def slices(seconds: float) -> Iterator[None]:
    """Yields until the time is up, at least once."""
    end = time.perf_counter() + seconds
    yield
    while time.perf_counter() < end:
        yield


class Search(Agent):
    """It tries what may come of its candidates: a fixed number of times, or as often as fits into `seconds`.

    worlds: how many likely ones are drawn at once; `dealt` are dealt for each, and each is stirred so often.
    """

    dealt, stirs = DEALT, STIRS

    def __init__(self, name: str, seconds: float | None, worlds: int, seed: int = 0):
        super().__init__(name, seed)
        self.seconds = seconds
        self.worlds = worlds if seconds is None else max(1, min(MOST_TIMED, int(1000 * WORLDS_A_MS * seconds)))

    def _choose(self, batch: Batch) -> np.ndarray:
        bench, memory, walks = self._new_bench(), self._new_memory(), batch.walks(self.seed)
        out = np.empty(len(batch), np.int64)
        if self.seconds is None:
            self._choose_counted(batch, walks, bench, memory, out)
        else:
            for i in range(len(batch)):
                self._think(batch, i, walks[i], bench, memory)
                out[i] = max(self._weights(memory), key=lambda pair: pair[1])[0]
        return out

    def _weigh(self, batch: Batch) -> Hint:
        memory = self._new_memory()
        self._think(batch, 0, batch.walks(self.seed)[0], self._new_bench(), memory)
        return with_equals(batch, self._weights(memory))

    def _think(self, batch: Batch, i: int, walk: np.uint64, bench: Bench, memory) -> None:
        self._begin(batch, i, walk, bench, memory)
        for _ in slices(self.seconds or 0):
            if not self._go_on(batch, i, bench, memory):
                break

    def _new_bench(self) -> Bench:
        return new_bench(self.worlds, self.dealt, self.stirs)

    @abstractmethod
    def _new_memory(self) -> Any:
        """What the search keeps of one question."""

    @abstractmethod
    def _choose_counted(self, batch: Batch, walks: np.ndarray, bench: Bench, memory, out: np.ndarray) -> None:
        """Answer all positions, each after the fixed number of trials."""

    @abstractmethod
    def _begin(self, batch: Batch, i: int, walk: np.uint64, bench: Bench, memory) -> None:
        """Position i is asked about."""

    @abstractmethod
    def _go_on(self, batch: Batch, i: int, bench: Bench, memory) -> bool:
        """The fixed number of trials, or a slice of the time; is the choice still open?"""

    @abstractmethod
    def _weights(self, memory) -> Hint:
        """The candidates with what they are worth, the answer before others that are worth as much."""


def with_equals(batch: Batch, tried: Hint) -> Hint:
    """Every card that may be played or passed, worth what the one is that was tried for it; of bids those tried."""
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
