"""A damaged file of sessions: a sentence names it, it is renamed, and what can still be read stays valid."""

import json
import os
from collections.abc import Callable

import pytest

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.session_file import OWNER
from spades_env.play.server.sessions import FILE, Sessions

TABLE = "a" * 16


@pytest.fixture
def sessions(tmp_path) -> Sessions:
    """A table with a guest who sits there."""
    found = Sessions(tmp_path)
    found.invite(TABLE)
    guest = found.by_cookie(found.join(TABLE))
    assert guest
    guest.name = "Bela"
    found.set_holders(TABLE, {2: guest.id})
    found.set_away(TABLE, guest.id, True)
    return found


DEEP = "[" * 3000 + "]" * 3000


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"format": 2}', b"\xff\xfe", DEEP.encode(), b'{"format": ' + DEEP.encode() + b"}"]
)
def test_a_file_that_cannot_be_read_is_kept_aside(tmp_path, content):
    said = []
    for number, name in enumerate((f"{FILE}.damaged", f"{FILE}.damaged-1")):
        (tmp_path / FILE).write_bytes(content)
        sessions = Sessions(tmp_path, said.append)
        assert said[number].startswith(f"{tmp_path / FILE} is damaged (")
        assert f"it is kept as {name};" in said[number]
        assert (tmp_path / name).read_bytes() == content
        assert Sessions(tmp_path, said.append).key == sessions.key
    assert len(said) == 2


def guests(**changes) -> Callable[[dict], None]:
    return lambda told: told["guests"][0].update(changes)


@pytest.mark.parametrize(
    ("part", "damage"),
    [
        ("key", lambda told: told.update(key=5)),
        ("key", lambda told: told.update(key="short")),
        ("epoch", lambda told: told.update(epoch=5)),
        ("invites", lambda told: told.update(invites=["x"])),
        ("invites", lambda told: told.update(invites={"x": 5})),
        ("guests", lambda told: told.update(guests={})),
        ("guests", guests(id=OWNER)),
        ("guests", guests(proof="")),
        ("guests", guests(name=7)),
        ("guests", guests(age=7)),
        ("guests", guests(settings=None)),
        ("seats", lambda told: told.update(seats={TABLE: {"south": "x"}})),
        ("seats", lambda told: told.update(seats={TABLE: {"": "x"}})),
        ("seats", lambda told: told.update(seats={TABLE: 3})),
        ("away", lambda told: told.update(away={TABLE: "x"})),
        ("away", lambda told: told.update(away=None)),
    ],
)
def test_what_is_sound_still_holds(tmp_path, sessions, part, damage):
    path, said = tmp_path / FILE, []
    before = json.loads(path.read_text())
    damaged = json.loads(path.read_text())
    damage(damaged)
    path.write_text(json.dumps(damaged))
    Sessions(tmp_path, said.append)
    [sentence] = said
    assert f"its {part} cannot be right" in sentence
    assert json.loads((tmp_path / f"{FILE}.damaged").read_text()) == damaged
    after = json.loads(path.read_text())
    assert {name for name in before if before[name] != after[name]} == {part}


def test_every_byte_of_it_flipped(tmp_path, sessions):
    """The server starts, and lets in nobody who could not come in before."""
    content = (tmp_path / FILE).read_bytes()
    own = {sessions.key, *sessions.invites, *sessions.guests}
    for place in range(0, len(content), 7):
        flipped = bytearray(content)
        flipped[place] ^= 0x01
        (tmp_path / FILE).write_bytes(flipped)
        said = []
        found = Sessions(tmp_path, said.append)
        assert len(found.key) >= 16
        assert OWNER not in found.guests
        if not said:
            told = {found.key, *found.invites, *found.guests}
            assert len(own ^ told) <= 2, place  # one word with a letter changed


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is closed to this user")
def test_a_file_that_is_closed_to_us_is_left_alone(tmp_path, sessions):
    (tmp_path / FILE).chmod(0)
    with pytest.raises(RefusedError, match=r"server\.json cannot be read: "):
        Sessions(tmp_path)
