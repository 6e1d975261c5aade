"""Deals from a secret, for tables where one hand's cards must not give away the next one's.

    secret = new_secret()                 128 random bits as 32 hex digits
    deal(secret, 0, deck("normal"))       four hands of thirteen: a function of the secret and the hand's number
    derived(secret, "bots")               a number for another purpose, which reveals nothing of the secret or the deals

A `Game`'s seed deals quickly and the same everywhere, which is what research needs. But its hash can be inverted, so
one hand's cards reveal the seed. Here every number comes from BLAKE2b keyed with the secret. Block b of hand n
is the digest (64 bytes) of the text "n b", n counted from 1 and b from 0, with the personalization "spades deal"; the
blocks are read as little-endian words of 8 bytes. A Fisher-Yates shuffle of the deck swaps place i with a place from
0 to i, for i from 51 down to 1. A word that would favour some places is skipped. South gets the first thirteen cards,
then West, North and East.
"""

import hashlib
import re
import secrets
import struct
from collections.abc import Iterator, Sequence
from itertools import count

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS, NUM_TRICKS, Card, Seat

SECRET = re.compile(r"[0-9a-f]{32}")
WORD = 2**64


def new_secret() -> str:
    return secrets.token_hex(16)


def checked_secret(secret: str) -> str:
    if not isinstance(secret, str) or not SECRET.fullmatch(secret):
        raise SpadesError(f"a secret is 32 hex digits (0-9, a-f), not {secret!r:.60}")
    return secret


def derived(secret: str, purpose: str, size: int = 16) -> int:
    """Return a number of `size` bytes for one purpose; different purposes give unrelated numbers."""
    return int.from_bytes(_digest(secret, purpose, b"spades derived", size), "little")


def deal(secret: str, hand_number: int, cards: Sequence[Card]) -> list[list[Card]]:
    """Return the cards of a hand by seat, South first; hands are numbered from 0."""
    shuffled, words = list(cards), _words(secret, hand_number)
    for i in range(len(shuffled) - 1, 0, -1):
        j = _below(words, i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return [sorted(shuffled[NUM_TRICKS * seat : NUM_TRICKS * (seat + 1)]) for seat in range(NUM_SEATS)]


def _words(secret: str, hand_number: int) -> Iterator[int]:
    for block in count():
        digest = _digest(secret, f"{hand_number + 1} {block}", b"spades deal", 64)
        yield from struct.unpack("<8Q", digest)


def _below(words: Iterator[int], n: int) -> int:
    """Return a uniform number from 0 to n - 1; words from the last, incomplete run of n are skipped."""
    return next(word for word in words if word < WORD - WORD % n) % n


def _digest(secret: str, text: str, person: bytes, size: int) -> bytes:
    key = bytes.fromhex(secret)
    return hashlib.blake2b(text.encode(), key=key, person=person, digest_size=size).digest()


def agent_seed(game_seed: int, seat: Seat) -> int:
    """Return an agent's own seed. It follows from the game's but does not reveal it, which would reveal the deal."""
    digest = hashlib.blake2b(f"{game_seed} {seat}".encode(), digest_size=7, person=b"spades agent").digest()
    return int.from_bytes(digest)
