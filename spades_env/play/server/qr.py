"""QR codes of links, for the page and for the terminal."""

import io

import segno


def rows(link: str) -> list[str]:
    """Return the modules of a link's code, row by row: 1 for a dark one."""
    return ["".join(map(str, row)) for row in _code(link).matrix]


def drawn(link: str) -> str:
    """Return a link's code for a terminal."""
    out = io.StringIO()
    _code(link).terminal(out, border=2, compact=True)
    return out.getvalue()


def _code(link: str) -> segno.QRCode:
    return segno.make_qr(link, error="l")
