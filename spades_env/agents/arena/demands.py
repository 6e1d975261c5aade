"""Check whether measured characters deserve their stars and styles.

    for check in checks(measured):
        check.asked, check.earned, check.found

Stars are earned in the ladder: each character beats all of the level below, and neighbouring levels are far apart, but
no further than a person can climb. A style is something a person can feel: nobody in the same level shows it as much,
beyond the noise. No character plays like another. And from some stars on people expect good manners and natural bids.
"""

from dataclasses import asdict, dataclass

import numpy as np

from spades_env.agents.arena.characters import Measured, half_of
from spades_env.agents.figures import FIGURES, figure_text
from spades_env.agents.roster import Character

APART, TOO_FAR = 0.57, 0.9  # least and greatest share of games that a level wins against the one below
MOST_BYTES = 15_000_000  # of all levels together
MOST_ALIKE = 0.95  # of decisions that two may share
NATURAL_FROM = 3  # stars from which on people expect good manners and natural bids
FOUR_BIDS, NIL_KEPT = (10.5, 11.8), 0.7


@dataclass(frozen=True)
class Check:
    """A demand on the roster, whether it is met, and what was found."""

    asked: str
    earned: bool
    found: str

    def as_dict(self) -> dict:
        return asdict(self)


def checks(measured: Measured) -> list[Check]:
    """Return every demand with what was found."""
    levels = sorted({one.stars for one in measured.characters})
    found = [check for stars in levels for check in _stars_earned(measured, stars)]
    megabytes = f"{measured.size / 1e6:.2f} MB"
    most = f"all levels together {MOST_BYTES / 1e6:.0f} MB at most"
    found.append(Check(most, measured.size <= MOST_BYTES, megabytes))
    for one in measured.characters:
        found += [_style_shown(measured, one, key, side) for key, side in one.shows.items()]
        found.append(_is_somebody(measured, one))
        if one.stars >= NATURAL_FROM:
            found += _natural(measured, one)
    return found


def _stars_earned(measured: Measured, stars: int) -> list[Check]:
    step = measured.between(stars)
    if step is None:
        return []
    share = step[0]
    asked = f"{stars} stars win {APART:.0%} to {TOO_FAR:.0%} of their games against {stars - 1}"
    found = [Check(asked, APART <= share <= TOO_FAR, f"{share:.1%}")]
    for a in measured.level(stars):
        rates = {b.name: measured.rate(a.key, b.key) for b in measured.level(stars - 1)}
        worst, rate = min(((name, rate) for name, rate in rates.items() if rate), key=lambda pair: pair[1][0])
        worst_rate = f"worst against {worst}: {rate[0]:.1%} [{rate[1]:.1%}, {rate[2]:.1%}]"
        found.append(Check(f"{a.name} beats everybody with {stars - 1} stars", rate[0] > 0.5, worst_rate))
    return found


def _style_shown(measured: Measured, one: Character, key: str, side: str) -> Check:
    """Compare its figure with the nearest in its level: they must differ by more than the noise of both."""
    asked = f"{one.name} shows “{FIGURES[key][0]}” {side}"
    own, sign = measured.figures[one.key][key], 1 if side == "high" else -1
    others = {other.name: measured.figures[other.key][key] for other in measured.level(one.stars) if other is not one}
    others = {name: figure for name, figure in others.items() if figure}
    if own is None or not others:
        return Check(asked, False, "nothing to compare")
    name, figure = max(others.items(), key=lambda pair: sign * pair[1][0])
    noise = np.hypot(half_of(own), half_of(figure))
    found = f"{figure_text(key, own)}, {name} {figure_text(key, figure)}, noise {figure_text(key, noise)}"
    return Check(asked, bool(sign * (own[0] - figure[0]) > noise), found)


def _is_somebody(measured: Measured, one: Character) -> Check:
    other, share = measured.figures[one.key]["alike"]
    found = f"{share:.1%} of decisions like {other}" if other else "there is no other"
    return Check(f"{one.name} plays like no other", share <= MOST_ALIKE, found)


def _natural(measured: Measured, one: Character) -> list[Check]:
    figures = measured.figures[one.key]
    bids, kept, wrong = figures["four_bids"], figures["nil_kept"], figures["faults"]
    low, high = FOUR_BIDS
    keeps = f"{kept[0]:.1%}" if kept else "no nil bid"
    plural = "s" * (len(wrong) > 1)
    return [
        Check(f"{one.name}: four bids from {low} to {high}", low <= bids <= high, f"{bids:.2f}"),
        Check(f"{one.name} keeps {NIL_KEPT:.0%} of nils", not kept or kept[0] >= NIL_KEPT, keeps),
        Check(f"{one.name} has manners", not wrong, f"{len(wrong)} fault{plural}" if wrong else "no fault"),
    ]
