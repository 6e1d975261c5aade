"""Fairness that anybody can check: the deal is settled, and its hash shown, before a card is seen.

    commitment = sha256(salt + " " + told)

told is `seed 7` for the game, shown from the first moment and opened when the game is over; and `hand 1: 2C 5C … | … |
… | …` (South, West, North, East) for each hand, shown before its bidding and opened when the hand is over. Every hand
has a salt of its own, which follows from the game's but does not tell it. A shell can check a hand:

    printf %s "SALT hand 1: DEAL" | sha256sum
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from play.hands import Start
from spades_env import Game, Rules


class ProofError(ValueError):
    """A proof that does not hold; the message says what is wrong."""


@dataclass(frozen=True)
class Proof:
    """A commitment that has been opened."""

    commitment: str
    salt: str
    told: str

    def as_dict(self) -> dict:
        """As plain data, for JSON."""
        return asdict(self)


def new_salt() -> str:
    """A salt nobody can guess."""
    return secrets.token_hex(16)


def hand_salt(salt: str, number: int) -> str:
    """The salt of one hand."""
    return hashlib.sha256(f"{salt} hand {number + 1}".encode()).hexdigest()[:32]


def commit(salt: str, told: str) -> str:
    """The hash that is shown."""
    return hashlib.sha256(f"{salt} {told}".encode()).hexdigest()


def hand_proof(salt: str, start: Start) -> Proof:
    """What opens a hand; `salt` is the game's."""
    own, told = hand_salt(salt, start.number), f"hand {start.number + 1}: {start.deal}"
    return Proof(commit(own, told), own, told)


def game_proof(salt: str, seed: int) -> Proof:
    """What opens a game."""
    told = f"seed {seed}"
    return Proof(commit(salt, told), salt, told)


def verify(proof: Proof) -> None:
    """Does what is told now fit the hash shown before? ProofError if not."""
    if commit(proof.salt, proof.told) != proof.commitment:
        raise ProofError(
            f"{proof.told.partition(':')[0]} is not what the commitment {proof.commitment[:16]}… was made of"
        )


def verify_game(rules: Rules, game: Proof, hands: Sequence[Proof], given: bool = False) -> None:
    """All hands of a finished game: each fits its hash, and its cards are those that the seed deals.

    given: the first hand's cards were not the seed's but chosen.
    """
    for proof in (game, *hands):
        verify(proof)
    seed = int(game.told.removeprefix("seed "))
    for place, proof in enumerate(hands):
        head, _, deal = proof.told.partition(": ")
        number = int(head.removeprefix("hand ")) - 1
        if proof.salt != hand_salt(game.salt, number):
            raise ProofError(f"the salt of {head} does not follow from that of the game")
        if not (given and place == 0) and deal != Game(rules, seed, hand_number=number).deal:
            raise ProofError(f"the cards of {head} are not those that the seed deals")
