"""Finished hands in the store, with the results that statistics are made of.

A hand that is taken back stays, marked.
"""

from functools import lru_cache

from spades_env.errors import SpadesError
from spades_env.game.facts import HandResult
from spades_env.game.rules import Rules
from spades_env.plain import from_json
from spades_env.play.store.file import StoreFile
from spades_env.play.store.results import hand_rows
from spades_env.play.store.rows import DATA, Row, as_json
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.table import Table

REMEMBERED = 16_384  # hands whose results are cached


class FinishedHands:
    """The finished hands of all sittings."""

    def __init__(self, file: StoreFile):
        self._file = file

    def of(self, key: str, taken_back: bool = False) -> list[PlayedHand]:
        """Return the finished hands of a sitting, or those that were taken back."""
        found = self._file.parsed("hands", _hand, "WHERE key = ? ORDER BY number, id", key)
        return [hand for hand, back in found if back == taken_back]

    def results(self, key: str) -> list[HandResult]:
        """Return the results of a sitting's finished hands. Each hand is replayed only once."""
        rest = "WHERE key = ? AND NOT taken_back ORDER BY number, id"
        return self._file.parsed("hands", lambda row: result_of(row["rules"], row[DATA]), rest, key)

    def save(self, table: Table) -> None:
        """Insert new hands, and mark those that were taken back, within the caller's transaction."""
        now = {as_json(hand.as_dict()): hand for hand in table.finished}
        rows = self._file.rows(f"SELECT id, {DATA} FROM hands WHERE key = ? AND NOT taken_back", table.key)
        before = {text: id for id, text in rows}
        for text in before.keys() - now.keys():
            self._file.update("hands", {"taken_back": 1}, "WHERE id = ?", before[text])
        for text, hand in now.items():
            if text not in before:
                row = {"key": table.key, "number": hand.number, "taken_back": 0, "rules": str(table.rules), DATA: text}
                number = self._file.insert("INSERT INTO hands", [row])
                if table.counted:
                    self._file.insert("INSERT INTO hand_results", hand_rows(table, hand, number))

    def was_any_finished(self, key: str) -> bool:
        """Was a hand of this sitting ever finished, even if it was taken back?"""
        return self._file.one("SELECT 1 FROM hands WHERE key = ? LIMIT 1", key) is not None

    def last(self, key: str) -> tuple[str, str, int, int]:
        """Return the rules and the text of a sitting's last hand, unchecked; how many there are; the last number."""
        query = f"SELECT rules, {DATA}, count(*), max(number) FROM hands WHERE key = ? AND NOT taken_back"
        return self._file.rows(query, key)[0]


@lru_cache(REMEMBERED)
def result_of(rules: str, text: str) -> HandResult:
    """Return the result of a hand that was saved as this text; ValueError if it was not finished."""
    result = PlayedHand.from_dict(Rules.parse(rules), from_json(text)).result
    if result is None:
        raise SpadesError("the hand is not finished")
    return result


def _hand(row: Row) -> tuple[PlayedHand, bool]:
    return PlayedHand.from_dict(Rules.parse(row["rules"]), from_json(row[DATA])), bool(row["taken_back"])
