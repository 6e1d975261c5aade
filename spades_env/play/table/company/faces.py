"""The faces that people choose from, and which face each of them has at a table. A page draws them, by name."""

from collections.abc import Mapping, Sequence
from typing import Any

from spades_env.game.cards import Seat
from spades_env.play.table.seats import TableError

FACES = ("fox", "owl", "bear", "cat", "hare", "frog", "panda", "lion", "penguin", "dog")


def checked_face(face: Any) -> str | None:
    if face is not None and face not in FACES:
        raise TableError(f"a face is one of {', '.join(FACES)}, or null")
    return face


def faces_at(people: Sequence[str | None], chosen: Mapping[Seat, str | None]) -> list[str | None]:
    """Return the face at each seat where a person plays: the chosen one, or one that nobody else there has."""
    taken = {face for face in chosen.values() if face}
    faces: list[str | None] = []
    for seat, person in enumerate(people):
        face = chosen.get(seat) or next(one for one in (*FACES[seat:], *FACES[:seat]) if one not in taken)
        taken |= {face} if person else set()
        faces.append(face if person else None)
    return faces
