"""Pictures of curves, learning.svg and jax_ppo.svg: games won and points by decisions."""

import math

HEIGHT = 330
LEFT, TOP, GAP = 52, 64, 88  # where the first panel begins, what lies between two
PANEL, DEPTH = 340, 200  # how large one is
MARGIN = 40  # right of the last
STYLE = """
svg { font: 12px system-ui, sans-serif; --paper: #fdfcf8; --ink: #1d2522; --soft: #6a726e; --line: #d9d6cc;
  --curve: #2c6e49 }
@media (prefers-color-scheme: dark) { svg { --paper: #191d1b; --ink: #e4e6e1; --soft: #98a09b; --line: #3a413d;
  --curve: #5fb98a } }
.paper { fill: var(--paper) } text { fill: var(--ink) } .head { font-size: 14px; font-weight: 600 }
.soft { fill: var(--soft) } .grid { stroke: var(--line) } .level { stroke: var(--soft); stroke-dasharray: 4 3 }
.curve { fill: none; stroke: var(--curve); stroke-width: 2 } .dot { fill: var(--curve) }
.bar { stroke: var(--curve); stroke-width: 1.5; opacity: .6 }
"""


def learning(evaluations: list[dict], title: str, step: int) -> str:
    """Draw games won and points by the number of decisions; step: millions between two marks."""
    rows = [(row["decisions"] / 1e6, row["rule"]) for row in evaluations]
    last = step * math.ceil(rows[-1][0] / step)
    shared = {"x": "million decisions", "x_ticks": [*range(0, last + 1, step)]}
    won = [[x, *(100 * share for share in (one["win_rate"], *one["win_rate_ci"]))] for x, one in rows]
    points = [[x, one["points_per_hand"]] for x, one in rows]
    even = {"levels": [[50, "as strong as rule"]]}, {"levels": [[0, "as strong as rule"]]}
    panels = [
        {"title": "Games won", "y": "% against rule, 95 % intervals", "ticks": [*range(0, 101, 20)], "points": won},
        {"title": "Points a hand", "y": "above rule", "ticks": [*range(-20, 41, 20)], "points": points},
    ]
    return svg(title, [panel | shared | levels for panel, levels in zip(panels, even, strict=True)])


def svg(title: str, panels: list[dict]) -> str:
    """Draw all panels, side by side."""
    width = LEFT + len(panels) * (PANEL + GAP) - GAP + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{HEIGHT}" rx="10"/>',
            *(_panel(panel, LEFT + i * (PANEL + GAP)) for i, panel in enumerate(panels)),
            "</svg>\n",
        ]
    )


def _panel(panel: dict, left: float) -> str:
    """Draw one pair of axes.

    panel: title, y (its unit), ticks, x_ticks, levels (dashed lines: height, words), points
    """
    ticks, x_ticks = panel["ticks"], panel["x_ticks"]

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        up = (y - ticks[0]) / (ticks[-1] - ticks[0])
        return left + PANEL * across, TOP + DEPTH * (1 - up)

    parts = [f'<text class="head" x="{left:.0f}" y="28">{panel["title"]}</text>']
    parts.append(f'<text class="soft" x="{left:.0f}" y="46">{panel["y"]}</text>')
    parts.append(f'<text class="soft" x="{left + PANEL}" y="{TOP + DEPTH + 36}" text-anchor="end">{panel["x"]}</text>')
    for tick in ticks:
        y = place(0, tick)[1]
        parts.append(f'<line class="grid" x1="{left}" x2="{left + PANEL}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="soft" x="{left - 7}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in x_ticks:
        x = place(tick, 0)[0]
        parts.append(f'<text class="soft" x="{x:.1f}" y="{TOP + DEPTH + 18}" text-anchor="middle">{tick:g}</text>')
    for height, words in panel.get("levels", []):
        y = place(0, height)[1]
        parts.append(f'<line class="level" x1="{left}" x2="{left + PANEL}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="soft" x="{left + PANEL}" y="{y - 5:.1f}" text-anchor="end">{words}</text>')
    return "\n".join(parts + _curve(panel["points"], place))


def _curve(points: list, place) -> list[str]:
    """Draw a line through its points, [x, y] or [x, y, low, high], with their intervals where they have some."""
    line = " ".join("{:.1f},{:.1f}".format(*place(*point[:2])) for point in points)
    parts = [f'<polyline class="curve" points="{line}"/>']
    for x, y, *interval in points:
        across, up = place(x, y)
        if interval:
            (_, low), (_, high) = (place(x, end) for end in interval)
            parts.append(f'<line class="bar" x1="{across:.1f}" x2="{across:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{across:.1f}" cy="{up:.1f}" r="3"/>')
    return parts
