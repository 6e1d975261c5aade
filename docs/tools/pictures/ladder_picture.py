"""The picture of the ladder, ladder.svg: the characters' ratings with their intervals, from agents/roster.json."""

from spades_env.agents.roster import roster

WIDTH, LEFT, RIGHT, TOP, STEP = 760, 172, 24, 62, 21
TICKS = range(0, 1601, 200)
STYLE = """
svg { font: 13px system-ui, sans-serif; --paper: #fdfcf8; --ink: #1d2522; --soft: #6a726e; --line: #d9d6cc;
  --1: #9a6b2f; --2: #b3542f; --3: #2d6a8e; --4: #6a4c93; --5: #2c6e49 }
@media (prefers-color-scheme: dark) { svg { --paper: #191d1b; --ink: #e4e6e1; --soft: #98a09b; --line: #3a413d;
  --1: #d9a95f; --2: #e58a63; --3: #7db8dc; --4: #b79be0; --5: #5fb98a } }
.paper { fill: var(--paper) } text { fill: var(--ink) } .head { font-size: 16px; font-weight: 600 }
.soft { fill: var(--soft); font-size: 12px }
.grid { stroke: var(--line) } .rule { stroke: var(--soft); stroke-dasharray: 4 3 }
.bar { stroke-width: 2.5; opacity: .55 }
""" + "".join(f".s{stars} {{ fill: var(--{stars}); stroke: var(--{stars}) }}\n" for stars in range(1, 6))


def svg(measured: dict) -> str:
    """Draw all characters, the strongest on top; the rule bot is the dashed line at 1000. measured: roster.json"""
    found = {key: one for key, one in measured["characters"].items() if one["rating"] is not None}
    there = sorted((one for one in roster() if one.key in found), key=lambda one: -found[one.key]["rating"])
    bottom = TOP + STEP * len(there)
    parts = [_tick(rating, bottom) for rating in TICKS]
    parts.append(_tick(1000, bottom, "rule").replace('class="grid"', 'class="rule"'))
    for i, one in enumerate(there):
        rating, (low, high) = found[one.key]["rating"], found[one.key]["rating_ci"]
        parts.append(_row(one.name, one.stars, TOP + STEP * (i + 0.5), rating, low, high))
    height = bottom + 44
    games = f"{measured['games']} games for each pairing that decides stars"
    note = f"Elo's scale, the bot rule at 1000; 95 % intervals; {games}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
            "<title>How strong the characters are</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{height}" rx="10"/>',
            '<text class="head" x="20" y="28">How strong the characters are</text>',
            *parts,
            f'<text class="soft" x="20" y="{height - 12}">{note}</text>',
            "</svg>\n",
        ]
    )


def _x(rating: float) -> float:
    low, high = TICKS[0], TICKS[-1]
    return LEFT + (WIDTH - LEFT - RIGHT) * (rating - low) / (high - low)


def _tick(rating: int, bottom: float, words: str = "") -> str:
    x = _x(rating)
    label = f'<text class="soft" x="{x:.0f}" y="{TOP - 10 if words else bottom + 15}" text-anchor="middle">'
    line = f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{bottom}"/>'
    return f"{line}{label}{words or rating}</text>"


def _row(name: str, stars: int, y: float, rating: float, low: float, high: float) -> str:
    start, end = max(low, TICKS[0]), min(high, TICKS[-1])
    return (
        f'<text x="{LEFT - 86}" y="{y + 4:.1f}" text-anchor="end">{name}</text>'
        f'<text class="s{stars}" style="stroke: none" x="{LEFT - 78}" y="{y + 4:.1f}">{"★" * stars}</text>'
        f'<line class="bar s{stars}" x1="{_x(start):.1f}" x2="{_x(end):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<circle class="s{stars}" cx="{_x(rating):.1f}" cy="{y:.1f}" r="4.5"/>'
    )
