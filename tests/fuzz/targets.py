"""What strangers can hand to the program: for each kind of input a function that reads it, and valid examples.

A target may refuse its input with the one error that its users are promised; anything else is a fault. Where a
target accepts an input, it checks that writing and reading it again gives the same.
"""

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spades_env import Game, Rules, RulesError, words
from spades_env.agents.chat.endpoint import answer_of
from spades_env.agents.command.protocol import FailedError
from spades_env.agents.network.level import LAYERS, Level, LevelError, layer_sizes
from spades_env.game.cards import action_name, parse_action
from spades_env.game.record import RecordError
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits
from spades_env.play.server.requests import fields
from spades_env.play.store import sitting_text as sitting_text
from spades_env.play.store.rows import sum_of
from spades_env.play.store.saved import packed
from spades_env.play.store.sitting_rows import OPEN, table_of
from spades_env.play.store.sitting_text import SittingError
from spades_env.play.table.table import Table
from spades_env.training.recipe import Recipe, RecipeError

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = "classic target=off max_hands=1"


@dataclass(frozen=True)
class Target:
    """One kind of input."""

    read: Callable[[bytes], object]
    refuses_with: type[Exception]
    examples: tuple[bytes, ...]

    def try_input(self, data: bytes) -> bool:
        """Read an input; False: it was refused as promised. Any other error comes through."""
        try:
            self.read(data)
        except self.refuses_with as error:
            sentence = str(error)
            assert sentence.strip(), "a refusal says why"
            return False
        return True


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _rules(data: bytes) -> None:
    rules = Rules.parse(_text(data))
    assert Rules.parse(str(rules)) == rules


def _rules_file(data: bytes) -> None:
    _from_file(data, ".toml", Rules.load)


def _recipe_file(data: bytes) -> None:
    recipe = _from_file(data, ".toml", Recipe.load)
    assert Recipe.of(json.loads(json.dumps(recipe.as_dict()))) == recipe


def _level_file(data: bytes) -> None:
    _from_file(data, ".safetensors", Level.read)


def _from_file(data: bytes, suffix: str, read: Callable):
    handle, path = tempfile.mkstemp(suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        return read(path)
    finally:
        os.unlink(path)


def _record(data: bytes) -> None:
    game = Game.replay(_text(data))
    assert Game.replay(game.record()).record() == game.record()


def _sitting(data: bytes) -> None:
    table = sitting_text.read(_text(data))
    if table.over:
        assert sitting_text.read(sitting_text.write(table)).finished == table.finished


def _saved_game(data: bytes) -> None:
    times = dict.fromkeys(("began", "changed"), "2026-01-01T00:00:00+00:00")
    row = {"key": "fuzzed", "state": OPEN, **times, "told": data.decode("utf-8", "replace"), "changes": 1}
    packed(table_of(row | {"sum": sum_of("sittings", row)}))


def _message(data: bytes) -> None:
    fields.read(_text(data), Limits().text)


def _action(data: bytes) -> None:
    action = parse_action(_text(data))
    assert parse_action(action_name(action)) == action


def _completion(data: bytes) -> None:
    view = Game(RULES, seed=1).view(0)
    assert words.read(answer_of(data).text, view).outcome in words.OUTCOMES


def _finished_table() -> Table:
    table = Table(RULES, ["random"] * 4, {}, seed=1)
    while table.step():
        pass
    return table


def _small_level() -> bytes:
    rng = np.random.default_rng(1)
    sizes = layer_sizes(2, 1)
    tensors = {f"{name}.weight": rng.normal(size=sizes[name][::-1]).astype(np.float16) for name in LAYERS}
    tensors |= {f"{name}.bias": np.zeros(sizes[name][1], np.float16) for name in LAYERS}
    level = Level(tensors, "Fuzzed", "", "", "classic", {}, {})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "level.safetensors"
        level.write(path, half=True)
        return path.read_bytes()


def _files(*patterns: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for pattern in patterns for path in sorted(ROOT.glob(pattern)))


def targets() -> dict[str, Target]:
    """Every kind of input, by name."""
    table = _finished_table()
    saved = json.dumps(packed(table)).encode()
    records = _files(*(f"tests/golden/{name}.txt" for name in ("classic", "solo", "jokers", "house", "kitchen")))
    messages = (b'{"id": 1, "do": "act", "action": "AS", "version": 3}', b'{"id": 2, "do": "sit", "seat": 1}')
    completion = b'{"choices": [{"message": {"content": "bid 4"}}], "usage": {"prompt_tokens": 7}}'
    return {
        "rules": Target(_rules, RulesError, (b"match target=300", b"solo trumps=nyc", b"house total_not=13")),
        "rules_file": Target(_rules_file, RulesError, _files("configs/variants/*.toml")),
        "recipe_file": Target(_recipe_file, RecipeError, _files("configs/train/*.toml")),
        "level_file": Target(_level_file, LevelError, (_small_level(),)),
        "record": Target(_record, RecordError, records),
        "sitting": Target(_sitting, SittingError, (sitting_text.write(table).encode(), *records[:1])),
        "saved_game": Target(_saved_game, ValueError, (saved,)),
        "message": Target(_message, RefusedError, messages),
        "completion": Target(_completion, FailedError, (completion,)),
        "action": Target(_action, ValueError, (b"AS", b"bid:4", b"blind", b"BJ")),
    }
