"""Tables of the characters, from agents/roster.toml and what was measured: agents/roster.json."""

import json

from spades_env.agents.figures import FIGURES, figure_text
from spades_env.agents.roster import MEASURED, roster

MANNERS = " has manners"  # how the name of such a demand ends


def characters() -> str:
    """Return everybody in the roster, with style and figures."""
    keys = ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept")
    measured = " | ".join(FIGURES[key][0] for key in keys)
    rows = [f"| character | | style | plays by | rating | {measured} |", "|---|---|---|---|---:|" + "---:|" * len(keys)]
    for one in roster():
        shown = " | ".join(figure_text(key, one.figures.get(key)) for key in keys)
        rating = "–" if one.rating is None else f"{one.rating:.0f}"
        rows.append(f"| **{one.name}** | {'★' * one.stars} | {one.style} | `{one.agent}` | {rating} | {shown} |")
    return "\n".join(rows)


def measured() -> dict:
    """Return what `spades roster build` has measured."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def earned() -> str:
    """Return how much the roster has earned, and what it misses."""
    checks = measured()["checks"]
    missed = [(check["asked"], check["found"]) for check in checks if not check["earned"]]
    rude = [f"{asked.removesuffix(MANNERS)} {found}" for asked, found in missed if asked.endswith(MANNERS)]
    rows = [f"- {asked}: {found}" for asked, found in missed if not asked.endswith(MANNERS)]
    rows += [f"- manners: {', '.join(rude)}"] * bool(rude)
    head = f"Earned: {len(checks) - len(missed)} of {len(checks)}. {_how_many_games(measured())}"
    return "\n".join([f"{head} Missed:" if missed else head, *([""] if missed else []), *rows])


def _how_many_games(measured: dict) -> str:
    """Say how much was played for the stars, and how certain they are."""
    told = [
        f"{'★' * int(stars)} win {100 * won:.1f} % [{100 * low:.1f}, {100 * high:.1f}] of {games:,} games"
        for stars, (won, low, high, games) in reversed(measured["steps"].items())
    ]
    return f"Against the level below, {', '.join(told)}."


def levels() -> str:
    """Return the share of games won, in percent, by the characters of a level against those of another."""
    pairings = measured()["pairings"]
    rates = {(p["a"], p["b"]): p["win_rate"] for p in pairings}
    rates |= {(b, a): 1 - rate for (a, b), rate in rates.items()}
    stars = sorted({one.stars for one in roster()}, reverse=True)
    rows = [
        f"| % | {' | '.join('★' * level for level in stars)} | `rule` | `bis` |",
        "|---|" + "---:|" * (len(stars) + 2),
    ]
    groups = [("★" * level, [one.key for one in roster() if one.stars == level]) for level in stars]
    for name, keys in groups:
        cells = []
        for others in [*(keys for _, keys in groups), ["rule"], ["bis"]]:
            found = [rates[a, b] for a in keys for b in others if (a, b) in rates and set(keys) != set(others)]
            cells.append(f"{100 * sum(found) / len(found):.1f}" if found else "")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)
