"""A match or a ladder as an HTML page with SVG plots; the page loads nothing from elsewhere.

report.arena_page(result)      headline, win rate, points a hand and deal by deal, how both play
report.ladder_page(ladder)     ratings, who beats whom, how all play
"""

import html
import io
import re
from typing import Any

import numpy as np

from spades_env.agents.arena.ladder import ANCHOR_RATING, NEEDED, Ladder
from spades_env.agents.arena.match_result import Result
from spades_env.agents.figures import STATS, stat_text
from spades_env.extras import needed

INK, ACCENT, FAINT = "#010203", "#2c6e49", "#b0b7bc"  # the page replaces the first two, for light and dark
WIN_COLOURS = ["#c8553d", "#f2efe6", "#2d6f4a"]  # of a win rate of 0, ½, 1

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>
:root {{ color-scheme: light dark; --ink: #1d2522; --paper: #fdfcf8; --line: #d9d6cc; --soft: #6a726e;
  --accent: #2c6e49 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e4e6e1; --paper: #191d1b; --line: #3a413d; --soft: #98a09b; --accent: #5fb98a }} }}
body {{ margin: 2rem auto; max-width: 56rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper) }}
h1 {{ font-size: 1.6rem; margin-bottom: 0 }} h2 {{ font-size: 1.1rem; margin: 2rem 0 .5rem }}
p.about {{ color: var(--soft); margin-top: .2rem }}
p.note {{ color: var(--soft); margin-top: 2rem }} p.headline {{ font-size: 1.2rem }}
.wide {{ overflow-x: auto }} table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }}
th {{ font-weight: 600; white-space: normal; vertical-align: bottom }}
th:first-child, td:first-child {{ text-align: left; padding-left: 0 }}
svg {{ max-width: 100%; height: auto; color: var(--ink) }}
</style></head><body>
{body}
</body></html>
"""
NOTE = """<p class="note">Intervals are of 95 %, from the spread between deals. Bids and nils are counted per seat,
sets and bags (tricks above the bid) per side; a draw is half a win.</p>"""


def arena_page(result: Result) -> str:
    figures = result.as_dict()
    a, b = html.escape(result.a), html.escape(result.b)
    won = _estimate("{:.1%}", result.win_rate, result.win_rate_ci)
    ahead = _estimate("{:+.1f}", result.points_per_hand, result.points_per_hand_ci)
    stats = figures["stats"]
    rows = [[words, *(stat_text(key, stats[x][key]) for x in "ab")] for key, (words, _) in STATS.items()]
    rows.append(["four bids", f"{figures['four_bids']:.2f}", ""])
    return _page(
        f"{a} against {b}",
        about(figures),
        f'<p class="headline">{a} won {won} and was {ahead} points ahead in a hand.</p>',
        _section("Win rate and points a hand", _draw(_draw_intervals, (8, 1.9), result)),
        _section("What the deals brought", _draw(_draw_deals, (8, 2.8), result)),
        _section("How they play", _table(["", a, b], rows)),
    )


def ladder_page(ladder: Ladder) -> str:
    figures = ladder.as_dict()
    standings, rows, plays = figures["standings"], [], []
    for agent in standings:
        name, rating = html.escape(agent["name"]), _estimate("{:.0f}", agent["rating"], agent["rating_ci"])
        rows.append([name, rating, f"{agent['win_rate']:.1%}"])
        plays.append([name, *(stat_text(key, agent["stats"][key]) for key in STATS)])
    names = [agent["name"] for agent in standings]
    order = [ladder.names.index(name) for name in names]
    rates = ladder.win_rates()[np.ix_(order, order)]
    height = 0.36 * len(names) + 0.9
    return _page(
        f"Ladder of {len(names)} agents",
        f"{about(figures)} for each pairing; {scale_of(figures['anchor'])}",
        _section("Ratings", _draw(_draw_ratings, (8, height), standings, ANCHOR_RATING if figures["anchor"] else 0)),
        _section("Standings", _table(["", "rating [95 %]", "win rate"], rows)),
        _section("Win rate of the row against the column", _draw(_draw_rates, (8, height + 1), names, rates)),
        _section("How they play", _table(["", *(words for words, _ in STATS.values())], plays)),
    )


def about(figures: dict) -> str:
    games, unit = figures["games"], "games" if figures["mode"] == "games" else "single hands"
    played = f"{games:,} {unit} ({games // 2:,} deals, each played twice with seats swapped)"
    return f"{figures['rules']}, seed {figures['seed']}: {played}"


def scale_of(anchor: str | None) -> str:
    """Say where a ladder's ratings begin. anchor: the agent whose rating is fixed, if it takes part."""
    return f"{anchor} is rated {ANCHOR_RATING:.0f}" if anchor else "the mean rating is 0, as rule takes no part"


