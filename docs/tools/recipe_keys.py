"""Every key of a training recipe with its usual value and meaning, as the dataclasses of `training` have them."""

import dataclasses
import inspect
import json
import re
import textwrap

from spades_env.training.recipe import KINDS, Evaluate, NetworkShape, PoolShares, Recipe, Reward
from spades_env.training.recipe.start_situations import Situations

SECTIONS = {"network": NetworkShape, "reward": Reward, "rules": Situations, "pool": PoolShares, "evaluate": Evaluate}
ASIDE = re.compile(r"^    (?:(\w+): [^#]*?)?(?:  )?# (.+)$")  # a comment, and the field it stands beside


def toml() -> str:
    """Return a recipe that sets every key to its default."""
    parts = [_keys(Recipe, leave_out=("stage", *SECTIONS))]
    parts += [f"{_about(section)}\n[{name}]\n{_keys(section)}" for name, section in SECTIONS.items()]
    parts += [f'{_about(stage)}\n[[stage]]\nkind = "{kind}"\n{_keys(stage)}' for kind, stage in KINDS.items()]
    return "\n\n".join(["```toml", *parts]).replace("```toml\n\n", "```toml\n") + "\n```"


def _about(section: type) -> str:
    said = " ".join((inspect.getdoc(section) or "").split())
    return "\n".join(textwrap.wrap(said, 110, initial_indent="# ", subsequent_indent="# "))


def _keys(section: type, leave_out: tuple[str, ...] = ()) -> str:
    """Return a line for each key; a longer description goes on below."""
    said: dict[str, list[str]] = {}
    name = ""
    for line in inspect.getsource(section).splitlines():
        if found := ASIDE.match(line):
            name = found[1] or name
            said.setdefault(name, []).append(found[2])
    lines = []
    for key in dataclasses.fields(section):
        if key.name not in leave_out:
            first, *more = said.get(key.name, [""])
            lines += [f"{key.name} = {_value(key)}{'  # ' * bool(first)}{first}", *(f"# {words}" for words in more)]
    return "\n".join(lines)


def _value(key: dataclasses.Field) -> str:
    usual = key.default if key.default is not dataclasses.MISSING else key.default_factory()  # pyright: ignore
    return json.dumps(usual)
