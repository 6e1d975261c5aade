"""How two agents fare under other rules: every preset, and every trump mode.

variants()                      {"classic": Rules, …, "jokers": Rules}
play("a", "b", games=400)       a Result for each
"""

from agents import arena
from agents.arena import Progress, part_of
from agents.base import Agent
from agents.results import Result
from spades_env import Rules
from spades_env.rules import CHOICES


def variants() -> dict[str, Rules]:
    """Every preset by its name, and `classic` with every other trump mode by that of the mode."""
    usual = Rules().trumps
    presets = {name: Rules.preset(name) for name in Rules.presets()}
    return presets | {mode: Rules(trumps=mode) for mode in CHOICES["trumps"] if mode != usual}


def play(
    a: str | Agent,
    b: str | Agent,
    games: int = 1000,
    seed: int = 0,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Result]:
    """A match of so many duplicate games under each."""
    chosen = variants()
    out = {}
    for i, (name, rules) in enumerate(chosen.items()):
        told = part_of(progress, i * games, len(chosen) * games)
        out[name] = arena.play(a, b, rules, games=games, seed=seed, jobs=jobs, progress=told)
    return out
