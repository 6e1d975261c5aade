"""Pictures of metrics as SVG, the same bytes each time. matplotlib is imported when one is drawn.

svg((6, 4), draw)                      draw(figure)
panels([draw, draw], "two seeds")      draw(axis) for each panel
"""

import io
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

STYLE: Any = {
    "svg.hashsalt": "spades",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.parse_math": False,
}
IN_A_ROW = 4
PANEL = (4.5, 3.2)  # inches


def svg(size: tuple[float, float], draw: Callable[[Any], None]) -> bytes:
    """Return a picture of this size in inches; `draw` is given its figure."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter

    with matplotlib.rc_context(STYLE):
        figure = Figure(size, layout="constrained")
        draw(figure)
        for axis in figure.axes:
            if axis.get_xscale() == "log":  # whose usual labels are formulas
                axis.xaxis.set_major_formatter(EngFormatter())
        picture = io.BytesIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    return picture.getvalue()


def panels(draws: Sequence[Callable[[Any], None]], title: str = "") -> bytes:
    """Return a picture with a panel for each of these functions, which are given their axes."""
    count = max(1, len(draws))
    columns = min(count, IN_A_ROW)
    rows = math.ceil(count / columns)

    def draw(figure: Any) -> None:
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        if title:
            figure.suptitle(title)
        for axis, one in zip(axes, draws, strict=False):
            one(axis)
        for axis in axes[count:]:
            axis.remove()

    return svg((PANEL[0] * columns, PANEL[1] * rows), draw)


def chosen(names: Iterable[str], wanted: tuple[str, ...]) -> list[str]:
    """Return the names that are wanted; a wanted name that ends with a slash is a prefix."""
    return [name for name in names if any(name == one or (one[-1] == "/" and name.startswith(one)) for one in wanted)]
