"""The fuzzer's targets, with valid examples bent a little: `make fuzz` goes on from here for as long as it is given."""

import random
import re

import pytest
from fuzz.targets import Target, targets
from support.paths import ROOT
from support.strategies import scaled

TARGETS = targets()
INPUTS = 150
PIECES = (b"", b"\x00", b"\xff", b"=", b"[" * 3000, b'"', b"-1", b"9" * 30, b"\n", "ß".encode(), b"off", b"NaN")


def bent(example: bytes, rng: random.Random) -> bytes:
    """Return an example with one to four faults: a flipped bit, a piece cut out, doubled, or put in."""
    data = bytearray(example)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 2, 8, 64)))
        match rng.randrange(4):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end]
            case _:
                data[at:at] = rng.choice(PIECES)
    return bytes(data)


@pytest.mark.parametrize("name", TARGETS)
def test_examples_are_read(name):
    target = TARGETS[name]
    assert target.examples
    for example in target.examples:
        assert target.try_input(example)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_bent_is_refused_in_a_sentence(name):
    target, rng = TARGETS[name], random.Random(1)
    refused = sum(not target.try_input(bent(rng.choice(target.examples), rng)) for _ in range(scaled(INPUTS)))
    assert refused


def test_make_fuzzes_every_kind_of_input():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^FUZZ_TARGETS \?= (.*)$", makefile, re.MULTILINE)
    assert listed.split() == sorted(TARGETS)


def test_a_fault_would_be_noticed():
    def broken(data: bytes) -> None:
        raise KeyError("not what was promised")

    with pytest.raises(KeyError):
        Target(broken, ValueError, (b"x",)).try_input(b"x")
