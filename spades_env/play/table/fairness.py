"""Fairness that anybody can check: the hash of the deal is shown before a card is seen.

    commitment = sha256(salt + " " + statement)

The game's statement is `secret 5f…`. Its hash is shown from the start, and it is opened when the game is over. A
hand's statement is `hand 1: 2C 5C … | … | … | …` (South, West, North, East). Its hash is shown before the bidding, and
it is opened when the hand is over. Every hand has its own salt, derived from the game's without revealing it. A hand
can be checked in a shell:

    printf %s "SALT hand 1: DEAL" | sha256sum

All hands follow from the secret (`game.secret_deals`), but no hand reveals another one or the secret. A table with a
seed states `seed 7` for the game. The seed determines every hand, and it can be computed from one.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spades_env.errors import SpadesError
from spades_env.game.game import Game
from spades_env.game.rules import Rules
from spades_env.game.secret_deals import SECRET
from spades_env.play.table.hands import HandStart
from spades_env.play.texts import text


class ProofError(SpadesError):
    """A proof fails; the message says why."""


@dataclass(frozen=True)
class Proof:
    """An opened commitment: the hash, the salt, and the statement, `told` in JSON."""

    commitment: str
    salt: str
    told: str


def new_salt() -> str:
    return secrets.token_hex(16)


def hand_salt(salt: str, number: int) -> str:
    return hashlib.sha256(f"{salt} hand {number + 1}".encode()).hexdigest()[:32]


def commit(salt: str, statement: str) -> str:
    return hashlib.sha256(f"{salt} {statement}".encode()).hexdigest()


def hand_proof(salt: str, start: HandStart) -> Proof:
    """Return the proof of a hand; salt: the game's."""
    own, statement = hand_salt(salt, start.number), f"hand {start.number + 1}: {start.deal}"
    return Proof(commit(own, statement), own, statement)


def game_proof(salt: str, game: Game) -> Proof:
    statement = f"seed {game.seed}" if game.secret is None else f"secret {game.secret}"
    return Proof(commit(salt, statement), salt, statement)


def drawn_words(commitments: Mapping) -> list[str]:
    """Say where this table's cards come from, and who could know them."""
    words: list[str] = [text(f"fairness.from_{commitments['drawn_from']}")]
    return [*words, text("fairness.given")] if commitments["given"] else words


def verify(proof: Proof) -> None:
    if commit(proof.salt, proof.told) != proof.commitment:
        raise ProofError(f"{proof.told.partition(':')[0]} does not match the commitment {proof.commitment[:16]}…")


def verify_game(rules: Rules, game: Proof, hands: Sequence[Proof], given: bool = False) -> None:
    """Raise ProofError unless each hand of a finished game fits its hash and was dealt from the secret or the seed.

    given: the cards of the first hand were chosen, not dealt.
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
    """Return the kind of source, and the argument of `Game` for it."""
    kind, _, value = game.told.partition(" ")
    if kind == "secret" and SECRET.fullmatch(value):
        return kind, {kind: value}
    if kind == "seed" and value.isascii() and value.isdigit():
        return kind, {kind: int(value)}
    raise ProofError(f"a game's proof states its secret or its seed, not {game.told!r:.60}")
