"""Old names of a recipe's keys. They are understood for one more version, with a line of warning.

current(table)      the recipe's plain data with today's names, and what was renamed: {"stage.0.hands": "iterations"}
"""

from collections.abc import Iterable
from typing import Any

TOP = {"heed": "prior_bonus", "heed_blind": "prior_bonus_rare", "nil_doubt": "nil_penalty"}
STAGE = {
    "hands": "iterations",
    "rate": "learning_rate",
    "last_rate": "last_learning_rate",
    "passes": "epochs",
    "lam": "gae_lambda",
    "gradient": "max_grad_norm",
    "soft": "soft_temperature",
    "soften": "label_smoothing",
    "share": "labelled",
    "worlds": "determinizations",
    "dealt": "candidates",
    "stirs": "swaps",
}
KIND = {"foresee": "rollout"}


def current(table: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a recipe's plain data with today's names, and the new name of each old key in it."""
    found: dict[str, str] = {}
    new = _with(table, TOP, "", found)
    stages = new.get("stage")
    if isinstance(stages, list):
        new["stage"] = [_stage(one, f"stage.{i}.", found) for i, one in enumerate(stages)]
    return new, found


def new_name(key: str) -> str:
    """Return a dotted key such as stage.1.hands with today's name."""
    before, dot, last = key.rpartition(".")
    names = STAGE if before.startswith("stage") else TOP if not before else {}
    return f"{before}{dot}{names.get(last, last)}"


def of_own_stage(table: dict[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Return the keys of a stage of your own by the names of its fields, which may be old ones."""
    fields, names = set(known), STAGE | {new: old for old, new in STAGE.items()}
    return {name if name in fields else names.get(name, name): value for name, value in table.items()}


def warning(found: dict[str, str]) -> str:
    names = ", ".join(f"{old} is now {new}" for old, new in found.items())
    return f"old names in the recipe, which the next version won't know: {names}"


def _stage(stage: Any, where: str, found: dict[str, str]) -> Any:
    if not isinstance(stage, dict):
        return stage
    kind = stage.get("kind")
    own = isinstance(kind, str) and ":" in kind
    new = stage if own else _with(stage, STAGE, where, found)
    if isinstance(kind, str) and kind in KIND:
        found[f"{where}kind = {kind!r}"] = repr(KIND[kind])
        new = new | {"kind": KIND[kind]}
    return new


def _with(table: dict[str, Any], names: dict[str, str], where: str, found: dict[str, str]) -> dict[str, Any]:
    """Return a table with today's names. A key that stands there under both names keeps both, and is refused later."""
    renamed = {old: new for old, new in names.items() if old in table and new not in table}
    found |= {f"{where}{old}": new for old, new in renamed.items()}
    return {renamed.get(key, key): value for key, value in table.items()}