def _page(title: str, line: str, *parts: str) -> str:
    top = f'<h1>{title}</h1>\n<p class="about">{html.escape(line)}</p>'
    return PAGE.format(title=title, body="\n".join([top, *parts, NOTE]))


def _section(title: str, content: str) -> str:
    return f'<h2>{title}</h2>\n<div class="wide">{content}</div>'


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = ["".join(f"<th>{head}</th>" for head in heads)]
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return "<table>" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _estimate(form: str, value: float, ends) -> str:
    text = f"<b>{form.format(value)}</b>"
    if ends[0] is not None:
        text += f" [{', '.join(form.format(end) for end in ends)}]"
    return text.replace("-", "−")


# Plots


def _draw(draw, size: tuple[float, float], *arguments) -> str:
    """Return what `draw(figure, …)` draws as SVG in the page's colours."""
    needed("matplotlib", NEEDED)
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    ink = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK)
    clear = {"figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none"}
    plain = {"axes.spines.top": False, "axes.spines.right": False, "text.parse_math": False}
    svg = {"svg.fonttype": "none", "svg.hashsalt": draw.__name__, "font.family": "sans-serif"}
    style: dict[Any, Any] = {**ink, **clear, **plain, **svg}
    with matplotlib.rc_context(style):
        figure = Figure(size, layout="constrained")
        draw(figure, *arguments)
        out = io.StringIO()
        FigureCanvasSVG(figure).print_svg(out, metadata={"Date": None})
    svg = out.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)  # a page needs neither
    return svg.replace(INK, "currentColor").replace(ACCENT, "var(--accent)")


def _draw_intervals(figure, result: Result) -> None:
    panels = figure.subplots(1, 2, gridspec_kw={"wspace": 0.1})
    _draw_interval(panels[0], 100 * result.win_rate, [100 * end for end in result.win_rate_ci if end is not None])
    panels[0].set(xlim=(0, 100), xlabel=f"games won by {result.a}, %")
    panels[0].axvline(50, color=FAINT, zorder=0)
    ends = [end for end in result.points_per_hand_ci if end is not None]
    _draw_interval(panels[1], result.points_per_hand, ends)
    reach = 1.2 * max(1.0, *(abs(end) for end in [*ends, result.points_per_hand]))
    panels[1].set(xlim=(-reach, reach), xlabel=f"points a hand of {result.a} above {result.b}")
    panels[1].axvline(0, color=FAINT, zorder=0)


def _draw_interval(axes, value: float, ends: list[float]) -> None:
    if ends:
        axes.plot(ends, [0, 0], color=ACCENT, linewidth=5, alpha=0.4, solid_capstyle="butt")
    axes.plot([value], [0], "o", color=ACCENT, markersize=9, clip_on=False)
    axes.spines["left"].set_visible(False)
    axes.set(yticks=[], ylim=(-1, 1))


def _draw_deals(figure, result: Result) -> None:
    axes = figure.subplots()
    axes.hist(result.deal_points, bins=min(60, max(5, len(result.deal_points) // 8)), color=ACCENT)
    axes.axvline(0, color=FAINT)
    axes.set(xlabel=f"points of {result.a} above {result.b} in both games of a deal", ylabel="deals")


def _draw_ratings(figure, standings: list[dict], middle: float) -> None:
    axes = figure.subplots()
    for y, agent in enumerate(standings[::-1]):
        axes.plot(agent["rating_ci"], [y, y], color=ACCENT, linewidth=5, alpha=0.4, solid_capstyle="butt")
        axes.plot([agent["rating"]], [y], "o", color=ACCENT)
    axes.axvline(middle, color=FAINT, zorder=0)
    axes.set_yticks(range(len(standings)), [agent["name"] for agent in standings[::-1]])
    axes.set(ylim=(-0.6, len(standings) - 0.4), xlabel="rating (400 points: odds of ten to one), with 95 % intervals")


def _draw_rates(figure, names: list[str], rates: np.ndarray) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    axes = figure.subplots()
    centers = np.arange(len(names))
    axes.pcolormesh(centers, centers, rates, cmap=LinearSegmentedColormap.from_list("", WIN_COLOURS), vmin=0, vmax=1)
    axes.invert_yaxis()
    for (i, j), rate in np.ndenumerate(rates):
        if i != j:
            colour = "#ffffff" if abs(rate - 0.5) > 0.3 else "#1d2522"
            axes.text(j, i, f"{100 * rate:.0f}", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="left")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
