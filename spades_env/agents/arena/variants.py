"""Matches under other rules: every preset, and every trump mode.

variants()                      {"classic": Rules, …, "jokers": Rules}
play("a", "b", games=400)       a Result for each
"""

from spades_env.agents import arena
from spades_env.agents.arena.match import Progress, part_of
from spades_env.agents.arena.match_result import Result
from spades_env.agents.base import Agent
from spades_env.game.rules import CHOICES, Rules


def variants() -> dict[str, Rules]:
    """Return every preset by its name, and `classic` with every other trump mode by the mode's name."""
    usual = Rules().trumps
    presets = {name: Rules.preset(name) for name in Rules.presets()}
    return presets | {mode: Rules(trumps=mode) for mode in CHOICES["trumps"] if mode != usual}


def play(
    a: str | Agent,
    b: str | Agent,
    games: int = 1000,
    seed: int = 0,
    jobs: arena.Jobs = None,
    progress: Progress | None = None,
) -> dict[str, Result]:
    """Play a match of duplicate games under each of `variants`."""
    chosen = variants()
    out = {}
    for i, (name, rules) in enumerate(chosen.items()):
        report = part_of(progress, i * games, len(chosen) * games)
        out[name] = arena.play(a, b, rules, games=games, seed=seed, jobs=jobs, progress=report)
    return out
