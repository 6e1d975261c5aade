"""Fairness that anybody can check: the deal is settled, and its hash shown, before a card is seen.

    commitment = sha256(salt + " " + told)

told is `secret 5f…` for the game, shown from the first moment and opened when the game is over; and `hand 1: 2C 5C … |
… | … | …` (South, West, North, East) for each hand, shown before its bidding and opened when the hand is over. Every
hand has a salt of its own, which follows from the game's but does not tell it. A shell can check a hand:

    printf %s "SALT hand 1: DEAL" | sha256sum

All hands follow from the secret (`spades_env.shuffle`), but no hand tells another one or the secret. A table that was
given a seed, and any table of earlier versions, tells `seed 7` for the game: whoever knows the seed knows every hand,
and it can be computed from one.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from play.hands import Start
from spades_env import Game, Rules
from spades_env.shuffle import SECRET

SECRET_WORDS = (
    "Every hand is dealt from a secret of 128 random bits. It's opened when the game is over, and then anyone can deal "
    "all hands again. Cards you've seen don't tell any others."
)
SEED_WORDS = (
    "This table deals from a seed, a single number. Whoever knows it can work out every hand, and it can be computed "
    "from a finished hand."
)
GIVEN_WORDS = (
    "The first hand wasn't shuffled here: its cards were set by hand, or are played once more. Someone may know them. "
    "After a finished game is played again, its later hands are known as well."
)


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


def game_proof(salt: str, game: Game) -> Proof:
    """What opens a game."""
    told = f"seed {game.seed}" if game.secret is None else f"secret {game.secret}"
    return Proof(commit(salt, told), salt, told)


def drawn_words(commitments: Mapping) -> list[str]:
    """Sentences for the player: where this table's cards come from, and who could know them."""
    words = [SEED_WORDS if commitments["drawn_from"] == "seed" else SECRET_WORDS]
    return [*words, GIVEN_WORDS] if commitments["given"] else words


def verify(proof: Proof) -> None:
    """Does what is told now fit the hash shown before? ProofError if not."""
    if commit(proof.salt, proof.told) != proof.commitment:
        raise ProofError(
            f"{proof.told.partition(':')[0]} is not what the commitment {proof.commitment[:16]}… was made of"
        )


def verify_game(rules: Rules, game: Proof, hands: Sequence[Proof], given: bool = False) -> None:
    """All hands of a finished game: each fits its hash, and its cards are those that the secret, or the seed, deals.

    given: the first hand's cards were not dealt but chosen.
    """
    for proof in (game, *hands):
        verify(proof)
    kind, source = _source(game)
    for place, proof in enumerate(hands):
        head, _, deal = proof.told.partition(": ")
        number = int(head.removeprefix("hand ")) - 1
        if proof.salt != hand_salt(game.salt, number):
            raise ProofError(f"the salt of {head} does not follow from that of the game")
        if not (given and place == 0) and deal != Game(rules, **source, hand_number=number).deal:
            raise ProofError(f"the cards of {head} are not those that the {kind} deals")


def _source(game: Proof) -> tuple[str, dict]:
    """What decides the deals, as `Game` takes it."""
    kind, _, value = game.told.partition(" ")
    if kind == "secret" and SECRET.fullmatch(value):
        return kind, {kind: value}
    if kind == "seed" and value.isascii() and value.isdigit():
        return kind, {kind: int(value)}
    raise ProofError(f"a game's proof tells its secret or its seed, not {game.told!r:.60}")
