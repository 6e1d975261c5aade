"""Whether two names look the same to people, so that nobody is taken for somebody else at a table.

Letters are compared as they look: without accents, and with the look-alikes of other alphabets as Latin letters. That
covers Latin, Cyrillic, Greek and Armenian, not all that Unicode has. Names in any script may sit at a table; only one
that looks like another's is refused.
"""

import unicodedata
from itertools import chain

FEWEST_ACCENT = 200  # the combining classes of accents; lower ones are parts of letters, such as vowels of Hebrew
FILLERS = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800)  # invisible, and yet printable for Python
VARIATIONS = (range(0x180B, 0x180E), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
INVISIBLE = frozenset(map(chr, chain(FILLERS, *VARIATIONS)))
STROKE = "|"  # stands for a small L, a capital I and a 1; no name contains it
PAIRS = (
    ("АВЕЅІЈКМНОРСТУХ", "ABESIJKMHOPCTYX"),  # Cyrillic capitals
    ("аеѕіјкорсухһԁԛԝ", "aesijkopcyxhdqw"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),  # Greek capitals
    ("αγικνορσυχ", "ayikvopoux"),
    ("հոսցՕօ", "hnugOo"),  # Armenian
    ("ıɑɡ0", "iago"),
    ("lI1ӏӀ", 5 * STROKE),
)
LOOKALIKES = {ord(one): latin for others, letters in PAIRS for one, latin in zip(others, letters, strict=True)}


def look_alike(one: str, other: str) -> bool:
    return _folded(one) == _folded(other) or _skeleton(one) == _skeleton(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _skeleton(name: str) -> str:
    """Return a text that is the same for names that look the same."""
    parts = unicodedata.normalize("NFKD", name)
    seen = [one for one in parts if unicodedata.combining(one) < FEWEST_ACCENT and one not in INVISIBLE]
    latin = "".join(seen).translate(LOOKALIKES).translate(LOOKALIKES)  # a Cyrillic І is an I, and that is a stroke
    return " ".join(latin.casefold().split()).replace("rn", "m")
